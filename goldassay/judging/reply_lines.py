"""Puts together what a reply gives in pieces: one object for each criterion, as JSON Lines or as a list.

Only where nothing else is said: then each piece is a part of the one verdict, and none is a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.judging.reply_contract import Contract, Fault
from goldassay.judging.reply_fields import fold
from goldassay.judging.reply_objects import Found

__all__ = ["joined"]

_REPAIR = "joined_lines"
_FENCE = re.compile(r"(?:```|~~~)[ \t]*[A-Za-z0-9_+-]*")
_NAMING = ("criterion", "name")
"""Keys under which a piece may say which criterion it is about."""


def joined(pieces: Sequence[Found], contract: Contract) -> Found | None:
    """The whole of what was asked for, from its pieces; None where they are no such pieces.

    Args:
        pieces: The objects of the reply, those of a list one by one.
        contract: What was asked for: a list, or an object with a field of one type for each of several criteria.

    Raises:
        Fault: 'ambiguous' when two pieces say different things of one criterion.
    """
    values = [piece.value for piece in pieces]
    if len(pieces) < 2 or not all(isinstance(value, dict) for value in values):
        return None
    if _FENCE.sub("", pieces[0].around).strip() or not pieces[0].is_sure:
        return None
    whole = values if contract.format == "json_array" else _whole(values, contract)
    if not whole:
        return None
    repairs = [repair for piece in pieces for repair in piece.repairs if repair != "surrounding_text_ignored"]
    return pieces[0]._replace(value=whole, repairs=(*dict.fromkeys(repairs), _REPAIR))


def _whole(values: Sequence[Mapping[str, Any]], contract: Contract) -> dict[str, Any] | None:
    known = {fold(name): name for name in contract.required}
    if len(known) < 2 or len({contract.fields[name].type for name in contract.required}) > 1:
        return None
    whole: dict[str, Any] = {}
    for value in values:
        part = _by_criterion(value, known)
        if part is None:
            return None
        for name, told in part.items():
            if repr(whole.setdefault(name, told)) != repr(told):
                raise Fault("ambiguous", field=name)
    return whole


def _by_criterion(value: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any] | None:
    """What one piece says, under the names that were asked for; None when it is about anything else."""
    for key in _NAMING:
        about = value.get(key)
        if isinstance(about, str) and fold(about) in known:
            return {known[fold(about)]: {name: told for name, told in value.items() if name != key}}
    if not value or not all(fold(key) in known for key in value):
        return None
    return {known[fold(key)]: told for key, told in value.items()}
