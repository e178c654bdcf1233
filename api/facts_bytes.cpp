// SPDX-License-Identifier: Apache-2.0
#include <kdiag/facts_bytes.hpp>
#include <kdiag/refusal_ids.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "api/byte_archive.hpp"
#include "base/diagnostic.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace bytes {  // the functions `fields` are found there, which in a nameless namespace they would not

// What is written of each struct. Members that follow from others are left out.

void fields(auto& archive, like<NoteEntry> auto& note) {
  archive(note.id, note.text, note.count);
  archive.one_of(note.severity, NoteSeverity::error);
}
void fields(auto& archive, like<InputEntry> auto& input) {
  archive(input.path, input.adapter, input.producer, input.events, input.notes);
  archive.one_of(input.role, RunRole::baseline);
}
void fields(auto& archive, like<LedgerLine> auto& line) {
  archive(line.name, line.ns, line.low_ns, line.share, line.rule, line.high_ns, line.rest_ns);
}
void fields(auto& archive, like<OneOffCost> auto& cost) {
  archive(cost.what, cost.ns, cost.judged, cost.rule, cost.steps);
}
void fields(auto& archive, like<LedgerEntry> auto& entry) {
  archive(entry.run, entry.rank, entry.device, entry.wall_ns, entry.lines, entry.one_off, entry.rest_ns, entry.cut);
  archive.one_of(entry.basis, LedgerBasis::functions);
}
void fields(auto& archive, like<Interval> auto& interval) { archive(interval.start, interval.end); }
void fields(auto& archive, like<Scope> auto& scope) {
  archive(scope.steps, scope.within, scope.from, scope.to, scope.rank, scope.device);
}
static void fields(Writer& archive, const Wall& wall) {
  archive(wall.window, wall.parts.intervals(), wall.length);
  archive.one_of(wall.basis, WallBasis::samples);
}
static void fields(Reader& archive, Wall& wall) {
  std::vector<Interval> parts;
  archive(wall.window, parts, wall.length);
  archive.one_of(wall.basis, WallBasis::samples);
  wall.parts = IntervalSet::of(std::move(parts));
}

// --- The store ----------------------------------------------------------------------------------------------------

/// What derivation added, and what was counted.
void derived(auto& archive, like<FactStore> auto& store) {
  archive(store.walls, store.device_threads, store.scope, store.scoped, store.samples_aligned, store.impossible_times,
          store.impossible_statistics);
}

static void fields(Writer& archive, const FactStore& store) {
  archive(std::uint64_t{store.strings.size()});
  for (std::uint32_t id = 0; id < store.strings.size(); ++id) archive(std::string(store.strings[id]));
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    archive(store.present(TableId{t}), std::uint64_t{store.rows(TableId{t})});
  for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c) {
    const ColumnId id{c};
    archive(store.has(id));
    if (!store.has(id)) continue;
    archive(std::string(store.provider(id)));
    std::visit(
        [&](const auto& values) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) archive(values);
        },
        store.data(id));
  }
  derived(archive, store);
}

/// Whether every value of a column of texts, rows or truths is below a number, or absent.
static bool below(const std::vector<std::uint32_t>& values, std::size_t limit) {
  return std::all_of(values.begin(), values.end(),
                     [limit](std::uint32_t value) { return value < limit || value == absent_index; });
}

template <class T>
static void read_column(Reader& archive, FactStore& store, ColumnId id) {
  std::string provider;
  std::vector<T> values;
  archive(provider, values);
  if (values.size() != store.rows(table_of(id))) archive.fail();
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    const ColumnType type = info(id).type;
    const std::size_t limit = type == ColumnType::string      ? store.strings.size()
                              : type == ColumnType::reference ? store.rows(target_of(id))
                                                              : 2;
    if (!below(values, limit)) archive.fail();
  }
  if (!archive.failed()) store.replace(id, std::move(values), provider);
}

static void read_column(Reader& archive, FactStore& store, ColumnId id) {
  switch (info(id).type) {
    case ColumnType::integer: return read_column<std::int64_t>(archive, store, id);
    case ColumnType::small_integer: return read_column<std::int32_t>(archive, store, id);
    case ColumnType::real: return read_column<double>(archive, store, id);
    case ColumnType::boolean:
    case ColumnType::string:
    case ColumnType::reference: return read_column<std::uint32_t>(archive, store, id);
  }
}

