// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/claims.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/text.hpp"
#include "engine/derive/rows/paint.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/timeline/call_nature.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

bool earlier(const BlameClaim& a, const BlameClaim& b) { return a.span.start < b.span.start; }

/// Claims of one kind, by rank slot.
using ClaimLists = std::vector<BlameClaims>;

/// Adds a claim to its slot; one of an unknown rank to all of them.
void add(ClaimLists& lists, std::uint32_t slot, const BlameClaim& claim) {
  if (slot < lists.size()) return lists[slot].push_back(claim);
  for (BlameClaims& list : lists) list.push_back(claim);
}

/// Whether each text of the store has a property, found out once.
template <class Has>
class TextFlags {
 public:
  TextFlags(const StringPool& strings, Has has) : strings_(strings), has_(has), known_(strings.size(), unseen) {}
  bool operator[](std::uint32_t id) {
    if (id == absent_index) return false;
    if (known_[id] == unseen) known_[id] = has_(strings_[id]) ? 1 : 0;
    return known_[id] == 1;
  }

 private:
  static constexpr std::uint8_t unseen = 2;
  const StringPool& strings_;
  Has has_;
  std::vector<std::uint8_t> known_;
};

/// Ranges in which torch.compile, Triton or XLA (JAX, TensorFlow) compiles.
bool names_compilation(std::string_view range) {
  constexpr std::string_view parts[] = {"dynamo_timed",     "entire_frame_compile", "compile_fx",
                                        "inductor_compile", "backend_compile",      "xlacompile"};
  const std::string name = lower(range);
  const std::size_t triton = name.find("triton");
  return (triton != std::string::npos && name.find("compil", triton) != std::string::npos) ||
         std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) { return contains(name, part); });
}

/// Ranges that are named after a collection of garbage.
bool names_collection(std::string_view range) {
  const std::string name = lower(range);
  if (name == "gc" || name == "python gc" || name.starts_with("gc.collect") || name.starts_with("gc_collect"))
    return true;
  const std::size_t garbage = name.find("garbage");
  return garbage != std::string::npos &&
         (name.find("collect", garbage) == garbage + std::string_view("garbage").size() ||
          name.find("collect", garbage) == garbage + std::string_view("garbage ").size());
}

bool ends_with_path(std::string_view file, std::string_view folder, std::string_view name) {
  if (!file.ends_with(name)) return false;
  file.remove_suffix(name.size());
  if (file.empty() || (file.back() != '/' && file.back() != '\\')) return false;
  file.remove_suffix(1);
  return file.ends_with(folder);
}

/// Python functions that compile. Compiled code runs through wrappers of the compiler, too; these are none.
bool compiles(std::string_view file, std::string_view function) {
  return ends_with_path(file, "_dynamo", "convert_frame.py") ||
         (function == "compile" && ends_with_path(file, "compiler", "compiler.py") && contains(file, "triton"));
}

struct HostLists {
  ClaimLists capture, compile_ranges, compile_functions, compile_calls, loads, collections;
};

/// From each call that begins a capture to the next one of its thread that ends one. What is still captured at the end
/// of the recording counts up to the last call of the thread.
class Captures {
 public:
  void note(std::uint32_t thread, std::uint32_t call, Interval span, CallNature nature) {
    events_[thread].push_back({span, call, nature});
  }
  void seen(std::uint32_t thread, std::int64_t end) {
    std::int64_t& last = last_.try_emplace(thread, end).first->second;
    last = std::max(last, end);
  }
  bool empty() const { return events_.empty(); }

  template <class Add>
  void each(Add add_span) {
    for (auto& [thread, events] : events_) {
      std::stable_sort(events.begin(), events.end(),
                       [](const Event& a, const Event& b) { return a.span.start < b.span.start; });
      const Event* open = nullptr;
      for (const Event& event : events) {
        if (event.nature == CallNature::begin_capture) {
          if (open == nullptr) open = &event;
        } else if (open != nullptr) {
          add_span(thread, open->call, Interval{open->span.start, event.span.end});
          open = nullptr;
        }
      }
      if (open != nullptr) add_span(thread, open->call, Interval{open->span.start, last_.at(thread)});
    }
  }

 private:
  struct Event {
    Interval span;
    std::uint32_t call;
    CallNature nature;
  };
  std::map<std::uint32_t, std::vector<Event>> events_;  // by thread
  std::unordered_map<std::uint32_t, std::int64_t> last_;
};

