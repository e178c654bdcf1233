// SPDX-License-Identifier: Apache-2.0
#include "ingest/merge_views.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <kdiag/note_ids.hpp>

#include "base/text.hpp"
#include "engine/facts/batch_data.hpp"
#include "engine/facts/note_table.hpp"
#include "ingest/align.hpp"
#include "ingest/collect_sink.hpp"
#include "ingest/fill_columns.hpp"

namespace kdiag {
namespace {

struct Totals {
  TableId totals, events;
};
constexpr Totals totals_of[] = {{table("kernel_stats"), table("kernels")},
                                {table("api_stats"), table("api")},
                                {table("copy_stats"), table("copies")},
                                {table("op_stats"), table("ops")}};

/// The column by which rows of a table are told apart, if it has one.
ColumnId name_column(TableId id) {
  for (const std::string_view name : {"name", "op", "series", "kind"})
    if (const ColumnId found = find_column(info(id).name, name); found.valid()) return found;
  return {};
}

ColumnId start_column(TableId id) {
  const ColumnId start = find_column(info(id).name, "start");
  return start.valid() ? start : find_column(info(id).name, "time");
}

template <class Values>
const Values* column_of(const Batch& batch, ColumnId id) {
  return id.valid() ? std::get_if<Values>(&batch.data().columns[id.index]) : nullptr;
}

using Indices = std::vector<std::uint32_t>;
using Integers = std::vector<std::int64_t>;

/// What a view has of one table.
struct Content {
  std::uint64_t rows = 0;
  bool timed = false;
};

Content content_of(const Fragment& fragment, TableId id) {
  Content content;
  for (const auto& [sequence, batch] : fragment.batches) {
    content.rows += batch.data().rows[id.index];
    const auto* starts = column_of<Integers>(batch, start_column(id));
    content.timed = content.timed || (starts != nullptr && std::any_of(starts->begin(), starts->end(),
                                                                       [](auto t) { return t != absent_integer; }));
    // Collectives may leave their times to their kernels.
    if (id == table("comms")) content.timed = content.timed || column_of<Indices>(batch, column("comms.kernel"));
  }
  return content;
}

/// The values of a column, each once; a column has few of them and many rows.
Indices distinct(const Indices& column) {
  Indices values;
  std::vector<bool> seen;
  for (const std::uint32_t value : column) {
    if (value == absent_index) continue;
    if (value >= seen.size()) seen.resize(std::size_t{value} + 1);
    if (!seen[value]) values.push_back(value);
    seen[value] = true;
  }
  return values;
}

std::set<std::string> names_of(const Fragment& fragment, TableId id) {
  std::set<std::string> names;
  for (const auto& [sequence, batch] : fragment.batches) {
    const auto* texts = column_of<Indices>(batch, name_column(id));
    if (texts == nullptr) continue;
    for (const std::uint32_t text : distinct(*texts)) names.emplace(batch.data().strings[text]);
  }
  return names;
}

/// Numbers of the devices that rows of a table name.
std::set<std::int64_t> devices_of(const Fragment& fragment, TableId id) {
  std::set<std::int64_t> numbers;
  for (const auto& [sequence, batch] : fragment.batches) {
    const auto* rows = column_of<Indices>(batch, find_column(info(id).name, "device"));
    if (rows == nullptr) continue;
    for (const std::uint32_t row : distinct(*rows))
      numbers.insert(batch.data().entity_keys[table("devices").index][row].first);
  }
  return numbers;
}

std::optional<Interval> span_of(const Fragment& fragment, TableId id) {
  std::optional<Interval> span;
  for (const auto& [sequence, batch] : fragment.batches) {
    const auto* starts = column_of<Integers>(batch, start_column(id));
    if (starts == nullptr) continue;
    const auto* durations = column_of<Integers>(batch, find_column(info(id).name, "dur"));
    for (std::size_t row = 0; row < starts->size(); ++row) {
      const std::int64_t start = (*starts)[row];
      if (!is_instant(start)) continue;
      const std::int64_t dur = durations != nullptr && row < durations->size() ? (*durations)[row] : 0;
      span = hull(span, {start, dur > 0 && is_instant(dur) ? add_times(start, dur) : start});
    }
  }
  return span;
}

template <class T>
bool disjoint(const std::set<T>& a, const std::set<T>& b) {
  return std::none_of(a.begin(), a.end(), [&b](const T& value) { return b.contains(value); });
}

/// Whether most of the shorter time lies within the longer.
bool same_time(const std::optional<Interval>& a, const std::optional<Interval>& b) {
  if (!a || !b) return true;
  const std::int64_t shared = std::min(a->end, b->end) - std::max(a->start, b->start);
  return shared >= 0 && shared >= std::min(a->length(), b->length()) / 2;
}

Integers starts_of(const Fragment& fragment, TableId id) {
  Integers all;
  for (const auto& [sequence, batch] : fragment.batches)
    if (const auto* starts = column_of<Integers>(batch, start_column(id)))
      std::copy_if(starts->begin(), starts->end(), std::back_inserter(all), [](auto t) { return is_instant(t); });
  std::sort(all.begin(), all.end());
  return all;
}

/// Whether most rows of the smaller view begin when one of the other does.
bool same_starts(const Fragment& a, const Fragment& b, TableId id) {
  Integers few = starts_of(a, id), many = starts_of(b, id);
  if (few.size() > many.size()) std::swap(few, many);
  constexpr std::int64_t rounding = 2000;  // ns: texts state tenths of a us
  const auto met = std::count_if(few.begin(), few.end(), [&many](std::int64_t start) {
    const auto next = std::lower_bound(many.begin(), many.end(), start - rounding);
    return next != many.end() && *next <= start + rounding;
  });
  return !few.empty() && 2 * met >= static_cast<std::ptrdiff_t>(few.size());
}

/// Whether two views state the same rows of a table: they have names in common, in the same time. Files of one form may
/// also be of one device each; but not every file knows the device's number, so that the instants must differ too.
bool say_the_same(const Fragment& a, const Fragment& b, TableId id) {
  const std::set<std::string> names_a = names_of(a, id), names_b = names_of(b, id);
  if (!names_a.empty() && !names_b.empty() && disjoint(names_a, names_b)) return false;
  if (a.info.clock == b.info.clock && !same_time(span_of(a, id), span_of(b, id))) return false;
  const std::set<std::int64_t> devices_a = devices_of(a, id), devices_b = devices_of(b, id);
  const bool devices_differ = !devices_a.empty() && !devices_b.empty() && disjoint(devices_a, devices_b);
  return a.adapter != b.adapter || !devices_differ || same_starts(a, b, id);
}

/// Takes a table out of a fragment, and all references to it.
void drop(Fragment& fragment, TableId id) {
  for (auto& [sequence, batch] : fragment.batches) {
    Batch::Data& data = batch.data();
    data.rows[id.index] = 0;
    data.declared[id.index] = false;
    for (std::size_t c = 0; c < catalogue_columns.size(); ++c)
      if (catalogue_columns[c].table == info(id).name || catalogue_columns[c].target == info(id).name)
        data.columns[c] = {};
  }
}

/// A view of a capture while it is compared with the others.
struct Compared {
  Fragment* fragment = nullptr;
  std::size_t place = 0;  ///< in the run
  std::vector<Content> content = std::vector<Content>(catalogue_tables.size());
  std::map<std::uint16_t, const Compared*> better = {};  ///< by table that is not used: who is used instead

