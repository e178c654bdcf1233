// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/io/input.hpp"
#include "adapters/json/json.hpp"
#include "adapters/json/json_blocks.hpp"
#include "adapters/json/json_splitter.hpp"
#include "tests/catch.hpp"
#include "tests/support/fake_sink.hpp"

using namespace kdiag;
using namespace kdiag::adapters;
using kdiag::tests::FakeSink;
using namespace std::string_literals;

namespace {

/// Everything a reading says, in a form that can be compared.
struct Walked {
  std::vector<std::string> events;  ///< "offset: key=value ... | args"
  std::vector<std::pair<std::string, std::string>> members;
  bool truncated = false;
  std::string notes;  ///< "id (detail) x count", one a line
  std::string error;

  friend bool operator==(const Walked&, const Walked&) = default;
};

std::string dump(std::span<const Member> members) {
  std::string text;
  for (const Member& member : members) text.append(" ").append(member.key).append("=").append(member.value.text);
  return text;
}

Walked read(std::string_view text, unsigned threads = 1, EventOptions options = {}) {
  FakeSink sink(threads);
  auto input = open_input("trace.json", text);
  REQUIRE(input);
  std::mutex mutex;
  std::map<std::uint64_t, std::vector<std::string>> chunks;
  const auto document = read_events(**input, sink, options, [&](EventCursor& cursor, std::uint64_t sequence) {
    std::vector<std::string> events;
    while (cursor.next())
      events.push_back(std::to_string(cursor.offset()) + ":" + dump(cursor.members()) + " |" + dump(cursor.args()));
    const std::lock_guard lock(mutex);
    REQUIRE(chunks.emplace(sequence, std::move(events)).second);
  });
  Walked outcome;
  std::uint64_t expected_sequence = 0;
  for (auto& [sequence, events] : chunks) {
    CHECK(sequence == expected_sequence++);
    for (std::string& event : events) outcome.events.push_back(std::move(event));
  }
  for (const auto& [id, details] : sink.notes)
    for (const auto& [detail, count] : details)
      outcome.notes += id + " (" + detail + ") x" + std::to_string(count) + "\n";
  if (!document) {
    outcome.error = document.error().front().id;
    return outcome;
  }
  CHECK(document->events == outcome.events.size());
  CHECK(sink.events == outcome.events.size());
  outcome.members = document->members;
  outcome.truncated = document->truncated;
  return outcome;
}

/// The same whatever the threads and chunks, which is checked here.
Walked read_every_way(std::string_view text, EventOptions options = {}) {
  const Walked once = read(text, 1, options);
  for (const unsigned threads : {1U, 2U, 8U}) {
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{64}, std::size_t{1024}, std::size_t{5000}}) {
      CAPTURE(threads, chunk);
      options.chunk_bytes = options.longest_chunk_bytes = chunk;
      CHECK(read(text, threads, options) == once);
      options.longest_chunk_bytes = 16 * chunk;  // they grow
      CHECK(read(text, threads, options) == once);
    }
  }
  return once;
}

using Events = std::vector<std::string>;

}  // namespace

TEST_CASE("Events come with their members and arguments", "[adapters][json]") {
  const Walked outcome = read_every_way(
      R"({"schemaVersion": 1, "traceEvents": [
  {"ph": "X", "ts": 1.5, "args": {"stream": 7, "dims": [[1, 2], {"a": "]}"}]}, "dur":2},
  {},
  { "args" : { } , "name" : "a\"b" }
], "after": {"x": [1, {"traceEvents": [{"no": 1}]}]}})");
  CHECK(outcome.events == Events{
                              R"(40: ph="X" ts=1.5 dur=2 | stream=7 dims=[[1, 2], {"a": "]}"}])",
                              R"(129: |)",
                              R"(135: name="a\"b" |)",
                          });
  CHECK(outcome.members == std::vector<std::pair<std::string, std::string>>{
                               {"schemaVersion", "1"}, {"after", R"({"x": [1, {"traceEvents": [{"no": 1}]}]})"}});
  CHECK_FALSE(outcome.truncated);
  CHECK(outcome.notes.empty());
}

