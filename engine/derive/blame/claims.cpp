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

/// gc.collect is built in and has no file.
bool collects(std::string_view file, std::string_view function) { return function == "collect" && file.empty(); }

/// A blame that a host can claim, and how names tell it; calls tell theirs by their nature.
struct ClaimKind {
  Blame blame;
  bool (*is_range)(std::string_view name) = nullptr;  ///< of a range or an operator
  bool (*is_function)(std::string_view file, std::string_view function) = nullptr;
};

/// Of several at an instant the first counts.
constexpr ClaimKind claim_kinds[] = {
    {Blame::capture},
    {Blame::compile, names_compilation, compiles},
    {Blame::first_use},
    {Blame::gc, names_collection, collects},
};
constexpr std::uint8_t no_kind = std::size(claim_kinds);

/// The first kind of which `tells` holds, else no_kind.
template <class Tells>
std::uint8_t kind_that(Tells tells) {
  const auto* const found = std::find_if(std::begin(claim_kinds), std::end(claim_kinds), tells);
  return static_cast<std::uint8_t>(found - std::begin(claim_kinds));
}

/// Which kind each name of a range tells, found out once.
class RangeKinds {
 public:
  explicit RangeKinds(const StringPool& strings) : strings_(strings), known_(strings.size(), unseen) {}
  std::uint8_t operator[](std::uint32_t name) {
    if (name == absent_index) return no_kind;
    if (known_[name] == unseen)
      known_[name] =
          kind_that([&](const ClaimKind& kind) { return kind.is_range != nullptr && kind.is_range(strings_[name]); });
    return known_[name];
  }

 private:
  static constexpr std::uint8_t unseen = 0xFF;
  const StringPool& strings_;
  std::vector<std::uint8_t> known_;
};

/// What tells a claim; of one kind the first counts.
enum class ToldBy : std::uint8_t { range, function, call };
constexpr std::size_t sources = 3;

/// Claims by kind, what tells them, and rank slot.
class ClaimLists {
 public:
  explicit ClaimLists(std::uint32_t slots) {
    for (auto& kind : lists_)
      for (auto& source : kind) source.resize(slots);
  }

  /// A claim of an unknown rank is one of all of them.
  void add(std::uint8_t kind, ToldBy source, std::uint32_t slot, Interval span, std::uint32_t culprit,
           std::uint32_t call = absent_index) {
    std::vector<BlameClaims>& lists = lists_[kind][static_cast<std::size_t>(source)];
    const BlameClaim claim{span, claim_kinds[kind].blame, culprit, call};
    if (slot < lists.size()) return lists[slot].push_back(claim);
    for (BlameClaims& list : lists) list.push_back(claim);
  }

  /// As ClaimLists::add; the kind that has the blame.
  void add_call(Blame blame, std::uint32_t slot, Interval span, std::uint32_t culprit, std::uint32_t call) {
    add(kind_that([&](const ClaimKind& kind) { return kind.blame == blame; }), ToldBy::call, slot, span, culprit, call);
  }

  /// The claims of a rank slot, each instant by what counts of several.
  BlameClaims of(std::uint32_t slot, CancelFlag cancel) {
    BlameClaims out;
    for (auto& kind : lists_)
      for (std::size_t source = 0; source < sources; ++source) {
        stop_if(cancel);
        BlameClaims& claims = kind[source][slot];
        if (source == static_cast<std::size_t>(ToldBy::range)) claims = innermost(std::move(claims));
        else std::stable_sort(claims.begin(), claims.end(), begins_earlier);
        paint(out, claims);
      }
    return out;
  }

 private:
  std::vector<BlameClaims> lists_[std::size(claim_kinds)][sources];
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

void add_calls(const FactStore& store, ClaimLists& lists, CancelFlag cancel) {
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
    else
      lists.add_call(nature == CallNature::compile ? Blame::compile : Blame::first_use, slots[call], *span, names[call],
                     call);
  }
  if (captures.empty()) return;
  for (std::uint32_t call = 0; call < names.size(); ++call)
    if (const auto span = spans[call]) captures.seen(threads.empty() ? absent_index : threads[call], span->end);
  captures.each([&](std::uint32_t, std::uint32_t call, Interval span) {
    lists.add_call(Blame::capture, slots[call], span, names[call], call);
  });
}

struct NamedSpans {
  TableId of;
  ColumnId name, start, dur;
};

/// Ranges and operators by name: PyTorch records the phases of its compiler as operators, other tools as ranges.
void add_ranges(const FactStore& store, const NamedSpans& columns, ClaimLists& lists, CancelFlag cancel) {
  const SpanColumns spans{store.integers(columns.start), store.integers(columns.dur)};
  const auto names = store.indices(columns.name);
  if (spans.empty() || names.empty()) return;
  const RankSlots slots(store, columns.of);
  RangeKinds kinds(store.strings);
  for (std::uint32_t row = 0; row < names.size(); ++row) {
    if (row % 65536 == 0) stop_if(cancel);
    const std::uint8_t kind = kinds[names[row]];
    if (kind == no_kind) continue;
    if (const auto span = spans[row]) lists.add(kind, ToldBy::range, slots[row], *span, names[row]);
  }
}

void add_functions(const FactStore& store, ClaimLists& lists) {
  const SpanColumns spans{store.integers(column("python_calls.start")), store.integers(column("python_calls.dur"))};
  const auto frames = store.indices(column("python_calls.frame"));
  if (spans.empty() || frames.empty()) return;
  std::vector<std::uint8_t> kinds(store.rows(table("frames")));
  for (std::uint32_t frame = 0; frame < kinds.size(); ++frame) {
    const std::string_view file = store.text(column("frames.file"), frame);
    const std::string_view function = store.text(column("frames.function"), frame);
    kinds[frame] = kind_that(
        [&](const ClaimKind& kind) { return kind.is_function != nullptr && kind.is_function(file, function); });
  }
  const RankSlots slots(store, table("python_calls"));
  for (std::uint32_t row = 0; row < frames.size(); ++row) {
    const std::uint8_t kind = frames[row] == absent_index ? no_kind : kinds[frames[row]];
    if (kind == no_kind) continue;
    if (const auto span = spans[row])
      lists.add(kind, ToldBy::function, slots[row], *span, store.index(column("frames.function"), frames[row]));
  }
}

}  // namespace

std::vector<BlameClaims> claims_of_hosts(const FactStore& store, CancelFlag cancel) {
  const std::uint32_t slots = rank_slot_count(store);
  ClaimLists lists(slots);
  add_calls(store, lists, cancel);
  stop_if(cancel);
  add_ranges(store,
             {table("annotations"), column("annotations.name"), column("annotations.start"), column("annotations.dur")},
             lists, cancel);
  add_ranges(store, {table("ops"), column("ops.name"), column("ops.start"), column("ops.dur")}, lists, cancel);
  stop_if(cancel);
  add_functions(store, lists);
  std::vector<BlameClaims> out;
  for (std::uint32_t slot = 0; slot < slots; ++slot) out.push_back(lists.of(slot, cancel));
  return out;
}

}  // namespace kdiag
