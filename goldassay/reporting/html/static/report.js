// The answers of the report: filters, pages and details. Data reaches the page as text nodes only, never as markup.
"use strict";
(() => {
  const PAGE = 25;
  const KEPT_CHUNKS = 60;
  const SIGNS = { p: "✓", f: "✗", e: "!", u: "?", s: "–" };
  const WORDS = { p: "pass", f: "fail", e: "error", u: "unsure", s: "skipped" };
  const { byId, el, marked, theme, visible } = Page;

  async function unpack(id) {
    const block = byId(id);
    if (block.type === "application/json") return JSON.parse(block.textContent);
    if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old to unpack the answers (it has no DecompressionStream).");
    const text = block.textContent;
    const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  const chunks = new Map();
  function chunk(id) {
    const found = chunks.get(id) || unpack(id);
    chunks.delete(id);
    chunks.set(id, found);
    if (chunks.size > KEPT_CHUNKS) chunks.delete(chunks.keys().next().value);
    return found;
  }

  async function sourcesOf(places) {
    const size = index.source_chunk;
    return Promise.all(places.map(async (place) => (await chunk("sources-" + Math.floor(place / size)))[place % size]));
  }

  let index = null;
  let haystack = null;
  let found = [];
  const state = { outcome: "", check: "", category: "", stratum: "", version: "", text: "", page: 0, record: "" };

  function readHash() {
    const raw = location.hash.slice(1);
    if (!raw.includes("=")) return false;
    const params = new URLSearchParams(raw);
    for (const key of Object.keys(state)) state[key] = params.get(key) || "";
    state.page = Math.max(0, (parseInt(state.page, 10) || 1) - 1);
    return true;
  }

  function writeHash() {
    const params = new URLSearchParams();
    for (const [key, value] of Object.entries(state)) if (value && key !== "page") params.set(key, value);
    if (state.page) params.set("page", state.page + 1);
    history.replaceState(null, "", "#" + (params.toString() || "answers"));
  }

  function filter() {
    const checkAt = index.checks.indexOf(state.check);
    const category = index.categories.indexOf(state.category);
    const stratum = index.strata.indexOf(state.stratum);
    const version = index.versions.indexOf(state.version);
    const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length && !haystack) haystack = index.q.map((q, i) => [index.id[i], q, index.a[i], ...index.r[i].map((reason) => reason[1])].join("\n").toLowerCase());
    found = [];
    for (let i = 0; i < index.id.length; i += 1) {
      const code = checkAt < 0 ? index.o[i] : index.v[i][checkAt];
      if (checkAt >= 0 && code === "-") continue;
      if (state.outcome === "broken" || state.outcome === "fixed") {
        if (index.d[i] !== state.outcome[0]) continue;
      } else if (state.outcome && WORDS[code] !== state.outcome) continue;
      if (state.category && !index.c[i].includes(category)) continue;
      if (state.stratum && index.s[i] !== stratum) continue;
      if (state.version && index.x[i] !== version) continue;
      if (words.length && !words.every((word) => haystack[i].includes(word))) continue;
      found.push(i);
    }
  }

  function show() {
    filter();
    const last = Math.max(0, Math.ceil(found.length / PAGE) - 1);
    if (state.record) {
      const at = found.findIndex((i) => index.id[i] === state.record);
      if (at >= 0) state.page = Math.floor(at / PAGE);
    }
    state.page = Math.min(state.page, last);
    const start = state.page * PAGE;
    const rows = found.slice(start, start + PAGE);
    byId("list").replaceChildren(...(rows.length ? rows.map(row) : [el("li", "empty", "No answer matches these filters.")]));
    byId("count").textContent = found.length
      ? (start + 1).toLocaleString("en") + "–" + (start + rows.length).toLocaleString("en") + " of " + found.length.toLocaleString("en")
      : "0 answers";
    byId("previous").disabled = state.page === 0;
    byId("next").disabled = state.page >= last;
    byId("clear").hidden = !(state.outcome || state.check || state.category || state.stratum || state.version || state.text);
    for (const button of byId("outcomes").children) button.setAttribute("aria-pressed", String(button.dataset.outcome === state.outcome));
    for (const name of ["check", "category", "stratum", "version"]) if (byId(name)) byId(name).value = state[name];
    if (byId("text").value !== state.text) byId("text").value = state.text;
  }

  function row(i) {
    const code = index.o[i];
    const tags = el("span", "tags");
    if (index.d[i]) tags.append(el("span", index.d[i] === "b" ? "chip fail" : "chip pass", index.d[i] === "b" ? "broke" : "fixed"));
    for (let at = 0; at < index.checks.length; at += 1) {
      const verdict = index.v[i][at];
      if (verdict === "f" || verdict === "e") tags.append(el("span", "chip " + WORDS[verdict], index.checks[at]));
    }
    const sign = el("span", "sign " + WORDS[code], SIGNS[code]);
    sign.title = WORDS[code];
    const button = el("button", "row", sign, el("span", "q data", index.q[i] || "(no question)"), tags);
    button.type = "button";
    const at = index.checks.indexOf(state.check);
    const reason = index.r[i].find((each) => each[0] === at) || index.r[i][0];
    if (reason) button.append(el("span", "r data", reason[1]));
    button.setAttribute("aria-expanded", "false");
    button.dataset.at = i;
    const item = el("li", "", button);
    button.addEventListener("click", () => toggle(item, button, i));
    if (index.id[i] === state.record) toggle(item, button, i);
    return item;
  }

  async function toggle(item, button, i) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) {
      item.lastChild.remove();
      if (state.record === index.id[i]) { state.record = ""; writeHash(); }
      return;
    }
    const panel = el("div", "panel", el("p", "dim", "Unpacking…"));
    item.append(panel);
    try {
      const answer = (await chunk("chunk-" + Math.floor(i / index.chunk)))[i % index.chunk];
      panel.replaceChildren(...detail(answer, await sourcesOf(answer.s), i));
    } catch (error) {
      panel.replaceChildren(el("p", "fail", error.message));
    }
    if (index.id[i] !== state.record) { state.record = index.id[i]; writeHash(); }
  }

  function detail(answer, sources, i) {
    const left = el("div", "");
    const right = el("div", "");
    const cards = new Map();
    const open = (numbers) => {
      for (const number of numbers) {
        const card = cards.get(number);
        if (!card) continue;
        card.open = true;
        card.classList.add("flash");
        setTimeout(() => card.classList.remove("flash"), 1600);
      }
      const first = cards.get(numbers[0]);
      if (first) first.scrollIntoView({ block: "nearest" });
    };
    for (const [role, text] of answer.t || []) left.append(el("h4", "", role), el("div", "text data dim", text));
    if (visible(answer.q).replace(/\s+/g, " ").trim() !== index.q[i]) left.append(el("h4", "", "Question"), el("div", "text data", answer.q));
    left.append(el("h4", "", "Answer"));
    const body = el("div", "text data");
    if (answer.a) body.append(...marked(answer.a, answer.m, open));
    else body.append(el("span", "fail", "(empty answer)"));
    left.append(body);
    if (answer.n > answer.a.length) left.append(el("p", "dim", "Cut here: the whole answer has " + answer.n.toLocaleString("en") + " characters."));
    const graver = (row) => "feups".indexOf(row.o);
    const plain = (row) => !row.y && row.s === undefined && !row.l && (row.o === "p" || row.o === "s");
    left.append(el("h4", "", "Verdicts"), ...answer.v.filter((row) => !plain(row)).sort((a, b) => graver(a) - graver(b)).map(verdict));
    for (const code of ["p", "s"]) {
      const rest = answer.v.filter((row) => plain(row) && row.o === code);
      if (rest.length) left.append(together(code, rest));
    }
    if (answer.g) left.append(...golden(answer.g));
    if (answer.b) left.append(...before(answer.b));
    left.append(el("p", "facts-line", [["id", index.id[i]], ...answer.f].map(([name, value]) => name + " " + value).join(" · ")));
    right.append(el("h4", "", answer.s.length ? "Sources, as sent to the model" : "No sources were logged with this answer"));
    const cited = new Set((answer.m || []).filter((span) => span[2] === "cite").flatMap((span) => span[3].split(",")));
    sources.forEach((row, at) => {
      const number = String(at + 1);
      const card = source(row, number, answer.h[number], cited.has(number), cited.size === 0 && at === 0);
      cards.set(number, card);
      right.append(card);
    });
    return [left, right];
  }

  function before([version, text, says]) {
    const box = el("div", "text data dim", text || "(empty answer)");
    const lines = says.map(([check, outcome, reason]) => el("p", "dim data", check + ": " + outcome + (reason ? ", " + reason : "")));
    return [el("h4", "", "Answer in the run before" + (version ? " (" + version + ")" : "")), box, ...lines];
  }

  // On paper nothing can be opened: what broke and what was fixed is printed with its answers and reasons.
  function print() {
    let opened = [];
    window.addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll(".changes details:not([open])")];
      for (const each of opened) each.open = true;
    });
    window.addEventListener("afterprint", () => { for (const each of opened) each.open = false; });
  }

  function golden(question) {
    const nodes = [el("h4", "", "Golden question")];
    nodes.push(el("div", "", question.answerable ? "The sources hold an answer." : "The sources hold no answer: a refusal is right."));
    if (question.facts.length) nodes.push(el("div", "data dim", "Key facts: " + question.facts.join("; ")));
    if (question.reference) nodes.push(el("div", "text data dim", "Reference: " + question.reference));
    return nodes;
  }

  // Checks that passed, or did not apply, share a line, each with its reason if it has one.
  function together(code, rows) {
    const said = rows.map((row) => row.k + (row.r ? " (" + row.r + ")" : ""));
    const names = el("div", "dim data", (code === "p" ? "passed: " : "does not apply: ") + said.join(", "));
    return el("div", "verdict " + code, el("span", WORDS[code], SIGNS[code]), names);
  }

  function verdict(row) {
    const name = el("div", "", el("span", "name", row.k));
    if (row.s !== undefined) name.append(el("span", "dim", "  " + row.s + (row.z !== undefined ? " of " + row.z : "") + (row.p !== undefined ? ", pass mark " + row.p : "")));
    if (row.c) name.append(" ", el("span", "chip " + WORDS[row.o], row.c));
    if (row.w) name.append(" ", el("span", "chip", "warns only"));
    for (const flag of row.l || []) name.append(" ", el("span", "chip", flag.replaceAll("_", " ")));
    const node = el("div", "verdict " + row.o, el("span", WORDS[row.o], SIGNS[row.o]), name);
    if (row.r) node.append(el("div", "what data", row.r));
    if (row.y) {
      const label = "Raw reply" + (row.j ? " of " + row.j : "") + (row.u ? ", reused" : "");
      node.append(el("details", "", el("summary", "dim", label), el("pre", "data", row.y)));
    }
    for (const [head, reason, text] of row.t || []) {
      const said = el("pre", "data", text || "(no reply came)");
      node.append(el("details", "", el("summary", "dim", head), reason ? el("div", "what data", reason) : "", said));
    }
    return node;
  }

  function source([id, text, length, title, url], number, spans, isCited, isFirst) {
    const head = el("summary", "", el("b", "", "[" + number + "] "), el("span", "data", title || id));
    if (title && title !== id) head.append(" ", el("span", "dim data", id));
    if (isCited) head.append(el("span", "chip pass", "cited"));
    if (spans) head.append(el("span", "chip", chipOf(new Set(spans.map((span) => span[2])))));
    const card = el("details", isCited ? "source cited" : "source", head);
    card.open = isCited || Boolean(spans) || isFirst;
    card.append(el("div", "text data", ...marked(text, spans, null)));
    if (length > text.length) card.append(el("p", "url dim", "Cut here: the whole source has " + length.toLocaleString("en") + " characters."));
    if (url) card.append(el("p", "url", link(url)));
    return card;
  }

  function chipOf(marks) {
    if (marks.has("bad")) return "contradicts";
    return marks.has("own") ? "says otherwise" : "evidence";
  }

  function link(url) {
    if (!/^https?:\/\//i.test(url)) return el("span", "dim data", url);
    const node = el("a", "data", url);
    node.href = url;
    node.rel = "noopener noreferrer nofollow";
    node.target = "_blank";
    return node;
  }

  function options(id, label, names) {
    const select = byId(id);
    const kept = names.filter(Boolean);
    if (kept.length < (id === "check" || id === "category" ? 1 : 2)) { select.hidden = true; return; }
    const any = el("option", "", label);
    any.value = "";
    select.append(any, ...kept.slice().sort().map((name) => { const option = el("option", "", name.length > 60 ? name.slice(0, 60) + "…" : name); option.value = name; return option; }));
    select.addEventListener("change", () => { state[id] = select.value; refresh(); });
  }

  function refresh() {
    state.page = 0;
    state.record = "";
    show();
    writeHash();
  }

  function turn(step) {
    state.page += step;
    state.record = "";
    show();
    writeHash();
    byId("answers").scrollIntoView();
  }

  function outcomes() {
    const counts = { "": index.o.length, broken: 0, fixed: 0 };
    index.o.forEach((code, i) => {
      counts[WORDS[code]] = (counts[WORDS[code]] || 0) + 1;
      if (index.d[i]) counts[index.d[i] === "b" ? "broken" : "fixed"] += 1;
    });
    const names = [["", "All"], ["fail", "Failed"], ["error", "Could not be judged"], ["unsure", "Unsure"], ["pass", "Passed"], ["broken", "Broke"], ["fixed", "Fixed"]];
    for (const [outcome, label] of names) {
      if (outcome && !counts[outcome]) continue;
      const button = el("button", "", label, el("b", "", counts[outcome].toLocaleString("en")));
      button.type = "button";
      button.dataset.outcome = outcome;
      button.addEventListener("click", () => { state.outcome = outcome; refresh(); });
      byId("outcomes").append(button);
    }
  }

  function keys(event) {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !typing) { event.preventDefault(); byId("text").focus(); return; }
    if (typing || !event.target.classList.contains("row")) return;
    const rows = [...document.querySelectorAll(".row")];
    const at = rows.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && rows[at + step]) { event.preventDefault(); rows[at + step].focus(); }
    if (event.key === "Escape" && event.target.getAttribute("aria-expanded") === "true") event.target.click();
  }

  async function start() {
    theme();
    print();
    try {
      index = await unpack("index");
    } catch (error) {
      byId("list").replaceChildren(el("li", "empty", error.message));
      return;
    }
    outcomes();
    options("check", "Any check", index.checks);
    options("category", "Any reason", index.categories);
    options("stratum", "Any stratum", index.strata);
    options("version", "Any version", index.versions);
    let timer = 0;
    byId("text").addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => { state.text = byId("text").value; refresh(); }, 120); });
    byId("previous").addEventListener("click", () => turn(-1));
    byId("next").addEventListener("click", () => turn(1));
    byId("clear").addEventListener("click", () => { for (const key of Object.keys(state)) state[key] = ""; refresh(); });
    document.addEventListener("keydown", keys);
    const reveal = () => (document.querySelector('.row[aria-expanded="true"]') || byId("answers")).scrollIntoView();
    const follow = () => { if (readHash()) { show(); reveal(); } };
    window.addEventListener("hashchange", follow);
    const linked = readHash();
    show();
    if (linked) reveal();
    document.documentElement.dataset.ready = "true";
  }

  start();
})();
