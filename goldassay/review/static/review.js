// Labelling, one answer at a time. Data reaches the page as text nodes only, never as markup.
"use strict";
(() => {
  const setup = JSON.parse(document.body.dataset.setup);
  const SIGNS = { pass: "✓", fail: "✗", error: "!", unsure: "?", skip: "–" };
  const WORDS = { pass: "pass", fail: "fail", skip: "skip" };
  const KEYS = { 1: "pass", 2: "fail", 3: "skip" };
  const { byId, el, marked, theme, visible } = Page;
  let said = [];
  let here = 0;
  let item = null;
  let busy = Promise.resolve();

  async function ask(path, method = "GET", body = null) {
    const options = { method, headers: { "X-Goldassay-Page": setup.token }, cache: "no-store" };
    if (body !== null) {
      options.headers["Content-Type"] = "application/json";
      options.body = JSON.stringify(body);
    }
    let reply;
    try {
      reply = await fetch(path, options);
    } catch {
      throw new Error("goldassay review does not answer: is it still running in your terminal?");
    }
    if (!reply.ok) throw new Error(visible((await reply.text()).slice(0, 400)) || "error " + reply.status);
    return reply.json();
  }

  function tell(text, isWrong = false) {
    byId("told").textContent = text;
    byId("told").classList.toggle("fail", isWrong);
  }

  // One request after the other: a quick hand must not overtake its own labels.
  function inTurn(work) {
    busy = busy.then(work).catch((error) => tell("Not kept: " + error.message, true));
    return busy;
  }

  function cut(shown, whole) {
    return whole > shown ? el("p", "dim", "Cut here: the whole text has " + whole.toLocaleString("en") + " characters.") : "";
  }

  function show(answer) {
    item = answer;
    here = answer.place;
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
    const left = el("div", "stick");
    for (const [role, text] of answer.turns) left.append(el("div", "turn data", el("b", "", role + ": "), text));
    left.append(el("h2", "", "Question"), el("div", "asked data", answer.question || "(no question)"));
    left.append(el("h2", "", "Answer"));
    const body = el("div", "given card text data");
    body.id = "answer";
    if (answer.answer) body.append(...marked(answer.answer, answer.marks, open));
    else body.append(el("span", "fail", "(empty answer)"));
    left.append(body, cut(answer.answer.length, answer.answer_length));
    if (answer.golden) left.append(golden(answer.golden));
    if (answer.verdict) left.append(judge(answer));
    left.append(el("p", "facts-line", answer.facts.map(([name, value]) => name + " " + value).join(" · ")));
    const right = el("div", "");
    right.append(el("h2", "", answer.sources.length ? "Sources, as sent to the model" : "No sources were logged with this answer"));
    const cited = new Set(answer.marks.filter((span) => span[2] === "cite").flatMap((span) => span[3].split(",")));
    answer.sources.forEach((source, at) => {
      const number = String(at + 1);
      const card = sourceCard(source, number, cited.has(number), cited.size === 0 || answer.sources.length <= 3);
      cards.set(number, card);
      right.append(card);
    });
    byId("item").replaceChildren(left, right);
    dock(answer.given);
    progress();
  }

  function sourceCard(source, number, isCited, isOpen) {
    const head = el("summary", "", el("b", "", "[" + number + "] "), el("span", "data", source.title || source.id));
    if (source.title && source.title !== source.id) head.append(" ", el("span", "dim data", source.id));
    if (isCited) head.append(el("span", "chip pass", "cited"));
    const card = el("details", isCited ? "source cited" : "source", head);
    card.open = isCited || isOpen || source.marks.length > 0;
    card.append(el("div", "text data", ...marked(source.text, source.marks, null)), cut(source.text.length, source.length));
    if (source.url) card.append(el("p", "url dim data", source.url));
    return card;
  }

  function golden(question) {
    const box = el("div", "judge card", el("p", "head", question.answerable ? "The sources hold an answer" : "The sources hold no answer: a refusal is right"));
    if (question.facts.length) box.append(el("p", "data", "Key facts: " + question.facts.join("; ")));
    if (question.reference) box.append(el("p", "text data", "Reference: " + question.reference));
    return box;
  }

  function judge(answer) {
    const verdict = answer.verdict;
    const yours = answer.given ? answer.given.outcome : "";
    const same = yours === verdict.outcome;
    const box = el("div", "judge card " + verdict.outcome);
    box.id = "judge";
    const head = el("p", "head", el("span", verdict.outcome, SIGNS[verdict.outcome] || ""), "The judge said " + verdict.outcome);
    if (yours && yours !== "skip" && (verdict.outcome === "pass" || verdict.outcome === "fail")) head.append(el("span", same ? "chip pass" : "chip fail", same ? "you agree" : "you differ"));
    if (verdict.category) head.append(el("span", "chip", verdict.category));
    box.append(head);
    if (verdict.reason) box.append(el("p", "text data", verdict.reason));
    const facts = [verdict.judge];
    if (verdict.score !== null) facts.push(verdict.score + (verdict.scale_max !== null ? " of " + verdict.scale_max : "") + (verdict.pass_mark !== null ? ", pass mark " + verdict.pass_mark : ""));
    box.append(el("p", "dim", facts.filter(Boolean).join(" · ")));
    if (verdict.others.length) box.append(el("ul", "", ...verdict.others.map((one) => el("li", "data", one.check + ": " + one.outcome + (one.reason ? ", " + one.reason : "")))));
    return box;
  }

  function dock(given) {
    byId("dock").hidden = false;
    byId("dock").classList.toggle("over", item === null);
    for (const button of document.querySelectorAll("[data-say]")) button.setAttribute("aria-pressed", String(Boolean(given) && button.dataset.say === given.outcome));
    byId("category").value = given ? given.category : "";
    byId("comment").value = given ? given.comment : "";
    byId("undo").disabled = !given;
    byId("previous").disabled = here === 0;
    byId("next").disabled = here >= setup.total;
  }

  function progress() {
    const done = said.filter(Boolean).length;
    byId("count").textContent = (here < setup.total ? here + 1 + " of " + setup.total + " · " : "") + done + " labelled";
    byId("steps").replaceChildren(...said.map((outcome, at) => el("li", (WORDS[outcome] || "") + (at === here ? " here" : ""))));
    document.documentElement.dataset.done = String(done);
    document.documentElement.dataset.place = String(here);
  }

  function finish() {
    here = setup.total;
    item = null;
    const count = (outcome) => said.filter((one) => one === outcome).length;
    const open = said.filter((one) => !one).length;
    const box = el("div", "done card", el("h2", "", open ? open + " answers are still without a label" : "All " + setup.total + " answers are labelled"));
    box.append(el("p", "", count("pass") + " pass, " + count("fail") + " fail, " + count("skip") + " skipped. Everything is in the store."));
    box.append(el("p", "dim", "How far the judge agrees with you:"), el("p", "", el("code", "", "goldassay calibrate")));
    box.append(el("p", "dim", "This page may be closed; end goldassay review with Ctrl-C."));
    byId("item").replaceChildren(box);
    dock(null);
    progress();
  }

  async function go(place) {
    const target = Math.max(0, Math.min(setup.total, place));
    if (target === setup.total) finish();
    else {
      show(await ask("/api/answers/" + target));
      window.scrollTo(0, 0);
    }
    tell(target === setup.total ? "" : item.given ? "Enter goes on to the next answer without a label." : "1 pass, 2 fail, 3 skip. The judge's verdict is shown afterwards.");
  }

  function goOn() {
    const after = said.findIndex((outcome, at) => at > here && !outcome);
    const any = said.findIndex((outcome) => !outcome);
    return go(after >= 0 ? after : any >= 0 ? any : setup.total);
  }

  async function say(outcome) {
    if (!item) return;
    const body = { outcome, category: outcome === "fail" ? byId("category").value : "", comment: byId("comment").value };
    const answer = await ask("/api/answers/" + here, "PUT", body);
    said[here] = outcome;
    if (outcome === "skip") { await goOn(); return; }
    show(answer);
    tell("Kept. Enter goes on to the next answer without a label.");
  }

  // A reason or a note that is written after the label goes with it.
  async function amend() {
    if (!item || !item.given) return;
    const { outcome } = item.given;
    const category = byId("category").value;
    if (outcome !== "fail" && category) { tell("A reason goes with a fail; press 2 to fail the answer."); return; }
    show(await ask("/api/answers/" + here, "PUT", { outcome, category, comment: byId("comment").value }));
    tell("Kept.");
  }

  async function undo() {
    if (!item || !item.given) return;
    const answer = await ask("/api/answers/" + here, "DELETE");
    said[here] = "";
    show(answer);
    tell("Taken back. A new label is kept, but calibration counts blind ones only.");
  }

  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "Escape" && typing) { event.target.blur(); return; }
    if (event.key === "Enter" && event.target.tagName === "INPUT") { event.preventDefault(); event.target.blur(); return; }
    if (typing || event.repeat) return;
    const onControl = /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName) || event.target.getAttribute("role") === "link";
    const act = {
      ArrowLeft: () => inTurn(() => go(here - 1)),
      ArrowRight: () => inTurn(() => go(here + 1)),
      u: () => inTurn(undo),
      c: () => byId("category").focus(),
      n: () => byId("comment").focus(),
    }[event.key];
    if (KEYS[event.key]) { event.preventDefault(); inTurn(() => say(KEYS[event.key])); }
    else if (event.key === "Enter" && !onControl) { event.preventDefault(); inTurn(goOn); }
    else if (act) { event.preventDefault(); act(); }
  }

  async function start() {
    theme();
    for (const [value, name] of setup.categories) {
      const option = el("option", "", name);
      option.value = value;
      byId("category").append(option);
    }
    for (const button of document.querySelectorAll("[data-say]")) button.addEventListener("click", () => inTurn(() => say(button.dataset.say)));
    byId("dock").addEventListener("submit", (event) => event.preventDefault());
    byId("undo").addEventListener("click", () => inTurn(undo));
    byId("previous").addEventListener("click", () => inTurn(() => go(here - 1)));
    byId("next").addEventListener("click", () => inTurn(() => go(here + 1)));
    byId("category").addEventListener("change", () => inTurn(amend));
    byId("comment").addEventListener("change", () => inTurn(amend));
    document.addEventListener("keydown", keys);
    try {
      said = (await ask("/api/state")).said;
      const first = said.findIndex((outcome) => !outcome);
      await go(first >= 0 ? first : setup.total);
    } catch (error) {
      byId("item").replaceChildren(el("p", "fail", error.message));
    }
    document.documentElement.dataset.ready = "true";
  }

  start();
})();
