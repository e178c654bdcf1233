// SPDX-License-Identifier: Apache-2.0
#include "ingest/reading.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include <kdiag/format.hpp>
#include <kdiag/host_adapter.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/adapter_table.hpp"
#include "adapters/text/line_prefix.hpp"
#include "engine/facts/batch_mistake.hpp"
#include "engine/facts/note_table.hpp"
#include "ingest/assemble.hpp"
#include "ingest/collect_sink.hpp"
#include "ingest/detect.hpp"
#include "ingest/recognise.hpp"
#include "mapping/match_map.hpp"
#include "mapping/read_mapped.hpp"

namespace kdiag {
namespace {

unsigned thread_count(const LoadOptions& options) {
  if (options.threads > 0) return options.threads;
  return std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
}

/// Why there is nothing: it was lost, or never recorded.
Diagnostic no_records(const std::vector<NoteEntry>& notes) {
  const auto lost = std::find_if(notes.begin(), notes.end(),
                                 [](const NoteEntry& note) { return note.severity == NoteSeverity::data_loss; });
  if (lost == notes.end())
    return load_error(refusal_id::no_records, "the input holds no records",
                      "Record again with the profiler running while the workload does.");
  return load_error(refusal_id::no_records, "no record of the input can be read: " + lost->text);
}

/// Fills a reading by what `read` does with a sink. `format`: the adapter or mapping that it is of.
void read_with(std::string_view format, const LoadCall& call, Reading& reading,
               const std::function<Status(FactSink&)>& read) {
  CollectSink sink(reading.entry.path, std::string(format), thread_count(call.options), call.options.cancel,
                   call.facts);
  const BudgetShare::Scope counted(sink.share());
  Status status = read(sink);
  reading.entry.adapter = format;
  reading.entry.events = sink.events();
  reading.entry.notes = sink.notes();
  if (const std::string limit = sink.exceeded(); !limit.empty()) {
    reading.errors.push_back(load_error(refusal_id::too_many_facts,
                                        "the input holds more than " + limit + ", the limit that was set",
                                        "Raise it (kdiag --max-memory, in a program LoadLimits), or give less: a "
                                        "shorter recording, fewer files at a time."));
    return;
  }
  if (sink.too_many_runs()) {
    const std::string most = format_count(static_cast<std::int64_t>(most_runs_read)) + " runs";
    reading.errors.push_back(load_error(refusal_id::too_many_facts, "the input holds more than " + most,
                                        "Give a part of it: " + most + " of an input are read at most."));
    return;
  }
  if (!status) {
    reading.errors = std::move(status.error());
    return;
  }
  reading.fragments = sink.take_fragments();
  std::erase_if(reading.fragments, [](const Fragment& fragment) { return fragment.batches.empty(); });
  if (!reading.fragments.empty()) reading.entry.producer = reading.fragments.front().info.producer;
  else reading.errors.push_back(no_records(reading.entry.notes));
}

/// The first mapping that is for an input; why the ones before it are not is kept in the reading.
const LoadedMap* find_map(const Head& head, const LoadOptions& options, Reading& reading) {
  for (const TraceMap& map : options.maps) {
    reading.mismatches.push_back(mapping::mismatch(map.loaded(), reading.entry.path, head));
    if (reading.mismatches.back().empty()) return &map.loaded();
  }
  return nullptr;
}

/// Why the bytes of a short input end where they do, when it is not their end.
Diagnostics failure_behind(Input& input) {
  if (!input.head().complete) return {};
  for (std::array<char, 4096> buffer{};;) {
    const Result<std::size_t> got = input.read(buffer);
    if (!got) return got.error();
    if (*got == 0) return {};
  }
}

/// No adapter knows the input: what it looks like, and why no mapping is for it.
Diagnostic unknown_format(Input& input, const LoadOptions& options, const Reading& reading) {
  Diagnostic error = recognise(input.head());
  if (const Diagnostics failure = failure_behind(input); !failure.empty()) {
    error.title += "; behind that, " + failure.front().title;
    error.help = failure.front().help;
  }
  for (std::size_t i = 0; i < reading.mismatches.size(); ++i)
    error.help = (i == 0 ? "" : error.help + " ") + "The mapping '" + std::string(options.maps[i].name()) +
                 "' is not for it: " + reading.mismatches[i] + ".";
  return error;
}

/// What the code of a host did wrong, as an error of the input.
Diagnostic host_failure(const std::string& who, std::string_view what) {
  return load_error(refusal_id::host_adapter_failed, who + " failed: " + std::string(what),
                    std::string(mistake_of_host));
}

/// Runs what calls the code of a host: what it throws is its failure.
template <class Call>
Status call_host(const std::string& who, Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return host_failure(who, error.what());
  } catch (...) {
    return host_failure(who, "it threw what is no std::exception");
  }
}

/// What an adapter of the host writes into: its mistakes are kept, as it may make them in threads of its own.
class HostSink final : public FactSink {
 public:
  explicit HostSink(FactSink& sink) : sink_(sink) {}
  void run(RunInfo info) override { sink_.run(std::move(info)); }
  void submit(std::uint64_t sequence, Batch batch) override {
    if (std::string wrong = mistake_of(batch); !wrong.empty()) return keep(std::move(wrong));
    sink_.submit(sequence, std::move(batch));
  }
  void note(std::string_view id, std::string_view detail, std::uint64_t count) override {
    if (is_note(id)) return sink_.note(id, detail, count);
    keep("there is no note '" + std::string(id) + "'");
  }
  void count_events(std::uint64_t events) override { sink_.count_events(events); }
  bool cancelled() const override { return sink_.cancelled(); }
  unsigned threads() const override { return sink_.threads(); }
  void keeps(std::int64_t records, std::int64_t bytes) override { sink_.keeps(records, bytes); }
  void enter_thread() override { sink_.enter_thread(); }
  /// Empty when it made none.
  const std::string& mistake() const { return mistake_; }

