// SPDX-License-Identifier: Apache-2.0
// The page of a plan: recordings as cards, the one that settles most first.
{
  const {el} = kdiag;

  const names = (title, texts) => texts.length > 0 && el("p", {class: "small"}, el("b", {}, title + " "),
    texts.map((text, i) => [i ? ", " : "", el("code", {}, text)]));

  const recording = (one, number) => el("article", {class: "card"},
    el("header", {}, el("h3", {}, `${number}. ${one.how}`), el("span", {class: "soft small"}, one.settled)),
    one.command && el("pre", {class: "record"}, one.command),
    one.command && el("div", {class: "bar"}, kdiag.copy_button("Copy the command", () => one.command)),
    one.cost && el("p", {class: "small"}, el("b", {}, "Costs "), one.cost),
    names("Brings", one.facts), names("Settles", one.settles));

  const open_rules = rules => rules.length > 0 && el("details", {open: true},
    el("summary", {}, `No recording that is known settles ${rules.length === 1 ? "this rule" : `these ${rules.length} rules`}`),
    el("ul", {}, rules.map(one => el("li", {}, el("code", {}, one.rule), one.reason && ": " + one.reason))));

  const one_plan = plan => el("section", {}, el("h2", {}, plan.summary),
    plan.recordings.map((one, i) => recording(one, i + 1)), open_rules(plan.open),
    plan.left_out > 0 && el("p", {class: "soft"}, `${plan.left_out} more are in the JSON document.`));

  /** The whole page, below the bar with `theme`. */
  kdiag.plan_page = (data, theme) => [
    el("header", {class: "head"}, el("h1", {}, data.product + ": what to record next")),
    el("nav", {"aria-label": "Page"}, theme),
    data.plans.length === 0 && el("p", {}, "Nothing to record: every rule that applies could tell."),
    ...data.plans.map(one_plan),
    data.plans_left_out > 0 && el("p", {class: "soft"}, `${data.plans_left_out} more runs are in the JSON document.`),
  ].filter(Boolean);
}