void add_calls(const FactStore& store, HostLists& lists, CancelFlag cancel) {
  const SpanColumns spans{store.integers(column("api.start")), store.integers(column("api.dur"))};
  const auto names = store.indices(column("api.name"));
  if (spans.empty() || names.empty()) return;
  const RankSlots slots(store, table("api"));
  const auto threads = store.indices(column("api.thread"));
  CallNatures natures(store);
  Captures captures;
  for (std::uint32_t call = 0; call < names.size(); ++call) {
    if (call % 65536 == 0) stop_if(cancel);
    const CallNature nature = natures.of(call);
    const bool marks = nature == CallNature::begin_capture || nature == CallNature::end_capture;
    if (!marks && nature != CallNature::compile && nature != CallNature::load) continue;
    const auto span = spans[call];
    if (!span) continue;
    if (marks) captures.note(threads.empty() ? absent_index : threads[call], call, *span, nature);
    else if (nature == CallNature::compile)
      add(lists.compile_calls, slots[call], {*span, Blame::compile, names[call], call});
    else add(lists.loads, slots[call], {*span, Blame::first_use, names[call], call});
  }
  if (captures.empty()) return;
  for (std::uint32_t call = 0; call < names.size(); ++call)
    if (const auto span = spans[call]) captures.seen(threads.empty() ? absent_index : threads[call], span->end);
  captures.each([&](std::uint32_t, std::uint32_t call, Interval span) {
    add(lists.capture, slots[call], {span, Blame::capture, names[call], call});
  });
}

struct NamedSpans {
  TableId of;
  ColumnId name, start, dur;
};

/// Ranges and operators by name: PyTorch records the phases of its compiler as operators, other tools as ranges.
void add_named(const FactStore& store, const NamedSpans& columns, HostLists& lists, CancelFlag cancel) {
  const SpanColumns spans{store.integers(columns.start), store.integers(columns.dur)};
  const auto names = store.indices(columns.name);
  if (spans.empty() || names.empty()) return;
  const RankSlots slots(store, columns.of);
  TextFlags compilation(store.strings, names_compilation);
  TextFlags collection(store.strings, names_collection);
  for (std::uint32_t row = 0; row < names.size(); ++row) {
    if (row % 65536 == 0) stop_if(cancel);
    const bool compiling = compilation[names[row]];
    if (!compiling && !collection[names[row]]) continue;
    const auto span = spans[row];
    if (!span) continue;
    if (compiling) add(lists.compile_ranges, slots[row], {*span, Blame::compile, names[row], absent_index});
    else add(lists.collections, slots[row], {*span, Blame::gc, names[row], absent_index});
  }
}

void add_functions(const FactStore& store, HostLists& lists) {
  const SpanColumns spans{store.integers(column("python_calls.start")), store.integers(column("python_calls.dur"))};
  const auto frames = store.indices(column("python_calls.frame"));
  if (spans.empty() || frames.empty()) return;
  std::vector<std::uint8_t> kinds(store.rows(table("frames")));  // 1: compiles, 2: collects
  bool any = false;
  for (std::uint32_t frame = 0; frame < kinds.size(); ++frame) {
    const std::string_view file = store.text(column("frames.file"), frame);
    const std::string_view function = store.text(column("frames.function"), frame);
    // gc.collect is built in and has no file.
    if (compiles(file, function)) kinds[frame] = 1;
    else if (function == "collect" && file.empty()) kinds[frame] = 2;
    any = any || kinds[frame] != 0;
  }
  if (!any) return;
  const RankSlots slots(store, table("python_calls"));
  for (std::uint32_t row = 0; row < frames.size(); ++row) {
    if (frames[row] == absent_index || kinds[frames[row]] == 0) continue;
    const auto span = spans[row];
    if (!span) continue;
    const bool compiling = kinds[frames[row]] == 1;
    add(compiling ? lists.compile_functions : lists.collections, slots[row],
        {*span, compiling ? Blame::compile : Blame::gc, store.index(column("frames.function"), frames[row]),
         absent_index});
  }
}

// --- Slow launches --------------------------------------------------------------------------------------------------