  bool has(TableId id) const { return content[id.index].rows > 0; }
  bool uses(TableId id) const { return has(id) && !better.contains(id.index); }
  std::vector<std::string_view> tables(bool used) const {
    std::vector<std::string_view> names;
    for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
      if (has(TableId{t}) && uses(TableId{t}) == used) names.push_back(catalogue_tables[t].name);
    return names;
  }
  /// Tables with times, then all: what a view is richer by.
  std::array<std::size_t, 2> richness() const {
    std::array<std::size_t, 2> counts{};
    for (const Content& table : content) {
      counts[0] += table.timed ? 1 : 0;
      counts[1] += table.rows > 0 ? 1 : 0;
    }
    return counts;
  }
};

std::string list(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

/// What is not used of a view, and in which files it is said better: "kernels, comms: trace_view.json; used: steps".
std::string describe(const Compared& view) {
  std::map<std::string_view, std::vector<std::string_view>> by_file;
  for (const auto& [id, other] : view.better)
    by_file[file_name(other->fragment->input)].push_back(catalogue_tables[id].name);
  std::string text;
  for (const auto& [file, tables] : by_file)
    text.append(text.empty() ? "" : "; ").append(list(tables)).append(": ").append(file);
  if (const auto used = view.tables(true); !used.empty()) text.append("; used: ").append(list(used));
  return text;
}

class CaptureMerger {
 public:
  /// `places`: of the capture's fragments in the run.
  CaptureMerger(AssembledRun& run, const std::vector<std::size_t>& places) {
    for (const std::size_t place : places) {
      Compared& view = views_.emplace_back();
      view.fragment = &run.fragments[place];
      view.place = place;
      for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
        if (!catalogue_tables[t].traits.entity) view.content[t] = content_of(*view.fragment, TableId{t});
    }
    std::stable_sort(views_.begin(), views_.end(),
                     [](const Compared& a, const Compared& b) { return a.richness() > b.richness(); });
  }

  /// The views in order of richness, without what others say better.
  const std::vector<Compared>& merge() {
    for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) choose(TableId{t});
    for (const Totals& pair : totals_of)
      if (const Compared* events = first_that_uses(pair.events, false)) prefer(*events, pair.totals);
    for (const TableId work : {table("kernels"), table("copies"), table("memsets")})
      if (const Compared* timeline = first_that_uses(work, true)) prefer(*timeline, table("phases"));
    for (Compared& view : views_)
      for (const auto& [id, other] : view.better) {
        fill_columns(*other->fragment, *view.fragment, TableId{id});
        drop(*view.fragment, TableId{id});
      }
    return views_;
  }

 private:
  /// Of the views that say the same rows of a table the first one with times is used, else the first.
  void choose(TableId id) {
    std::vector<Compared*> having;
    for (Compared& view : views_)
      if (view.has(id)) having.push_back(&view);
    std::stable_sort(having.begin(), having.end(), [id](const Compared* a, const Compared* b) {
      return a->content[id.index].timed > b->content[id.index].timed;
    });
    for (std::size_t i = 1; i < having.size(); ++i)
      for (std::size_t j = 0; j < i && having[i]->uses(id); ++j)
        if (having[j]->uses(id) && say_the_same(*having[j]->fragment, *having[i]->fragment, id))
          having[i]->better.emplace(id.index, having[j]);
  }

  const Compared* first_that_uses(TableId id, bool timed) const {
    const auto found = std::find_if(views_.begin(), views_.end(), [=](const Compared& view) {
      return view.uses(id) && (view.content[id.index].timed || !timed);
    });
    return found == views_.end() ? nullptr : &*found;
  }

  void prefer(const Compared& events, TableId totals) {
    for (Compared& view : views_)
      if (&view != &events && view.has(totals)) view.better.try_emplace(totals.index, &events);
  }

  std::vector<Compared> views_;
};

/// What a view says of the recording as a whole, for one that does not.
void complete(RunInfo& info, const RunInfo& other) {
  if (!info.rank) info.rank = other.rank;
  if (!info.world_size) info.world_size = other.world_size;
  if (info.host.empty()) info.host = other.host;
}

}  // namespace

std::vector<std::pair<std::size_t, NoteEntry>> merge_views(AssembledRun& run) {
  std::vector<std::pair<std::size_t, NoteEntry>> notes;
  std::map<std::size_t, std::vector<std::size_t>> captures;
  for (std::size_t place = 0; place < run.captures.size(); ++place) captures[run.captures[place]].push_back(place);
  AssembledRun merged;
  const auto take = [&run, &merged](std::size_t place) {
    merged.fragments.push_back(std::move(run.fragments[place]));
    merged.origins.push_back(run.origins[place]);
    merged.captures.push_back(run.captures[place]);
  };
  for (const auto& [capture, places] : captures) {
    if (places.size() == 1) {
      take(places.front());
      continue;
    }
    CaptureMerger merger(run, places);
    const std::vector<Compared>& views = merger.merge();
    for (const Compared& view : views) {
      if (!view.better.empty())
        notes.emplace_back(run.origins[view.place], make_note(note_id::repeated_recording, describe(view)));
      complete(views.front().fragment->info, view.fragment->info);
    }
    for (const Compared& view : views)
      if (view.better.empty() || !view.tables(true).empty()) take(view.place);
  }
  run.fragments = std::move(merged.fragments);
  run.origins = std::move(merged.origins);
  run.captures = std::move(merged.captures);
  return notes;
}

}  // namespace kdiag
