// SPDX-License-Identifier: Apache-2.0
// Reads a trace with several threads: they take turns at cutting chunks and parse them side by side.
#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/io/input.hpp"
#include "adapters/io/kept_records.hpp"
#include "adapters/json/json.hpp"
#include "adapters/json/json_chunk.hpp"
#include "adapters/json/json_splitter.hpp"

namespace kdiag::adapters {
namespace {

using Handler = std::function<void(EventCursor&, std::uint64_t sequence)>;

/// What all threads of one reading share.
class Reading {
 public:
  Reading(Input& input, FactSink& sink, const EventOptions& options, const Handler& handler)
      : splitter_(input, options),
        sink_(sink),
        handler_(handler),
        max_event_bytes_(options.max_event_bytes),
        chunk_bytes_(options.chunk_bytes) {}

  /// Handles the whole input. A trace of one chunk starts no thread.
  void run() {
    Chunk first;
    if (!next(first)) return;
    Chunk second;
    const unsigned helpers = sink_.threads() - 1;
    const bool second_read = helpers > 0 && next(second);
    {
      std::vector<std::jthread> threads;
      if (second_read) guard([&] { start(threads, helpers, second); });
      const bool alone = threads.empty();
      guard([&] { work(first); });
      if (second_read && alone) guard([&] { work(second); });
    }
    if (failure_) std::rethrow_exception(failure_);
  }

  EventSplitter& splitter() { return splitter_; }
  const EventTally& tally() const { return tally_; }

 private:
  /// Starts threads, of which the first begins with a chunk that is there already.
  void start(std::vector<std::jthread>& threads, unsigned count, Chunk& second) {
    try {
      threads.emplace_back([this, &second] { help([&] { work(second); }); });
      while (threads.size() < count)
        threads.emplace_back([this] {
          help([this] {
            Chunk chunk;
            if (next(chunk)) work(chunk);
          });
        });
    } catch (const std::system_error&) {
      // No thread can be started: those that run, this one at least, read it all.
    }
  }

  /// All that a thread of its own does.
  template <class Body>
  void help(const Body& body) {
    guard([&] {
      sink_.enter_thread();
      body();
    });
  }

  /// Keeps the first exception, which ends the reading of all threads: none may leave a thread's function.
  template <class Body>
  void guard(const Body& body) {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  /// What a chunk of events that are far too long holds with its index, which has four bytes for each.
  Kept beyond_usual(const Chunk& chunk) const {
    Kept out;
    if (chunk.capacity() > 4 * chunk_bytes_) out.add_bytes(5 * chunk.capacity());
    return out;
  }

  bool next(Chunk& chunk) {
    const std::lock_guard lock(mutex_);
    return !failure_ && !sink_.cancelled() && splitter_.next(chunk);
  }

  /// Parses a chunk, and then further ones as long as there are any.
  void work(Chunk& chunk) {
    ChunkParser parser(max_event_bytes_);
    KeptRecords kept(sink_);
    do {
      kept.count(beyond_usual(chunk));
      EventCursor cursor = parser.parse(chunk);
      handler_(cursor, chunk.sequence);
      while (cursor.next()) {
      }  // what the handler left is still counted
    } while (next(chunk));
    const std::lock_guard lock(mutex_);
    tally_.add(parser.tally());
  }

  std::mutex mutex_;
  EventSplitter splitter_;
  FactSink& sink_;
  const Handler& handler_;
  const std::size_t max_event_bytes_, chunk_bytes_;
  EventTally tally_;
  std::exception_ptr failure_;
};

void note(FactSink& sink, const EventSplitter& splitter, const EventTally& tally) {
  const auto byte = [](std::uint64_t offset) { return "byte " + std::to_string(offset); };
  note_read_errors(splitter.read_errors(), splitter.bytes_read(), sink);
  if (splitter.truncated()) sink.note(note_id::input_cut, byte(splitter.bytes_read()));
  if (tally.unreadable != 0)
    sink.note(note_id::unreadable_record, "first at " + byte(tally.first_unreadable), tally.unreadable);
  if (tally.repaired != 0) sink.note(note_id::text_repaired, {}, tally.repaired);
  if (tally.too_large != 0) sink.note(note_id::record_too_large, {}, tally.too_large);
  if (splitter.trailing_bytes() != 0)
    sink.note(splitter.another_document() ? note_id::second_document : note_id::bytes_after_end,
              std::to_string(splitter.trailing_bytes()) + " bytes from " + byte(splitter.first_trailing()));
}

Diagnostics no_events(const Input& input, const EventSplitter& splitter, std::string_view array_key) {
  Diagnostics errors = splitter.read_errors();
  Diagnostic& error = errors.emplace_back();
  error.id = refusal_id::no_event_array;
  error.title =
      input.head().json == 0 ? "this is not JSON" : "this JSON has no array \"" + std::string(array_key) + "\"";
  error.help = "The file may be cut off, or be no trace of events.";
  error.labels.push_back(Label{Span{std::make_shared<const Source>(Source{std::string(input.name()), {}}), 0, 0}, {}});
  return errors;
}

}  // namespace

Result<EventDocument> read_events(Input& input, FactSink& sink, const EventOptions& options, const Handler& handler) {
  Reading reading(input, sink, options, handler);
  reading.run();
  EventSplitter& splitter = reading.splitter();
  EnvelopeScan& envelope = splitter.envelope();
  if (!envelope.found_events() && !sink.cancelled()) return no_events(input, splitter, options.array_key);

  EventTally tally = reading.tally();
  tally.add_unreadable(splitter.broken_events(), splitter.first_broken());
  tally.too_large += splitter.too_large_events();
  note(sink, splitter, tally);
  for (const std::string& key : envelope.too_large) sink.note(note_id::record_too_large, key);
  if (envelope.too_many != 0) sink.note(note_id::record_too_large, "members around the events", envelope.too_many);
  sink.count_events(tally.events);
  return EventDocument{std::move(envelope.members), tally.events, splitter.truncated()};
}

}  // namespace kdiag::adapters
