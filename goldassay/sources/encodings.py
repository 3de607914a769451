"""Text encodings: what the byte order mark says, and a clear word when the bytes say otherwise."""

from __future__ import annotations

import codecs
import io

from goldassay.errors import ConfigError
from goldassay.sources.files import ByteStream

__all__ = ["as_utf8", "bom_encoding", "decode_reason"]

BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its mark begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CHUNK_BYTES = 1 << 20


def bom_encoding(head: bytes) -> str | None:
    """Encoding named by the first bytes; None: no mark and nothing that looks like UTF-16."""
    for mark, name in BOMS:
        if head.startswith(mark):
            return name
    if head[1:2] == b"\x00" and head[:1] not in {b"", b"\x00"}:
        return "utf-16-le"
    if head[:1] == b"\x00" and head[1:2] not in {b"", b"\x00"}:
        return "utf-16-be"
    return None


def decode_reason(fault: UnicodeDecodeError) -> str:
    """Why bytes are no text, and what to set."""
    byte = fault.object[fault.start]
    return (
        f"not {fault.encoding.upper()}: byte 0x{byte:02x} at position {fault.start + 1}; "
        "if the log has another encoding, set answers.encoding (for instance 'cp1252')"
    )


def as_utf8(stream: ByteStream, encoding: str | None) -> ByteStream:
    """The same stream as UTF-8 bytes without a byte order mark.

    Raises:
        ConfigError: The named encoding is unknown.
    """
    source = _Headed(stream)
    try:
        found = bom_encoding(source.head) or codecs.lookup(encoding or "utf-8").name
    except LookupError:
        raise ConfigError(f"answers.encoding {encoding!r} is unknown; use a name such as 'utf-8' or 'cp1252'") from None
    if found == "utf-8-sig":
        source.head = source.head.removeprefix(codecs.BOM_UTF8)
    return source if found in {"utf-8", "utf-8-sig", "ascii"} else _Recoded(source, found)


class _Headed(io.RawIOBase):
    """A stream whose first bytes were looked at."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream
        self.fault: Exception | None = None
        self.head = b""
        while len(self.head) < 4:
            try:
                part = stream.read(4 - len(self.head))
            except Exception as fault:  # noqa: BLE001 - any fault belongs to the first read, not to the opening
                self.fault = fault
                break
            if not part:
                break
            self.head += part

    def read(self, size: int = -1) -> bytes:
        if self.head:
            head, self.head = self.head, b""
            return head
        if self.fault is not None:
            raise self.fault
        return self.stream.read(size)


class _Recoded(io.RawIOBase):
    """A stream decoded from one encoding and handed on as UTF-8."""

    def __init__(self, stream: _Headed, encoding: str) -> None:
        self.stream = stream
        self.decoder = codecs.getincrementaldecoder(encoding)()
        self.mark = "\ufeff"
        """A byte order mark that the decoder leaves; only at the beginning is it one."""

    def read(self, size: int = -1) -> bytes:
        while True:
            data = self.stream.read(size)
            try:
                text = self.decoder.decode(data, final=not data)
            except UnicodeDecodeError as fault:
                raise OSError(decode_reason(fault)) from fault
            if text or not data:
                text, self.mark = text.removeprefix(self.mark), ""
                return text.encode(errors="surrogatepass")
