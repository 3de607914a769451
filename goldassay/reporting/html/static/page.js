// What both pages share, the report and the review: text as text nodes, marked spans, the theme. Loaded before either.
"use strict";
const Page = (() => {
  const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;
  const byId = (id) => document.getElementById(id);

  // Control characters and direction overrides become visible: the same rule as in the reports on paper and in the terminal.
  const visible = (text) => String(text).replace(/\r\n/g, "\n").replace(ODD, (sign) => {
    const code = sign.codePointAt(0);
    if (code < 32) return String.fromCharCode(0x2400 + code);
    return code === 127 ? "\u2421" : "<U+" + code.toString(16).toUpperCase().padStart(4, "0") + ">";
  });

  const el = (name, className, ...children) => {
    const node = document.createElement(name);
    if (className) node.className = className;
    for (const child of children) if (child !== null && child !== "") node.append(child instanceof Node ? child : visible(child));
    return node;
  };

  // A text with its spans [start, end, mark, note]; `onCite`, where given, makes citations open their sources.
  function marked(text, spans, onCite) {
    const nodes = [];
    let at = 0;
    for (const [start, end, mark, note] of spans || []) {
      if (start > at) nodes.push(visible(text.slice(at, start)));
      const node = el("mark", mark, text.slice(start, end));
      if (mark === "cite" && onCite) {
        node.title = "cites source " + note;
        node.tabIndex = 0;
        node.setAttribute("role", "link");
        node.addEventListener("click", () => onCite(note.split(",")));
        node.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.stopPropagation(); onCite(note.split(",")); } });
      } else node.title = mark === "lost" ? "cites a source that was not sent" : note;
      nodes.push(node);
      at = end;
    }
    nodes.push(visible(text.slice(at)));
    return nodes;
  }

  function theme() {
    const names = ["auto", "light", "dark"];
    const button = byId("theme");
    const apply = (name) => {
      document.documentElement.dataset.theme = name;
      button.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[name];
    };
    let stored = "auto";
    try { stored = localStorage.getItem("goldassay-theme") || "auto"; } catch { /* pages from disk may have no storage */ }
    apply(names.includes(stored) ? stored : "auto");
    button.hidden = false;
    button.addEventListener("click", () => {
      const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
      apply(next);
      try { localStorage.setItem("goldassay-theme", next); } catch { /* same */ }
    });
  }

  return { byId, el, marked, theme, visible };
})();