TEST_CASE("Only the array at the top level counts", "[adapters][json]") {
  const Walked outcome = read_every_way(
      R"({"a": "\"traceEvents\": [{\"x\": 1}]", "b": {"traceEvents": [{"y": 2}]}, "c\\": [], "traceEvents" : [{"z": 3}]})");
  REQUIRE(outcome.events.size() == 1);
  CHECK(outcome.events[0].ends_with(": z=3 |"));
  CHECK(outcome.members.size() == 3);
}

TEST_CASE("The array may have another name", "[adapters][json]") {
  EventOptions options;
  options.array_key = "records";
  CHECK(read_every_way(R"({"traceEvents": [{"a": 1}], "records": [{"b": 2}]})", options).events == Events{"40: b=2 |"});
}

TEST_CASE("A bare array is a trace, with or without its bracket", "[adapters][json]") {
  const std::string text =
      GENERATE(as<std::string>(), "[{\"a\":1},\n{\"b\":2}]", "[{\"a\":1},\n{\"b\":2}]\n \n", "[{\"a\":1},\n{\"b\":2}",
               "[{\"a\":1},\n{\"b\":2},\n", " [{\"a\":1},\n{\"b\":2},\n]");
  const Walked outcome = read_every_way(text);
  CHECK(outcome.events.size() == 2);
  CHECK_FALSE(outcome.truncated);
  CHECK(outcome.notes.empty());
}

TEST_CASE("A trace may hold no events", "[adapters][json]") {
  for (const char* text : {"[]", "[ ]", "[", "{\"traceEvents\": []}", "{\"traceEvents\":[ \n ],}"}) {
    CAPTURE(text);
    const Walked outcome = read_every_way(text);
    CHECK(outcome.events.empty());
    CHECK(outcome.error.empty());
    CHECK(outcome.notes.empty());
  }
}

TEST_CASE("What holds no array of events is an error", "[adapters][json]") {
  for (const char* text : {"{}", "{\"a\": 1}", "{\"traceEvents\": null}", "{\"traceEvents\": {}}", "{\"traceEvents\"",
                           "{\"a\": \"", "no JSON", "\"traceEvents\": [{}]", "   ", "{x}"}) {
    CAPTURE(text);
    const Walked outcome = read_every_way(text);
    CHECK(outcome.error == "K620");
    CHECK(outcome.events.empty());
  }
}

TEST_CASE("A trace that is cut off keeps every complete event", "[adapters][json]") {
  const std::string whole = R"({"traceEvents": [{"a": "x"}, {"b": {"c": "]}"}}, {"d": 4}], "e": 5})";
  const std::size_t array = whole.find('[') + 1;
  const std::size_t first = whole.find("},") + 1;
  const std::size_t second = whole.find("}},") + 2;
  const std::size_t third = whole.find("4}") + 2;
  for (std::size_t size = array; size < whole.size(); ++size) {
    CAPTURE(size);
    const Walked outcome = read_every_way(std::string_view(whole).substr(0, size));
    const std::size_t expected = size < first ? 0 : size < second ? 1 : size < third ? 2 : 3;
    CHECK(outcome.events.size() == expected);
    CHECK(outcome.truncated);
    CHECK(outcome.notes == "K600 (byte " + std::to_string(size) + ") x1\n");
  }
  CHECK_FALSE(read(whole).truncated);
}

TEST_CASE("A bare array that ends within an event is cut off", "[adapters][json]") {
  const Walked outcome = read_every_way(R"([{"a": 1}, {"b": )");
  CHECK(outcome.events.size() == 1);
  CHECK(outcome.truncated);
  CHECK(outcome.notes == "K600 (byte 17) x1\n");
}

