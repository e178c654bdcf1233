// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_json.hpp"

#include <utility>

namespace kdiag::report {
namespace {

void write_side(JsonWriter& json, std::string_view name, const CycleSide& side) {
  json.object(name, [&] {
    json.member("count", side.count);
    json.member("mean_ns", side.mean_ns);
    json.member("p90_ns", side.p90_ns);
    for (const auto& [name_of_list, list] : {std::pair("outliers", &side.outliers), std::pair("edges", &side.edges)})
      json.list(name_of_list, *list, [&](const OutlierCycle& cycle) {
        json.object(Layout::line, [&] {
          json.member("index", cycle.index);
          json.member("ns", cycle.ns);
        });
      });
    json.array("times_ns", Layout::line, [&] {
      for (const std::int64_t ns : side.times_ns) json.value(ns);
    });
  });
}

void write_cycle(JsonWriter& json, const CycleEntry& cycle) {
  json.object("cycle", [&] {
    json.member("normal_ns", cycle.normal_ns);
    json.member("abnormal_ns", cycle.abnormal_ns);
    json.member("change", cycle.change);
    json.member("noise_floor", cycle.noise_floor);
    json.member("p", cycle.p);
    json.text_or_null("floor_basis", name_of(cycle.floor_basis));
    json.text_or_null("basis", name_of(cycle.basis));
    json.text_or_null("name", cycle.name);
    json.text_or_null("name_normal", cycle.name_normal);
    json.member("work_ratio", cycle.work_ratio);
    if (cycle.per)
      json.object("per", Layout::line, [&] {
        json.member("unit", cycle.per->unit);
        json.member("normal", cycle.per->normal);
        json.member("abnormal", cycle.per->abnormal);
      });
    json.member("mean_change", cycle.mean_change);
    json.member("tail_change", cycle.tail_change);
    json.member("paired_change", cycle.paired_change);
    json.member("paired_p", cycle.paired_p);
    json.member("shift_change", cycle.shift_change);
    write_side(json, "normal", cycle.normal);
    write_side(json, "abnormal", cycle.abnormal);
  });
}

void write_comparability(JsonWriter& json, const ComparabilityEntry& comparability) {
  json.object("comparability", [&] {
    json.member("score", comparability.score);
    json.text_or_null("obstacle", comparability.obstacle);
    json.text_or_null("record", comparability.record);
    json.list("differences", comparability.differences, [&](const DifferenceEntry& difference) {
      json.object(Layout::line, [&] {
        json.member("what", difference.what);
        json.member("normal", difference.normal);
        json.member("abnormal", difference.abnormal);
        json.member("weight", difference.weight);
      });
    });
  });
}

void write_part(JsonWriter& json, const DecompositionEntry& part) {
  json.object(part.parts.empty() ? Layout::line : Layout::lines, [&] {
    json.member("name", part.name);
    json.member("delta_ns", part.delta_ns);
    json.member("share", part.share);
    json.member("normal_ns", part.normal_ns);
    json.member("abnormal_ns", part.abnormal_ns);
    json.text_or_null("verdict", part.verdict ? name_of(*part.verdict) : "");
    json.member("shift_ns", part.shift_ns);
    json.member("p", part.p);
    json.member("q", part.q);
    json.list("parts", part.parts, [&](const DecompositionEntry& inner) { write_part(json, inner); });
  });
}

void write_function(JsonWriter& json, const FunctionEntry& row) {
  json.object(Layout::line, [&] {
    json.member("function", row.function);
    json.text_or_null("metric", row.metric);
    json.text_or_null("device", row.device);
    json.member("suspicion", row.suspicion);
    json.member("beta_normal", row.beta_normal);
    json.member("beta_abnormal", row.beta_abnormal);
    json.member("z_beta", row.z_beta);
    json.member("p_beta", row.p_beta);
    json.member("u_beta", row.u_beta);
    json.member("mu_normal", row.mu_normal);
    json.member("mu_abnormal", row.mu_abnormal);
    json.member("z_mu", row.z_mu);
    json.member("z_log_mu", row.z_log_mu);
    json.member("p_mu", row.p_mu);
    json.member("u_mu", row.u_mu);
    json.member("q", row.q);
    json.member("effect", row.effect);
    json.member("beta_change_low", row.beta_change_low);
    json.member("beta_change_high", row.beta_change_high);
    json.member("mu_change_low", row.mu_change_low);
    json.member("mu_change_high", row.mu_change_high);
    json.member("q_mu", row.q_mu);
    json.member("effect_mu", row.effect_mu);
    json.member("z_beta_resolution", row.z_beta_resolution);
    json.member("z_mu_resolution", row.z_mu_resolution);
    json.member("suspicion_resolution", row.suspicion_resolution);
    json.member("cycles_normal", row.cycles_normal);
    json.member("cycles_abnormal", row.cycles_abnormal);
    json.text_or_null("match", row.match);
    json.text_or_null("time_kind", row.time_kind);
  });
}

void write_decomposed(JsonWriter& json, const DecompositionBasis& basis) {
  json.object("decomposed", Layout::line, [&] {
    json.text_or_null("of", name_of(basis.of));
    json.text_or_null("basis", name_of(basis.basis));
    json.member("rank", basis.rank);
    json.member("device", basis.device);
    const bool known = basis.basis != LedgerBasis::none;
    json.member("normal_ns", known ? std::optional(basis.normal_ns) : std::nullopt);
    json.member("abnormal_ns", known ? std::optional(basis.abnormal_ns) : std::nullopt);
    json.member("delta_ns", known ? std::optional(basis.delta_ns) : std::nullopt);
  });
}

void write_change(JsonWriter& json, const ChangeEntry& change) {
  json.object(Layout::line, [&] {
    json.member("kind", name_of(change.kind));
    json.member("name", change.name);
    json.member("change", name_of(change.change));
    json.member("calls_normal", change.calls_normal);
    json.member("calls_abnormal", change.calls_abnormal);
    json.member("mean_normal_ns", change.mean_normal_ns);
    json.member("mean_abnormal_ns", change.mean_abnormal_ns);
    json.member("delta_ns", change.delta_ns);
    json.member("waits", change.waits);
  });
}

void write_fate(JsonWriter& json, const FindingChange& fate) {
  json.object([&] {
    json.member("rule", fate.rule);
    json.member("title", fate.title);
    json.object("subject", Layout::line, [&] {
      json.member("kind", fate.subject.kind);
      json.member("id", fate.subject.id);
      json.member("label", fate.subject.label);
    });
    json.member("fate", name_of(fate.fate));
    json.text_or_null("to", fate.to);
    json.text_or_null("reason", fate.reason);
    json.member("before_ns", fate.before_ns);
    json.member("after_ns", fate.after_ns);
    json.member("predicted_low_ns", fate.predicted_low_ns);
    json.member("predicted_high_ns", fate.predicted_high_ns);
    json.member("achieved_ns", fate.achieved_ns);
    json.member("gained_ns", fate.gained_ns);
    json.member("within_noise", fate.within_noise);
    json.text_or_null("verify", fate.verify);
    json.member("verified", fate.verified);
    json.text_or_null("asked", fate.verify_text);
  });
}

void write_healthy(JsonWriter& json, const HealthyRuns& healthy) {
  json.object("healthy", [&] {
    json.list("runs", healthy.runs, [&](const HealthyRun& run) {
      json.object(Layout::line, [&] {
        json.member("id", run.id);
        json.member("label", run.label);
        json.member("cycle_ns", run.cycle_ns);
        json.member("alarm", run.alarm);
      });
    });
    json.member("low_ns", healthy.low_ns);
    json.member("high_ns", healthy.high_ns);
    json.member("left_out", healthy.left_out);
    json.member("alarms", healthy.alarms);
    json.member("confirmed", healthy.confirmed);
    json.text_or_null("reason", healthy.reason);
  });
}

}  // namespace

void write_comparison(JsonWriter& json, const Comparison& comparison) {
  json.object("comparison", [&] {
    json.member("verdict", name_of(comparison.verdict));
    write_cycle(json, comparison.cycle);
    write_comparability(json, comparison.comparability);
    json.list("decomposition", comparison.decomposition,
              [&](const DecompositionEntry& part) { write_part(json, part); });
    json.list("functions", comparison.functions, [&](const FunctionEntry& row) { write_function(json, row); });
    json.member("reason", comparison.reason);
    json.member("normal", comparison.normal);
    json.member("abnormal", comparison.abnormal);
    json.member("nature", name_of(comparison.nature));
    write_decomposed(json, comparison.decomposed);
    json.list("changes", comparison.changes, [&](const ChangeEntry& change) { write_change(json, change); });
    json.list("unchanged", comparison.unchanged, [&](const std::string& what) { json.value(what); });
    json.list("fates", comparison.finding_changes, [&](const FindingChange& fate) { write_fate(json, fate); });
    write_healthy(json, comparison.healthy);
  });
}

}  // namespace kdiag::report
