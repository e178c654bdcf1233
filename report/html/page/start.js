// SPDX-License-Identifier: Apache-2.0
// Makes the document of the data.
{
  const {el, button} = kdiag;
  const data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");

  const head = run => el("header", {class: "head"},
    el("h1", {}, data.product, run && run.label ? [": ", el("span", {class: "name"}, run.label)] : ""),
    data.notes.some(note => note.damage) && el("div", {class: "damage", role: "note"},
      data.notes.filter(note => note.damage).map(note => el("p", {}, el("b", {}, note.word + ": "), note.text))),
    [data.gates, data.policy].map(texts => texts.length > 0 && el("ul", {}, texts.map(text => el("li", {}, text)))),
    run && run.verdict && el("p", {class: "verdict", "data-severity": run.severity}, run.verdict),
    run && el("ul", {}, run.facts.map(fact => el("li", {}, fact))));

  const telemetry = run => run.telemetry.length > 0 && el("section", {}, el("h2", {id: "sampled"}, "What was sampled"),
    run.telemetry.map(one => el("p", {}, el("b", {}, one.device + ": "), one.phrases.join(" · "))));

  const work = run => run.work.length > 0 && el("section", {}, el("h2", {id: "operations"}, "Operations"),
    run.work.map(one => [el("p", {}, el("b", {}, one.device + ": "), one.phrases.join(" · ")),
      one.rows.length > 1 && el("details", {}, el("summary", {}, "Operators furthest above the least time that the device needs"),
        kdiag.table(one.rows[0], [false, true, true, true, true, false], one.rows.slice(1)))]));

  const recorded = run => run.recorded.length > 0 && el("section", {}, el("h2", {id: "recorded"}, "What was recorded"),
    el("ul", {}, run.recorded.map(phrase => el("li", {}, phrase))));

  const plan = plan => plan && el("div", {}, el("p", {}, plan.summary), el("ol", {}, plan.recordings.map(one => el("li", {},
    (one.settles === 0 ? "Needed for those below" : `Settles ${one.settles} ${one.settles === 1 ? "rule" : "rules"}`) + ` (${one.brings}): ${one.how}`,
    one.command && el("code", {class: "record"}, one.command), one.cost && el("div", {class: "soft small"}, one.cost)))));

  const cannot_tell = run => (run.cannot_tell.length > 0 || run.failed.length > 0) && el("section", {},
    el("h2", {id: "cannot-tell"}, "Cannot tell"), plan(run.plan),
    run.cannot_tell.map(group => el("details", {}, el("summary", {}, `${group.rules.length} ${group.rules.length === 1 ? "rule" : "rules"}: ${group.why}`),
      el("p", {class: "small"}, group.rules.map((rule, i) => [i ? ", " : "", el("code", {}, rule)])),
      group.record.map(text => el("code", {class: "record"}, text)))),
    run.failed.map(one => el("p", {}, "Failed: ", el("code", {}, one.rule), one.why && ": " + one.why)));

  const notes = () => data.notes.some(note => !note.damage) && el("section", {}, el("h2", {id: "notes"}, "Notes on the input"),
    el("ul", {}, data.notes.filter(note => !note.damage).map(note => el("li", {}, note.word + ": " + note.text))),
    data.notes_left_out > 0 && el("p", {class: "soft"}, `${data.notes_left_out} more notes are in the JSON report.`));

  const theme = () => button("Dark or light", () => kdiag.set_theme(kdiag.is_dark() ? "light" : "dark"), {class: "push"});

  const choice = (chosen, choose) => data.runs.length > 1 && el("label", {class: "push"}, "Run ",
    el("select", {on: {change: event => choose(Number(event.target.value))}},
      data.runs.map((run, i) => el("option", {value: i, selected: i === chosen}, run.name))),
    data.runs_left_out > 0 && ` and ${data.runs_left_out} more`);

  const links_to = sections => sections.map(section => section.querySelector("h2")).filter(Boolean)
    .map(title => el("a", {href: "#" + title.id}, title.textContent));
  /** Once what is on the page now can be seen. */
  const after_paint = action => requestAnimationFrame(() => setTimeout(action));

  let scrolled = false;
  const show_run = chosen => {
    const run = data.runs[chosen];
    const current = kdiag.current = {run, timeline: null, complete: false};
    kdiag.forget_drawings();
    const to_timeline = run && run.timeline && {show: finding => current.timeline && current.timeline.show(finding)};
    const first = (run ? [data.comparison && kdiag.comparison(data.comparison), kdiag.findings(run, to_timeline), kdiag.ledger(run), work(run), telemetry(run), recorded(run)]
      : [el("p", {}, "Nothing to judge: no input holds a run.")]).filter(Boolean);
    const links = el("span", {class: "links"}, links_to(first));
    page.replaceChildren(head(run), el("nav", {"aria-label": "Parts of the report"}, links, choice(chosen, show_run), theme()), ...first);
    after_paint(() => {
      if (kdiag.current !== current) return;  // another run was chosen meanwhile
      const timeline = current.timeline = run && run.timeline ? kdiag.timeline(run.timeline) : null;
      const others = [...(run ? [timeline && timeline.element, kdiag.steps(run, timeline), kdiag.tables(run, timeline), cannot_tell(run)] : []), notes()].filter(Boolean);
      page.append(...others);
      links.append(...links_to(others));
      if (!scrolled) document.getElementById(location.hash.slice(1))?.scrollIntoView();  // of an address that names a part
      scrolled = true;
      current.complete = true;
    });
  };

  // On paper nothing unfolds: evidence and advice are printed open.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...page.querySelectorAll(".card details:not([open])")];
    opened.forEach(part => part.open = true);
  });
  addEventListener("afterprint", () => opened.forEach(part => part.open = false));

  if (data.plans) page.replaceChildren(...kdiag.plan_page(data, theme()));
  else show_run(Math.max(0, data.runs.findIndex(run => run.judged)));
}