TEST_CASE("A broken event is dropped and counted, its neighbours are not", "[adapters][json]") {
  const std::string broken = GENERATE(
      as<std::string>(), R"({"a" 1})", R"({"a": })", R"({"a": 1 "b": 2})", R"({a: 1})", R"({"a": 1,, "b": 2})",
      R"({"a": [1, 2}})", R"({"a": "x"y"z"})", R"({"args": {"a" 1}})", R"({"a": 1 ])", R"(null)", R"("text")",
      R"([1, 2])", R"(12)", R"({"a": "x" "y"})", R"({"a"})", R"({:1})", R"({"a"::1 "b"})", R"({"a": 1; "b": 2})");
  CAPTURE(broken);
  const Walked outcome = read_every_way("[{\"x\": 1},\n" + broken + ",\n{\"y\": 2}, {\"z\": 3}]");
  CHECK(outcome.events.size() == 3);
  CHECK(outcome.notes == "K602 (first at byte 11) x1\n");
}

TEST_CASE("What can be understood is accepted", "[adapters][json]") {
  const Walked outcome = read_every_way(
      "[{\"a\": NaN, \"b\": -Infinity, \"c\": N/A,}, {\"d\": 1} {\"e\": 2},, {\"f\": \"C:\\dir\", \"g\": "
      "\"a\tb\"}\n,]");
  CHECK(outcome.events ==
        Events{"1: a=NaN b=-Infinity c=N/A |", "40: d=1 |", "49: e=2 |", "60: f=\"C:\\dir\" g=\"a\tb\" |"});
  CHECK(outcome.notes.empty());
}

TEST_CASE("Arguments that are no object stay among the members", "[adapters][json]") {
  CHECK(read_every_way(R"([{"args": null, "a": 1}, {"args": [1]}])").events ==
        Events{"1: args=null a=1 |", "25: args=[1] |"});
}

TEST_CASE("Quotes that are not escaped cost their event only", "[adapters][json]") {
  const std::string good = R"({"ph": "X", "name": "void f<int>(float*) [x]", "args": {"stream": 7}})";
  const std::string odd = R"({"ph": "X", "name": "say "hi", "args": {"stream": 7}})";
  const std::string path = R"({"ph": "X", "name": "C:\dir\", "args": {"stream": 7}})";
  const std::string broken = GENERATE_COPY(odd, path);
  const auto trace = [&](std::initializer_list<const char*> kinds) {
    std::string text = "{\"traceEvents\": [\n";
    bool first = true;
    for (const char* kind : kinds) {
      text += first ? "" : ",\n";
      text += kind[0] == 'g' ? good : broken;
      first = false;
    }
    return text + "\n], \"last\": 1}";
  };
  SECTION("one") {
    const Walked outcome = read_every_way(trace({"g", "b", "g", "g"}));
    CHECK(outcome.events.size() == 3);
    CHECK(outcome.notes == "K602 (first at byte 89) x1\n");
    CHECK(outcome.members.size() == 1);
  }
  SECTION("two, which make text and strings change places twice") {
    const Walked outcome = read_every_way(trace({"g", "b", "g", "g", "b", "g", "g"}));
    CHECK(outcome.events.size() == 5);
    CHECK(outcome.notes == "K602 (first at byte 89) x2\n");
  }
  SECTION("many") {
    const Walked outcome = read_every_way(trace({"b", "b", "g", "b", "g", "b", "b", "b", "g", "g", "b", "g"}));
    CHECK(outcome.events.size() == 5);
    CHECK(outcome.notes == "K602 (first at byte 18) x7\n");
  }
}