static void fields(Reader& archive, FactStore& store) {
  std::uint64_t texts = 0;
  archive(texts);
  for (std::uint64_t i = 0; i < texts && !archive.failed(); ++i) {
    std::string text;
    archive(text);
    if (store.strings.intern(text) != i) archive.fail();  // no text is there twice
  }
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) {
    bool present = false;
    std::uint64_t rows = 0;
    archive(present, rows);
    if (rows >= absent_index || (!present && rows > 0)) archive.fail();
    if (present && !archive.failed()) store.resize(TableId{t}, static_cast<std::size_t>(rows));
  }
  for (std::uint16_t c = 0; c < catalogue_columns.size() && !archive.failed(); ++c) {
    bool has = false;
    archive(has);
    if (has) read_column(archive, store, ColumnId{c});
  }
  derived(archive, store);
  const std::size_t threads = store.rows(table("threads"));
  if (store.walls.empty() || store.device_threads.size() > store.rows(table("devices"))) archive.fail();
  for (const std::vector<std::uint32_t>& of_device : store.device_threads)
    if (std::any_of(of_device.begin(), of_device.end(), [threads](std::uint32_t row) { return row >= threads; }))
      archive.fail();
}

static void fields(Writer& archive, const RunFacts& run) {
  archive(run.id, run.label, *run.store, run.stated_notes, run.inputs, run.ledger);
}
static void fields(Reader& archive, RunFacts& run) {
  auto store = std::make_shared<FactStore>();
  archive(run.id, run.label, *store, run.stated_notes, run.inputs, run.ledger);
  run.store = std::move(store);
}

void fields(auto& archive, like<LoadedFacts> auto& loaded) {
  archive(loaded.inputs, loaded.runs, loaded.read_seconds, loaded.derive_seconds);
}

// --- What stands before it ----------------------------------------------------------------------------------------

constexpr std::uint32_t layout = 1;  // to be counted up when what is written changes

/// A sum by which damage is found: FNV-1a of words of 64 bits, and of the bytes behind them.
static std::uint64_t checksum(std::span<const char> bytes) {
  std::uint64_t sum = 0xCBF29CE484222325U ^ bytes.size();
  const auto add = [&sum](std::uint64_t word) { sum = (sum ^ word) * 0x100000001B3U; };
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    add(word ^ (word >> 32U));
    bytes = bytes.subspan(sizeof word);
  }
  for (const char byte : bytes) add(static_cast<unsigned char>(byte));
  return sum;
}

struct Heading {
  std::string magic, version;
  std::uint32_t layout = 0;
  std::uint64_t catalogue = 0, sum = 0, size = 0;

  bool is_ours() const {
    const Heading ours = of({});
    return magic == ours.magic && version == ours.version && layout == ours.layout && catalogue == ours.catalogue;
  }
  static Heading of(std::span<const char> body) {
    return {"kdiag facts", std::string(kdiag::version()), bytes::layout, catalogue_hash, checksum(body), body.size()};
  }
};
void fields(auto& archive, like<Heading> auto& heading) {
  archive(heading.magic, heading.version, heading.layout, heading.catalogue, heading.sum, heading.size);
}

}  // namespace bytes

std::string facts_to_bytes(const Facts& facts) {
  std::string body;
  bytes::Writer{body}(facts.loaded());
  std::string out;
  bytes::Writer{out}(bytes::Heading::of(body));
  return out += body;
}

Result<Facts> facts_from_bytes(std::span<const char> given) {
  const auto refused = [](std::string title) {
    return load_error(refusal_id::facts_file_version, std::move(title),
                      "Make them again by the kdiag that is to read them; other versions read facts files.");
  };
  bytes::Reader reader(given);
  bytes::Heading heading;
  reader(heading);
  if (reader.failed() || heading.magic != bytes::Heading::of({}).magic) return refused("these bytes are no facts");
  if (!heading.is_ours())
    return refused("these facts are of kdiag " + heading.version + ", or of another build, and this is kdiag " +
                   std::string(version()));
  const std::span<const char> body = reader.rest();
  if (heading.size != body.size() || heading.sum != bytes::checksum(body))
    return refused("the bytes of these facts are damaged");
  auto loaded = std::make_shared<LoadedFacts>();
  reader(*loaded);
  const bool fits = std::all_of(loaded->runs.begin(), loaded->runs.end(), [&](const RunFacts& run) {
    return !run.inputs.empty() && std::all_of(run.inputs.begin(), run.inputs.end(),
                                              [&](std::size_t input) { return input < loaded->inputs.size(); });
  });
  if (!reader.complete() || !fits) return refused("the bytes of these facts are damaged");
  return Facts(std::move(loaded));
}

}  // namespace kdiag