/// Which slow launches are first ones: by row of `api`.
class FirstLaunches {
 public:
  /// `slow` holds the slow launches by call.
  FirstLaunches(const FactStore& store, const std::unordered_map<std::uint32_t, std::int64_t>& slow) {
    const auto launches = store.indices(column("kernels.launch"));
    const auto names = store.indices(column("kernels.name"));
    const auto devices = store.indices(column("kernels.device"));
    const auto starts = store.integers(column("api.start"));
    if (launches.empty() || names.empty() || starts.empty()) return;
    const auto key_of = [&](std::size_t row) {
      return std::pair(names[row], devices.empty() ? absent_index : devices[row]);
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Launches> kernels;  // by name and device, of slow launches
    std::vector<bool> is_slow(store.strings.size());
    for (std::size_t row = 0; row < launches.size(); ++row) {
      if (launches[row] == absent_index || names[row] == absent_index || !slow.contains(launches[row])) continue;
      Launches& of = kernels.try_emplace(key_of(row)).first->second;
      const std::int64_t start = starts[launches[row]];
      of.first_slow = std::min(of.first_slow, start);
      of.last_slow = std::max(of.last_slow, start);
      is_slow[names[row]] = true;
    }
    if (kernels.empty()) return;
    for (std::size_t row = 0; row < launches.size(); ++row) {
      if (launches[row] == absent_index || names[row] == absent_index || !is_slow[names[row]]) continue;
      const auto found = kernels.find(key_of(row));
      if (found != kernels.end()) found->second.first = std::min(found->second.first, starts[launches[row]]);
    }
    for (std::size_t row = 0; row < launches.size(); ++row) {
      if (launches[row] == absent_index || names[row] == absent_index || !slow.contains(launches[row])) continue;
      const Launches& of = kernels.at(key_of(row));
      bool& first = first_.try_emplace(launches[row], false).first->second;
      first = first || (of.first_slow == of.last_slow && of.first == starts[launches[row]]);
    }
  }

  /// Whether kernels of the launch are known.
  bool knows(std::uint32_t call) const { return first_.contains(call); }
  bool operator[](std::uint32_t call) const { return first_.at(call); }

 private:
  struct Launches {
    std::int64_t first = latest_instant, first_slow = latest_instant, last_slow = -latest_instant;
  };
  std::unordered_map<std::uint32_t, bool> first_;
};

}  // namespace

std::vector<BlameClaims> claims_of_hosts(const FactStore& store, CancelFlag cancel) {
  const std::uint32_t slots = rank_slot_count(store);
  HostLists lists;
  ClaimLists* const in_order[] = {&lists.capture,       &lists.compile_ranges, &lists.compile_functions,
                                  &lists.compile_calls, &lists.loads,          &lists.collections};
  for (ClaimLists* list : in_order) list->resize(slots);
  add_calls(store, lists, cancel);
  stop_if(cancel);
  add_named(store,
            {table("annotations"), column("annotations.name"), column("annotations.start"), column("annotations.dur")},
            lists, cancel);
  add_named(store, {table("ops"), column("ops.name"), column("ops.start"), column("ops.dur")}, lists, cancel);
  for (BlameClaims& claims : lists.compile_ranges) claims = innermost(std::move(claims));
  stop_if(cancel);
  add_functions(store, lists);
  std::vector<BlameClaims> out(slots);
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    for (ClaimLists* list : in_order) {
      stop_if(cancel);
      BlameClaims& claims = (*list)[slot];
      std::stable_sort(claims.begin(), claims.end(), earlier);
      paint(out[slot], claims);
    }
  return out;
}

std::vector<BlameClaims> slow_launches(const FactStore& store, CancelFlag cancel) {
  std::vector<BlameClaims> by_thread(store.rows(table("threads")));
  const SpanColumns spans{store.integers(column("api.start")), store.integers(column("api.dur"))};
  const auto threads = store.indices(column("api.thread"));
  const auto is_launch = store.indices(column("api.is_launch"));
  if (spans.empty() || threads.empty() || is_launch.empty()) return by_thread;
  CallNatures natures(store);
  std::unordered_map<std::uint32_t, std::int64_t> launches;  // slow ones: start by call
  for (std::uint32_t call = 0; call < is_launch.size(); ++call) {
    if (is_launch[call] != 1 || threads[call] == absent_index || spans.dur[call] <= slow_copy) continue;
    const auto span = spans[call];
    if (!span) continue;
    const CallNature nature = natures.of(call);
    if (nature == CallNature::fill || (nature != CallNature::copy && span->length() <= slow_launch)) continue;
    const bool copy = nature == CallNature::copy;
    by_thread[threads[call]].push_back(
        {*span, copy ? Blame::copy_call : Blame::slow_call, store.index(column("api.name"), call), call});
    if (!copy) launches.emplace(call, span->start);
  }
  stop_if(cancel);
  if (!launches.empty()) {
    const FirstLaunches first(store, launches);
    const RankSlots slots(store, table("api"));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> unknown;  // calls by name and rank slot
    const auto key_of = [&](std::uint32_t call) {
      return std::pair(store.index(column("api.name"), call), slots[call]);
    };
    for (const auto& [call, start] : launches)
      if (!first.knows(call)) ++unknown[key_of(call)];
    for (BlameClaims& claims : by_thread)
      for (BlameClaim& claim : claims) {
        if (claim.blame != Blame::slow_call) continue;
        const bool is_first = first.knows(claim.call) ? first[claim.call] : unknown.at(key_of(claim.call)) == 1;
        if (is_first) claim.blame = Blame::first_use;
        const std::uint32_t op = store.index(column("api.op"), claim.call);
        if (op != absent_index) claim.culprit = store.index(column("ops.name"), op);
      }
  }
  for (BlameClaims& claims : by_thread) {
    std::stable_sort(claims.begin(), claims.end(), earlier);
    BlameClaims disjoint;
    paint(disjoint, claims);
    claims = std::move(disjoint);
  }
  return by_thread;
}

}  // namespace kdiag
