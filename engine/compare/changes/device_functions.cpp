// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/device_functions.hpp"

#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "engine/compare/statistics/sample.hpp"
#include "engine/facts/device_labels.hpp"
#include "engine/facts/function_class.hpp"

namespace kdiag {
namespace {

ChangeRowKind like_kind(FunctionClass of) {
  switch (of) {
    case FunctionClass::communication: return ChangeRowKind::collective;
    case FunctionClass::copy: return ChangeRowKind::transfer;
    case FunctionClass::compute: break;
  }
  return ChangeRowKind::launch;
}

struct FunctionTotal {
  double calls = 0, total = 0;
};

struct DeviceCycles {
  std::map<std::string_view, FunctionTotal> functions;
  std::set<std::int64_t> cycles;
};

DeviceCycles functions_at(const FactStore& store, std::span<const std::uint32_t> rows) {
  DeviceCycles out;
  for (const std::uint32_t row : rows) {
    if (store.index(column("functions.device"), row) == absent_index) continue;
    const std::int64_t calls = store.integer(column("functions.calls"), row);
    const std::int64_t total = store.integer(column("functions.total"), row);
    out.cycles.insert(store.integer(column("functions.cycle"), row));
    if (calls == absent_integer || total == absent_integer || calls < 0 || total < 0) continue;
    FunctionTotal& function = out.functions[store.text(column("functions.name"), row)];
    function.calls += static_cast<double>(calls);
    function.total += static_cast<double>(total);
  }
  return out;
}

Change function_change(std::string_view name, const ComparedPlace& place) {
  const FunctionClass of = class_of_function(name);
  return {.kind = of == FunctionClass::copy ? ChangeRowKind::copy : ChangeRowKind::kernel,
          .name = std::string(name),
          .group = of == FunctionClass::communication ? "communication" : "",
          .device = place.device,
          .rank = place.rank,
          .basis = ChangeBasis::cycle};
}

/// The share of a cycle that a function has in both runs, over the rows of its metrics.
struct ReportedShare {
  double now = 0, before = 0;
  std::size_t rows_now = 0, rows_before = 0;
};
using SharesByName = std::map<std::string_view, ReportedShare>;

void add_reported(std::vector<Change>& out, const SharesByName& functions, std::uint32_t device,
                  const FactStore& store) {
  std::vector<double> growth;
  for (const auto& [name, share] : functions)
    if (class_of_function(name) == FunctionClass::compute && share.before > 0)
      growth.push_back(share.now / share.before);
  const auto others = statistics::median(growth);
  for (const auto& [name, share] : functions) {
    if (share.before <= 0) continue;
    const FunctionClass of = class_of_function(name);
    Change change{.kind = like_kind(of),
                  .name = std::string(name),
                  .group = of == FunctionClass::communication ? "communication" : "",
                  .device = device,
                  .rank = device == absent_index ? absent_index : store.index(column("devices.rank"), device),
                  .basis = ChangeBasis::report,
                  .present = ChangePresent::both,
                  .share = share.now,
                  .alike = true,
                  .missing = "kernel_stats functions"};
    if (others) change.share_before = share.before * *others;
    out.push_back(std::move(change));
  }
}

/// By device of the run; absent_index: of none that it has.
std::map<std::uint32_t, SharesByName> reported_shares(const FactStore& run, CancelFlag cancel) {
  std::map<std::uint32_t, SharesByName> out;
  const DeviceLabels devices(run);
  for (std::uint32_t row = 0; row < run.rows(table("comparisons")); ++row) {
    stop_if(cancel);
    const std::string_view label = run.text(column("comparisons.device"), row);
    const double now = run.real(column("comparisons.beta_abnormal"), row);
    const double before = run.real(column("comparisons.beta_normal"), row);
    const std::string_view name = run.text(column("comparisons.function"), row);
    if (label.empty() || label == "Host" || name.empty()) continue;
    std::vector<std::uint32_t> named = devices.named(label);
    if (named.empty()) named.push_back(absent_index);
    for (const std::uint32_t device : named) {
      ReportedShare& share = out[device][name];
      if (!std::isnan(now)) share.now += now, ++share.rows_now;
      if (!std::isnan(before)) share.before += before, ++share.rows_before;
    }
  }
  return out;
}

}  // namespace

std::vector<Change> cycle_changes(const ComparedRuns& runs, const ComparedPlace& place) {
  const DeviceCycles now = functions_at(runs.run, runs.rows.on_device(table("functions"), place.device));
  const DeviceCycles before =
      functions_at(runs.baseline, runs.rows_before.on_device(table("functions"), place.device_before));
  std::vector<Change> out;
  if (now.cycles.empty() || before.cycles.empty()) return out;
  const double work = runs.run.real(column("runs.cycle_work"), 0);  // of a cycle here over one there
  const double as_long = (std::isnan(work) ? 1 : work) * static_cast<double>(now.cycles.size()) /
                         static_cast<double>(before.cycles.size());
  for (const auto& [name, function] : now.functions) {
    Change change = function_change(name, place);
    const auto other = before.functions.find(name);
    const FunctionTotal then = other == before.functions.end() ? FunctionTotal{} : other->second;
    change.present = other == before.functions.end() ? ChangePresent::now : ChangePresent::both;
    change.calls = function.calls;
    change.calls_before = then.calls * as_long;
    change.each = over(function.total, function.calls);
    change.each_before = over(then.total, then.calls);
    change.total = function.total;
    change.total_before = then.total * as_long;
    out.push_back(std::move(change));
  }
  for (const auto& [name, function] : before.functions) {
    if (now.functions.count(name) > 0) continue;
    Change change = function_change(name, place);
    change.present = ChangePresent::before;
    change.calls = change.total = 0;
    change.calls_before = function.calls * as_long;
    change.each_before = over(function.total, function.calls);
    change.total_before = function.total * as_long;
    out.push_back(std::move(change));
  }
  return out;
}

LikeForLike like_functions(const std::vector<Change>& functions, ChangeRowKind kind, const ComparedPlace& place) {
  LikeForLike out;
  bool any_now = false, any_of_kind = false;
  for (const Change& function : functions) {
    const bool now = function.present != ChangePresent::before;
    const bool of_kind = like_kind(class_of_function(function.name)) == kind;
    any_now = any_now || now;
    any_of_kind = any_of_kind || (now && of_kind);
    if (!of_kind || function.present != ChangePresent::both || !function.each || !function.each_before) continue;
    out.rows.push_back(function);
    Change& change = out.rows.back();
    change.kind = kind;
    change.alike = about_as_often(*function.calls, *function.calls_before);
    set_shares(change, function.calls, place.wall);
  }
  const bool none_of_kind = any_now && !any_of_kind && kind != ChangeRowKind::launch;
  out.known = !out.rows.empty() || none_of_kind;
  return out;
}

std::vector<Change> reported_changes(const FactStore& run, CancelFlag cancel) {
  std::vector<Change> out;
  std::map<std::uint32_t, SharesByName> by_device = reported_shares(run, cancel);
  for (auto& [device, functions] : by_device) {
    for (auto& [name, share] : functions) {
      if (share.rows_now > 0) share.now /= static_cast<double>(share.rows_now);
      if (share.rows_before > 0) share.before /= static_cast<double>(share.rows_before);
    }
    add_reported(out, functions, device, run);
  }
  return out;
}

}  // namespace kdiag
