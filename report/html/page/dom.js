// SPDX-License-Identifier: Apache-2.0
// Elements. Texts become text nodes: nothing that a trace names is ever read as markup.
{
  /** An element with properties (`class`, `on` for listeners, `data-`, `aria-` and others as attributes) and children:
   * elements, texts, or null for none. */
  kdiag.el = (tag, properties, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
      else if (name === "style") Object.assign(element.style, value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) element.append(child);
    return element;
  };

  kdiag.button = (text, action, properties) =>
    kdiag.el("button", {type: "button", on: {click: action}, ...properties}, text);

  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // a page from a file may not have the clipboard
      const area = kdiag.el("textarea", {class: "hidden"});
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  /** A button that copies what `text()` gives, and says so. */
  kdiag.copy_button = (title, text) => {
    const copied = kdiag.button(title, async () => {
      await copy(text());
      copied.textContent = "Copied";
      setTimeout(() => copied.textContent = title, 1500);
    });
    return copied;
  };

  /** A table in a box that scrolls. `right`: which columns hold quantities. */
  kdiag.table = (columns, right, rows) => {
    const cell = (tag, value, i, scope) => kdiag.el(tag, {class: right[i] ? "right" : null, scope}, value);
    return kdiag.el("div", {class: "scroll", tabindex: 0, role: "group", "aria-label": "table"},
      kdiag.el("table", {},
        kdiag.el("thead", {}, kdiag.el("tr", {}, columns.map((name, i) => cell("th", name, i, "col")))),
        kdiag.el("tbody", {}, rows.map(row => kdiag.el("tr", {}, row.map((value, i) => cell("td", value, i)))))));
  };

  kdiag.swatch = color => kdiag.el("span", {class: "swatch", style: {background: color}});

  kdiag.legend = (title, entries) => kdiag.el("ul", {class: "legend"}, title && kdiag.el("li", {class: "title"}, title),
    entries.map(([text, color]) => kdiag.el("li", {}, kdiag.swatch(color), text)));

  const tip = kdiag.el("div", {class: "tip", role: "presentation"});
  tip.hidden = true;
  /** Shows lines beside the pointer, the first of them in bold; without lines nothing. */
  kdiag.tip = (event, lines) => {
    tip.hidden = !lines;
    if (!lines) return;
    if (!tip.isConnected) document.body.append(tip);
    tip.replaceChildren(...lines.map((line, i) => kdiag.el("div", {}, i ? line : kdiag.el("b", {}, line))));
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + "px";
    tip.style.top = (event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 12 : event.clientY + 18) + "px";
  };

  const redraws = new Set();
  const redraw_all = () => redraws.forEach(redraw => redraw());
  for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", redraw_all);
  kdiag.set_theme = theme => {
    document.documentElement.dataset.theme = theme;
    redraw_all();
  };
  kdiag.is_dark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  kdiag.color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  kdiag.forget_drawings = () => redraws.clear();

  /** A canvas that `draw(context, width, height)` fills, again when its size or the theme changes. */
  kdiag.canvas = (height, label, draw) => {
    const canvas = kdiag.el("canvas", {role: "img", "aria-label": label});
    canvas.style.height = height + "px";
    const redraw = () => {
      const width = canvas.clientWidth;
      if (!width) return;
      kdiag.fit(canvas, width, height);
      draw(canvas.getContext("2d"), width, height);
    };
    redraws.add(redraw);
    new ResizeObserver(redraw).observe(canvas);
    return canvas;
  };
  kdiag.on_redraw = redraw => redraws.add(redraw);
  /** Gives a canvas as many pixels as the screen has for it, and clears it. */
  kdiag.fit = (canvas, width, height) => {
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
  };
}
