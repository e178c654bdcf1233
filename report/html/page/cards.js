// SPDX-License-Identifier: Apache-2.0
// A finding as a card: cause, impact with its range, evidence, advice, and the symptoms that it explains.
{
  const {el, button} = kdiag;

  const impact_bar = finding => {
    if (!finding.share) return null;
    const [low, high] = finding.share.map(share => Math.max(0, Math.min(1, share)) * 100);
    return el("div", {class: "impact", role: "img", "aria-label": "impact: " + finding.impact},
      el("i", {class: "most", style: {width: high + "%"}}), el("i", {class: "least", style: {width: low + "%"}}));
  };

  const link = url => /^https?:\/\//.test(url) ? el("a", {href: url, rel: "noreferrer noopener", target: "_blank"}, url) : url;

  const advice = entry => el("li", {}, entry.text,
    entry.where && el("div", {class: "soft small"}, "Where: " + entry.where),
    entry.risk && el("div", {class: "soft small"}, "Risk: " + entry.risk),
    entry.verify && el("details", {class: "small"}, el("summary", {}, "How to verify"), el("code", {}, entry.verify)),
    entry.url && el("div", {class: "small"}, "See ", link(entry.url)));

  const evidence = finding => [
    finding.values.length > 0 && kdiag.table(["evidence", "value"], [false, true], finding.values.map(([name, value]) =>
      [name, value])),
    ...finding.tables.map(table => [
      el("h4", {}, table.name),
      kdiag.table(table.columns, table.right, table.rows.map(row =>
        row.map((cell, i) => table.right[i] ? cell : el("span", {class: "name"}, cell)))),
      table.others && el("p", {class: "soft small"}, table.others)]).flat(),
  ];

  const show_button = (finding, timeline) => {
    if (!timeline || finding.intervals.length === 0) return null;
    return button("Show on timeline", () => timeline.show(finding), {class: "show", "data-rule": finding.rule});
  };

  /** `lead`: what stands before the title of a card that is not in the list of findings. */
  const card = (finding, timeline, symptom, lead = "explains: ") => {
    const figures = [finding.subject, finding.impact, finding.gain, finding.confidence, finding.known].filter(Boolean).join(" · ");
    return el("article", {class: "card", "data-severity": finding.severity, "data-rule": finding.rule,
      id: symptom ? null : "finding-" + finding.rank},
      el("header", {},
        el("h3", {}, el("span", {class: "severity", "data-severity": finding.severity}, finding.severity),
          symptom ? lead : "", finding.title),
        show_button(finding, timeline)),
      el("p", {class: "soft small"}, figures),
      impact_bar(finding),
      finding.waived && el("p", {}, el("b", {}, "Waived "), finding.waived),
      finding.message && el("p", {}, finding.message),
      finding.location && el("p", {}, "At ", el("code", {}, finding.location)),
      finding.also && el("p", {class: "soft small"}, finding.also),
      finding.advice.length > 0 && el("ul", {class: "advice"}, finding.advice.map(advice)),
      (finding.values.length > 0 || finding.tables.length > 0) &&
        el("details", {}, el("summary", {}, "Evidence"), ...evidence(finding)),
      el("p", {class: "soft small"}, "Rule ", el("code", {}, finding.rule),
        finding.source && [" in ", el("code", {}, finding.source)],
        finding.fingerprint && [" · ", el("code", {}, finding.fingerprint)]),
      finding.symptoms.map(one => card(one, timeline, true)),
      finding.symptoms_total > finding.symptoms.length &&
        el("p", {class: "soft small"}, `and ${finding.symptoms_total - finding.symptoms.length} more symptoms`));
  };

  kdiag.findings = (run, timeline) => el("section", {},
    el("h2", {id: "findings"}, "Findings"),
    run.findings.length === 0 && el("p", {class: "soft"}, run.judged ? "No rule fired." : "This run was not judged."),
    run.findings.map(finding => card(finding, timeline, false)),
    run.waived.length > 0 && el("details", {}, el("summary", {}, `Waived (${run.waived.length + run.waived_left_out})`),
      run.waived.map(finding => card(finding, timeline, true, ""))),
    run.findings_left_out > 0 && el("p", {class: "soft"}, `${run.findings_left_out} more findings are in the JSON report.`));
}