TEST_CASE("A bracket that is missing costs its event only", "[adapters][json][hostile]") {
  const std::string good = R"({"ph": "X", "dims": [[1, 2], {"a": 1}, {"b": 2}], "args": {"stream": 7}})";
  const std::string broken = GENERATE(as<std::string>(), R"({"ph": "X", "args": {"stream": 7})",
                                      R"({"ph": "X", "args": {"a": {"stream": 7}})", R"({"ph": "X", "dims": [1, 2})");
  CAPTURE(broken);
  // Enough behind it that it is found before the input ends, too.
  for (const int behind : {2, 2000}) {
    std::string text = "[" + good + ",\n" + broken;
    for (int i = 0; i < behind; ++i) text += ",\n" + good;
    const Walked outcome = read_every_way(text + ",\n" + broken + ",\n" + good + "\n");
    CHECK(outcome.events.size() == static_cast<std::size_t>(behind) + 2);
    CHECK(outcome.notes == "K602 (first at byte " + std::to_string(good.size() + 3) + ") x2\n");
  }
}

TEST_CASE("Broken events end no chunk", "[adapters][json][hostile]") {
  const std::string good = R"({"ph": "X", "name": "gemm", "args": {"stream": 7}})";
  std::string text = "[" + good;
  constexpr std::size_t rounds = 4000;
  for (std::size_t i = 0; i < rounds; ++i)
    text += ",\n" + good + R"(,
{"ph": "X", "name": "cudaLaunchKernel", "args": {"correlation": 29, "dur": 118.0, "args": {"Python id": 9}},
{"ph": "X", "cat": "cpu_op2.000, "args": {"device": 0}})";
  text += ",\n" + good + "]";
  FakeSink sink;
  auto input = open_input("trace.json", text);
  REQUIRE(input);
  std::size_t chunks = 0;
  const auto document = read_events(**input, sink, {}, [&](EventCursor& cursor, std::uint64_t) {
    ++chunks;
    while (cursor.next()) {
    }
  });
  REQUIRE(document);
  CHECK(document->events == rounds + 2);
  CHECK(chunks <= text.size() / EventOptions{}.chunk_bytes + 2);
}

TEST_CASE("Long events are read whether they fit a chunk or not", "[adapters][json]") {
  std::string list;
  for (int i = 0; i < 5000; ++i) list += (i == 0 ? "" : ", ") + std::string(R"({"a": 1},{"b": "},{"})");
  const Walked outcome = read_every_way(R"([{"x": 1}, {"list": [)" + list + R"(]}, {"y": 2}])");
  CHECK(outcome.events.size() == 3);
  CHECK(outcome.notes.empty());
}

TEST_CASE("Text that needs repair is counted by event", "[adapters][json]") {
  const Walked outcome = read_every_way(
      "[{\"a\": \"caf\xE9\"}, {\"b\": \"caf\u00e9\",\n\"c\": [\n1]}, {\"args\": {\"d\": \"line\nbreak\"}}, {\"e\x01\": "
      "1}, {\"f\": [\"\xFF\"]}]");
  CHECK(outcome.events.size() == 5);
  CHECK(outcome.notes == "K605 () x4\n");
}

TEST_CASE("An event over the limit is skipped and counted", "[adapters][json]") {
  EventOptions options;
  options.max_event_bytes = 1000;
  const auto event = [](std::size_t size) { return "{\"a\": \"" + std::string(size - 9, 'x') + "\"}"; };
  const Walked outcome = read_every_way(
      "[" + event(999) + "," + event(1000) + ",\n" + event(1001) + ", " + event(20'000) + "," + event(20) + "]",
      options);
  CHECK(outcome.events.size() == 3);
  CHECK(outcome.notes == "K607 () x2\n");
  SECTION("also when the input ends in it") {
    const Walked cut = read_every_way("[" + event(20) + "," + event(20'000).substr(0, 15'000), options);
    CHECK(cut.events.size() == 1);
    CHECK(cut.truncated);
    CHECK(cut.notes == "K600 (byte 15022) x1\n");
  }
}

TEST_CASE("A member over the limit is dropped", "[adapters][json]") {
  const Walked outcome =
      read("{\"big\": \"" + std::string(17'000'000, 'x') + "\", \"small\": 1, \"traceEvents\": [{\"a\": 1}]}");
  CHECK(outcome.events.size() == 1);
  CHECK(outcome.members == std::vector<std::pair<std::string, std::string>>{{"small", "1"}});
  CHECK(outcome.notes == "K607 (big) x1\n");
}

TEST_CASE("Members without end do not fill the memory", "[adapters][json]") {
  std::string text = "{";
  for (int i = 0; i < 1'500'000; ++i) text += "\"a\":1,";
  const Walked outcome = read(text + "\"traceEvents\": [{\"a\": 1}]}");
  CHECK(outcome.events.size() == 1);
  CHECK(outcome.members.size() > 500'000);
  CHECK(outcome.members.size() < 1'100'000);
  CHECK(outcome.notes.starts_with("K607 (members around the events)"));
}

TEST_CASE("Bytes behind the document are noted", "[adapters][json]") {
  CHECK(read_every_way("[{\"a\": 1}]\n\n  [{\"b\": 2}]\n").notes == "K629 (11 bytes from byte 14) x1\n");
  CHECK(read_every_way("{\"traceEvents\": [{\"a\": 1}]}" + std::string(3, '\0')).notes ==
        "K608 (3 bytes from byte 27) x1\n");
  CHECK(read_every_way("[{\"a\": 1}]  \n ").notes.empty());
}

TEST_CASE("A damaged stream is a truncated trace", "[adapters][json]") {
  // A zstd frame with one raw block of 20 bytes, and the header of another block that never comes.
  const std::string frame = "\x28\xB5\x2F\xFD\x00\x58\xA0\x00\x00"s + R"([{"a": 1},{"b": 2},{)" + "\xA0";
  const Walked outcome = read(frame);
  CHECK(outcome.events.size() == 2);
  CHECK(outcome.truncated);
  CHECK(outcome.notes == "K600 (byte 20) x1\nK601 (the zstd stream is cut off, after byte 20) x1\n");
}

TEST_CASE("Reading stops when it is cancelled or the handler throws", "[adapters][json]") {
  std::string text = "[{\"a\": 1}";
  for (int i = 0; i < 10'000; ++i) text += ",{\"a\": 1}";
  EventOptions options;
  options.chunk_bytes = 1000;
  auto input = open_input("trace.json", text);
  REQUIRE(input);
  FakeSink sink(4);
  SECTION("cancelled") {
    const auto document = read_events(**input, sink, options, [&](EventCursor&, std::uint64_t) { sink.cancel = true; });
    CHECK(document);
    CHECK(sink.events < 1000);
  }
  SECTION("thrown") {
    CHECK_THROWS_AS(
        read_events(**input, sink, options, [](EventCursor&, std::uint64_t) { throw std::runtime_error("full"); }),
        std::runtime_error);
  }
}

namespace {

/// Writes JSON that is valid and as unpleasant as can be, and what a reader must say of it.
class HostileTrace {
 public:
  explicit HostileTrace(std::uint32_t seed) : random_(seed) {}

  std::string text;
  Events events;

  void write(int count) {
    text = std::string("{\"before\"") + blanks() + ":" + value(2) + ", \"traceEvents\":" + blanks() + "[" + blanks();
    for (int i = 0; i < count; ++i) {
      if (i != 0) text += "," + blanks();
      write_event();
      text += blanks();
    }
    text += "], \"after\": " + value(2) + "}";
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_()) % limit; }

  std::string blanks() {
    constexpr std::string_view choices = " \n\t\r";
    std::string text;
    for (std::uint32_t n = below(8) == 0 ? below(80) : below(3); n > 0; --n) text += choices[below(4)];
    return text;
  }

  std::string string() {
    constexpr const char* parts[] = {"\\\\", "\\\"",    "{", "}",           "[",   "]", ",",      ":",
                                     "\\n",  "\\u005c", "a", "traceEvents", "},{", " ", "\u4e2d", "\\\\\\\\\\\\"};
    std::string text = "\"";
    for (std::uint32_t n = below(6) == 0 ? below(60) : below(4); n > 0; --n) text += parts[below(std::size(parts))];
    return text + "\"";
  }

  std::string value(std::uint32_t depth) {
    const std::uint32_t kind = below(depth == 0 ? 4 : 6);
    if (kind < 2) return string();
    if (kind == 2) return std::to_string(random_());
    if (kind == 3) return std::vector<std::string>{"null", "true", "-1.5e3", "NaN"}[below(4)];
    std::string text = kind == 4 ? "[" : "{";
    for (std::uint32_t i = 0, n = below(4); i < n; ++i) {
      text += (i == 0 ? "" : ",") + blanks();
      if (kind == 5) text += string() + blanks() + ":" + blanks();
      text += value(depth - 1) + blanks();
    }
    return text + (kind == 4 ? "]" : "}");
  }

  /// Members as text, and appended to `expected` as `dump` writes them.
  std::string members(std::string& expected) {
    std::string text;
    for (std::uint32_t i = 0, n = below(6); i < n; ++i) {
      const std::string key = string();
      const std::string content = value(2);
      text += (i == 0 ? "" : ",") + blanks() + key + blanks() + ":" + blanks() + content + blanks();
      expected += " " + key.substr(1, key.size() - 2) + "=" + content;
    }
    return text;
  }

  void write_event() {
    std::string event = std::to_string(text.size()) + ":";
    std::string args;
    std::string content = members(event);
    if (below(2) == 0)
      content += (content.empty() ? "" : ",") + blanks() + "\"args\"" + blanks() + ":" + blanks() + "{" +
                 members(args) + "}" + blanks();
    text += "{" + content + "}";
    events.push_back(event + " |" + args);
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("Threads, chunks and cuts do not change what is read", "[adapters][json]") {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    HostileTrace trace(seed);
    trace.write(120);
    const Walked outcome = read_every_way(trace.text);
    CHECK(outcome.events == trace.events);
    CHECK(outcome.members.size() == 2);
    CHECK_FALSE(outcome.truncated);
    CHECK(outcome.notes.empty());
    // The same with something wrong somewhere: nothing to compare with but itself.
    std::mt19937 random(seed);
    for (int i = 0; i < 5; ++i) {
      std::string damaged = trace.text;
      for (int j = 0; j <= i; ++j) damaged[random() % damaged.size()] = "\"\\{}[],:\n\xFF"[random() % 10];
      read_every_way(damaged.substr(0, random() % (2 * damaged.size())));
    }
  }
}

TEST_CASE("The kernels of all machines agree", "[adapters][json]") {
  if (avx2_kernels() == nullptr) return;
  std::mt19937 random(7);
  constexpr std::string_view signs = "\"\"\\\\{}[],: \n\x01\xC3xyz";
  for (int round = 0; round < 3000; ++round) {
    const std::size_t size = random() % 400;
    std::string text;
    while (text.size() < size) text.append(random() % 8 == 0 ? random() % 70 : 1, signs[random() % signs.size()]);
    const std::size_t used = text.size();
    text += std::string(block_bytes, '"');  // what stands behind the text must not matter
    const std::size_t longest = random() % 2 == 0 ? 20 : used;
    const ElementBounds fast = avx2_kernels()->find_elements(text.data(), used, longest);
    const ElementBounds plain = portable_kernels.find_elements(text.data(), used, longest);
    REQUIRE(fast.end == plain.end);
    REQUIRE(fast.long_end == plain.long_end);
    REQUIRE(fast.closed == plain.closed);
    std::vector<std::uint32_t> fast_places(used + block_bytes);
    std::vector<std::uint32_t> plain_places(used + block_bytes);
    const StructureIndex fast_index = avx2_kernels()->index(text.data(), used, fast_places.data());
    const StructureIndex plain_index = portable_kernels.index(text.data(), used, plain_places.data());
    REQUIRE(fast_index.count == plain_index.count);
    REQUIRE(fast_index.unusual == plain_index.unusual);
    fast_places.resize(fast_index.count);
    plain_places.resize(plain_index.count);
    REQUIRE(fast_places == plain_places);
  }
}