 private:
  void keep(std::string mistake) {
    const std::lock_guard lock(mutex_);
    if (mistake_.empty()) mistake_ = std::move(mistake);
  }

  FactSink& sink_;
  std::mutex mutex_;
  std::string mistake_;
};

/// The input of an adapter of the host: it ends once no more is wanted, whether the adapter asks for that or not.
class HostInput final : public Input {
 public:
  HostInput(Input& input, const FactSink& sink) : input_(input), sink_(sink) {}
  std::string_view name() const override { return input_.name(); }
  const Head& head() const override { return input_.head(); }
  std::string_view file() const override { return input_.file(); }
  const Diagnostics& file_errors() const override { return input_.file_errors(); }
  Result<std::size_t> read(std::span<char> buffer) override {
    return sink_.cancelled() ? Result<std::size_t>(0) : input_.read(buffer);
  }

 private:
  Input& input_;
  const FactSink& sink_;
};

/// The host's adapter that is surest of the input, when it is at least so sure; the first of equals.
const HostAdapter* detect_host(const Head& head, const LoadOptions& options, int at_least) {
  const HostAdapter* best = nullptr;
  int best_score = at_least - 1;
  for (const HostAdapter* adapter : options.adapters)
    if (const int score = adapter->sniff(head); score > best_score) {
      best = adapter;
      best_score = score;
    }
  return best;
}

void read_with_host(const HostAdapter& adapter, Input& input, const LoadCall& call, Reading& reading) {
  std::string id;
  Status named = call_host("an adapter of the host", [&] {
    id = adapter.id();
    return ok_status();
  });
  if (!named) {
    reading.errors = std::move(named.error());
    return;
  }
  read_with(id, call, reading, [&](FactSink& sink) {
    const std::string who = "the adapter '" + id + "' of the host";
    HostSink own(sink);
    HostInput bytes(input, sink);
    Status read = call_host(who, [&] { return adapter.read(bytes, own); });
    if (!read && read.error().empty()) return Status(host_failure(who, "it gave no reason"));
    return read && !own.mistake().empty() ? host_failure(who, own.mistake()) : std::move(read);
  });
}

Detected detected(const Head& head) { return detect(head, adapters::adapter_table()); }

/// The input without what stands in front of its lines.
struct Stripped {
  adapters::LinePrefix prefix;
  std::unique_ptr<Input> input;
  const Adapter* adapter = nullptr;
};
bool begins_object(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

/// Nothing where no adapter knows it then at least as well as it is known with the prefix, or better where lines would
/// be lost that are read with it.
std::optional<Stripped> strip(Input& input, const Detected& as_it_is) {
  if (!input.file().empty()) return std::nullopt;
  // JSON that is known, nearly all that is ever read: the lines of an object have nothing in front.
  if (as_it_is.adapter != nullptr && begins_object(input.head().bytes)) return std::nullopt;
  std::optional<Stripped> best;
  int known = as_it_is.score;
  const bool reads_all = as_it_is.adapter != nullptr && as_it_is.adapter->reads_tagged_lines;
  for (adapters::LinePrefix& prefix : adapters::LinePrefix::of(input.head().bytes)) {
    auto lines = adapters::without_line_prefix(input, prefix);
    const auto [adapter, score] = detected(lines->head());
    const bool more = !best || prefix.extends(best->prefix);  // of the same, or of another process
    if (adapter == nullptr || score < known + (prefix.ambiguous() || !more ? 1 : 0)) continue;
    if (reads_all && prefix.others() > 0 && score <= as_it_is.score) continue;
    known = score;
    best = Stripped{std::move(prefix), std::move(lines), adapter};
  }
  return best;
}

Diagnostics no_such_run(std::size_t run, std::size_t count) {
  return {load_error(refusal_id::no_such_run, "there is no run " + std::to_string(run) + " in this input",
                     count == 1
                         ? "It holds one run."
                         : "It holds " + std::to_string(count) + " runs: #1 to #" + std::to_string(count) + ".")};
}

}  // namespace

Diagnostic load_error(std::string_view id, std::string title, std::string help) {
  Diagnostic error;
  error.id = id;
  error.title = std::move(title);
  error.help = std::move(help);
  return error;
}

Reading failed_reading(std::string path, Diagnostics errors) {
  Reading reading;
  reading.entry.path = std::move(path);
  reading.errors = std::move(errors);
  return reading;
}

Reading read_input(std::string path, Result<std::unique_ptr<Input>> opened, const LoadCall& call) {
  const LoadOptions& options = call.options;
  if (!opened) return failed_reading(std::move(path), std::move(opened.error()));
  Reading reading = failed_reading(std::move(path), {});
  Input& input = **opened;
  reading.begins = beginning(input.head());
  if (const LoadedMap* map = find_map(input.head(), options, reading)) {
    read_with(map->name, call, reading, [&](FactSink& sink) { return mapping::read_mapped(*map, input, sink); });
    return reading;
  }
  const Detected known = detected(input.head());
  if (const HostAdapter* host = detect_host(input.head(), options, std::max(1, known.score))) {
    read_with_host(*host, input, call, reading);
  } else if (const auto lines = strip(input, known)) {
    read_with(lines->adapter->id, call, reading,
              [&](FactSink& sink) { return lines->adapter->read(*lines->input, sink); });
    reading.entry.notes.push_back(make_note(note_id::line_prefixes, lines->prefix.describe()));
    if (const std::size_t others = lines->prefix.others(); others > 0)
      reading.entry.notes.push_back(make_note(note_id::other_processes, {}, others));
  } else if (known.adapter == nullptr) {
    reading.errors.push_back(unknown_format(input, options, reading));
  } else {
    read_with(known.adapter->id, call, reading, [&](FactSink& sink) { return known.adapter->read(input, sink); });
  }
  return reading;
}

void select_run(std::vector<Reading>& readings, const std::string& path, std::size_t run) {
  std::vector<SourceFragment> fragments;
  for (std::size_t i = 0; i < readings.size(); ++i)
    for (Fragment& fragment : readings[i].fragments) fragments.push_back({std::move(fragment), i});
  if (fragments.empty()) return;  // its errors say why
  std::vector<AssembledRun> runs = assemble(std::move(fragments)).runs;
  if (run < 1 || run > runs.size()) {
    readings.clear();
    readings.push_back(failed_reading(path, no_such_run(run, runs.size())));
    return;
  }
  AssembledRun& chosen = runs[run - 1];
  for (Reading& reading : readings) reading.fragments.clear();
  for (std::size_t i = 0; i < chosen.fragments.size(); ++i)
    readings[chosen.origins[i]].fragments.push_back(std::move(chosen.fragments[i]));
  std::erase_if(readings, [](const Reading& reading) { return reading.fragments.empty() && reading.errors.empty(); });
}

}  // namespace kdiag
