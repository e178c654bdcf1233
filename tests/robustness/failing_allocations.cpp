// SPDX-License-Identifier: Apache-2.0
// Fails allocations of calls of the C interface, one after the other: each time the status says so, nothing leaks and
// nothing crashes: failing_allocations EXAMPLES FIXTURES [all]. EXAMPLES: the folder of that name; FIXTURES: a folder
// with an input `*.in` for each adapter. Of a small diagnosis many allocations fail, evenly spread, of longer calls
// some of each part; with `all` (half an hour) every one, but of the longest calls some thousand: each that fails needs
// the call again up to it, so that all of them would cost the square of their number. RE2 is not written for
// allocations that fail: it loses the blocks of the expression that it was compiling. These are counted apart.
#include <kdiag/kdiag.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/robustness/failing_allocator.hpp"

namespace {

constexpr char rules_text[] = R"(kdiag: 1
define:
- {name: long_kernels, expr: kernels where dur > 5us}
rules:
- rule: test.long-kernels
  title: ${n} long kernels, the longest ${longest}
  for_each: run
  let:
    n: count(long_kernels)
    longest: argmax(kernels, dur, name)
  when: n > 0 and any(kernels, name =~ /^g.*m/)
  impact: sum(long_kernels, dur)
  evidence:
    kernels: top(kernels, 2, dur)
  recommend:
    - text: Make ${longest} shorter.
)";

/// A trace that is read by several threads: of several chunks.
std::string long_trace() {
  std::string text = R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "g"}], "traceEvents": [)";
  for (int i = 0; text.size() < (1300U << 10U); ++i) {
    const std::string at = std::to_string(100 * i);
    text += R"({"ph": "X", "cat": "python_function", "name": "t.py(4): f", "pid": 1, "tid": 1, "ts": )" + at +
            R"(, "dur": 90, "args": {"Python id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "pid": 1, "tid": 1, "ts": )" +
            at + R"(, "dur": 60, "args": {"External id": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": )" +
            at + R"(, "dur": 5, "args": {"correlation": )" + std::to_string(i) + R"(}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": )" +
            at + R"(, "dur": 40, "args": {"device": 0, "stream": 7, "correlation": )" + std::to_string(i) + "}},\n";
  }
  return text + "{}]}";
}

constexpr char trace_text[] = "Kernel | Latency Tensor DRAM\ngemm | 8000 0.5 0.2\nrelu | 4000 0.0 0.6\nbad row\n";

/// The handles of a work, freed together, and how far it got.
struct Work {
  Work() {
    status = kdiag_context_new(&context);
    if (status == KDIAG_OK) kdiag_context_set_threads(context, 1);
  }
  ~Work() {
    kdiag_text_free(text);
    kdiag_answer_free(answer);
    kdiag_report_free(report);
    kdiag_builder_free(builder);
    kdiag_facts_free(other);
    kdiag_facts_free(facts);
    kdiag_rules_free(rules);
    kdiag_map_free(map);
    kdiag_context_free(context);
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Whether this step and all before it went well. Nothing is allocated here, as it could fail.
  template <class Call>
  bool step(const char* name, const Call& call) {
    if (status != KDIAG_OK) return false;
    stage = name;
    status = call();
    if (status != KDIAG_OK && status != KDIAG_ERROR_MEMORY) std::fprintf(stderr, "%s\n", kdiag_last_error(context));
    return status == KDIAG_OK;
  }
  /// A step that gives a text, which is dropped.
  template <class Call>
  bool text_step(const char* name, const Call& call) {
    const bool fine = step(name, call);
    kdiag_text_free(text);
    text = nullptr;
    return fine;
  }

  kdiag_context* context = nullptr;
  kdiag_map* map = nullptr;
  kdiag_rules* rules = nullptr;
  kdiag_facts *facts = nullptr, *other = nullptr;
  kdiag_builder* builder = nullptr;
  kdiag_report* report = nullptr;
  kdiag_answer* answer = nullptr;
  kdiag_text* text = nullptr;
  kdiag_status status = KDIAG_OK;
  const char* stage = "context";
};

kdiag_status rendered(const char* made) { return made == nullptr ? KDIAG_ERROR_MEMORY : KDIAG_OK; }

int take(void* /*user*/, const char* /*bytes*/, std::size_t /*size*/) { return 1; }
void tell(void* /*user*/, int /*level*/, const char* /*id*/, const char* /*text*/) {}

/// Paths of what comes with kdiag.
struct Examples {
  explicit Examples(const std::string& folder)
      : trace(folder + "/traces/item_storm.json"),
        log(folder + "/traces/trainer_log.csv"),
        map(folder + "/maps/trainer_log.yaml"),
        rules(folder + "/rules"),
        own_rules(rules + "/loss_reads.yaml") {}
  const std::string trace, log, map, rules, own_rules;
};
const Examples* examples = nullptr;

bool load_rules(Work& work) {
  kdiag_rule_options options{};
  options.size = sizeof options;
  options.without_builtin = 1;
  return work.step("rules", [&] {
    return kdiag_rules_load_text(work.context, "r.yaml", rules_text, std::strlen(rules_text), &options, &work.rules);
  });
}

bool load_facts(Work& work) {
  return work.step(
      "facts", [&] { return kdiag_facts_load(work.context, "t", trace_text, std::strlen(trace_text), &work.facts); });
}

// --- What is done ---------------------------------------------------------------------------------------------------

void diagnose(Work& work) {
  load_rules(work);
  load_facts(work);
  work.step("diagnose",
            [&] { return kdiag_diagnose(work.context, work.facts, nullptr, work.rules, nullptr, &work.report); });
  work.step("json", [&] { return rendered(kdiag_report_json(work.report, nullptr)); });
  work.step("text", [&] { return rendered(kdiag_report_text(work.report, nullptr)); });
  work.step("markdown", [&] { return rendered(kdiag_report_markdown(work.report, nullptr)); });
  work.step("sarif", [&] { return rendered(kdiag_report_sarif(work.report, nullptr)); });
  work.step("query", [&] {
    return kdiag_query(work.context, work.facts, nullptr, work.rules, "top(kernels, 1, dur)", &work.answer);
  });
  work.text_step("explain", [&] {
    return kdiag_explain(work.context, work.facts, nullptr, work.rules, "test.long-kernels", &work.text);
  });
}

/// The same with threads that read, judge and check rules.
void diagnose_on_threads(Work& work) {
  static const std::string trace = long_trace();
  kdiag_context_set_threads(work.context, 3);
  load_rules(work);
  work.step("facts on threads",
            [&] { return kdiag_facts_load(work.context, "t", trace.data(), trace.size(), &work.facts); });
  work.step("diagnose on threads",
            [&] { return kdiag_diagnose(work.context, work.facts, nullptr, work.rules, nullptr, &work.report); });
  work.step("compare on threads", [&] {
    kdiag_report_free(std::exchange(work.report, nullptr));
    return kdiag_compare(work.context, work.facts, work.facts, work.rules, nullptr, &work.report);
  });
  work.step("json", [&] { return rendered(kdiag_report_json(work.report, nullptr)); });
}

void check_rules_on_threads(Work& work) {
  kdiag_context_set_threads(work.context, 3);
  work.step("built-in rules on threads",
            [&] { return kdiag_rules_load_paths(work.context, nullptr, 0, nullptr, &work.rules); });
}

void compare(Work& work) {
  load_rules(work);
  load_facts(work);
  work.step("compare",
            [&] { return kdiag_compare(work.context, work.facts, work.facts, work.rules, nullptr, &work.report); });
  work.step("comparison as json", [&] { return rendered(kdiag_report_json(work.report, nullptr)); });
  work.text_step("comparison as text",
                 [&] { return kdiag_report_format(work.context, work.report, nullptr, &work.text); });
  work.step("query of both", [&] {
    return kdiag_query(work.context, work.facts, work.facts, work.rules, "delta(run.wall)", &work.answer);
  });
  work.text_step("explain both", [&] {
    return kdiag_explain(work.context, work.facts, work.facts, work.rules, "test.long-kernels", &work.text);
  });
}

void judge_by_builtin_rules(Work& work) {
  const char* const paths[] = {examples->own_rules.c_str()};
  kdiag_context_set_log(work.context, tell, nullptr);
  work.step("built-in rules", [&] { return kdiag_rules_load_paths(work.context, paths, 1, nullptr, &work.rules); });
  work.step("trace",
            [&] { return kdiag_facts_load_path(work.context, examples->trace.c_str(), nullptr, &work.facts); });
  work.step("diagnose",
            [&] { return kdiag_diagnose(work.context, work.facts, nullptr, work.rules, nullptr, &work.report); });
  work.text_step("text", [&] { return kdiag_report_format(work.context, work.report, nullptr, &work.text); });
}

void load_both_sides(Work& work) {
  const char* const paths[] = {examples->trace.c_str()};
  work.step("sides",
            [&] { return kdiag_sides_load(work.context, paths, 1, paths, 1, nullptr, &work.facts, &work.other); });
}

void read_mapped(Work& work) {
  work.step("map", [&] { return kdiag_map_load_path(work.context, examples->map.c_str(), &work.map); });
  const kdiag_map* const maps[] = {work.map};
  kdiag_load_options options{};
  options.size = sizeof options;
  options.maps = maps;
  options.map_count = 1;
  work.step("mapped",
            [&] { return kdiag_facts_load_path(work.context, examples->log.c_str(), &options, &work.facts); });
}

void write_facts_file(Work& work) {
  const char* const paths[] = {examples->trace.c_str()};
  work.step("export", [&] { return kdiag_facts_export(work.context, paths, 1, take, nullptr); });
}

void build_facts(Work& work) {
  work.step("builder", [&] { return kdiag_builder_new(work.context, "mine", nullptr, &work.builder); });
  kdiag_rows* const rows = kdiag_builder_rows(work.builder);
  const kdiag_row device = kdiag_rows_device_of(rows, kdiag_rows_rank(rows, 3), 0);
  for (int i = 0; i < 5; ++i) {
    const kdiag_row kernel = kdiag_rows_add(rows, "kernels");
    kdiag_rows_set_text(rows, kernel, "name", "gemm", 4);
    kdiag_rows_set_integer(rows, kernel, "start", i * 1000);
    kdiag_rows_set_integer(rows, kernel, "dur", 10);
    kdiag_rows_set_row(rows, kernel, "device", device);
    kdiag_rows_set_row(rows, kernel, "stream", kdiag_rows_stream(rows, device, 7));
  }
  const std::int64_t starts[] = {5000, 6000};
  const std::uint32_t places[] = {0, 0};
  const kdiag_string name = {"relu", 4};
  kdiag_column_values columns[2]{};
  columns[0] = {sizeof columns[0], "start", KDIAG_COLUMN_INTEGER, starts, 2, 0, nullptr, nullptr, 0};
  columns[1] = {sizeof columns[1], "name", KDIAG_COLUMN_STRING, places, 2, 0, nullptr, &name, 1};
  kdiag_rows_add_columns(rows, "kernels", 2, columns, 2, nullptr);
  kdiag_builder_drop_before(work.builder, 1500);
  kdiag_rows_frame(rows, "a.py", 3, "f", "line", nullptr);
  kdiag_rows_thread(rows, 1, 2);
  kdiag_rows_shift_times(rows, 5);
  kdiag_rows_declare(rows, "copies");
  work.step("rows", [&] { return kdiag_rows_check(work.context, rows); });
  work.step("build", [&] { return kdiag_builder_build(work.context, work.builder, nullptr, &work.facts); });
  work.text_step("facts as text", [&] { return kdiag_facts_text(work.context, work.facts, &work.text); });
  work.text_step("facts as json", [&] { return kdiag_facts_json(work.context, work.facts, &work.text); });
}

int sniff_all(void* /*user*/, const char* /*bytes*/, std::size_t /*size*/) { return 100; }
int read_as_kernels(void* /*user*/, kdiag_reader* reader, kdiag_rows* rows, kdiag_run_info* info) {
  char buffer[16];
  std::int64_t got = 0;
  kdiag_run_info own{};
  own.size = sizeof own;
  own.producer = "mine";
  if (kdiag_reader_run(reader, &own) != KDIAG_OK) return 1;
  while ((got = kdiag_reader_read(reader, buffer, sizeof buffer)) > 0) {
    const kdiag_row kernel = kdiag_rows_add(rows, "kernels");
    kdiag_rows_set_integer(rows, kernel, "dur", got);
    kdiag_rows_set_text(rows, kernel, "name", buffer, static_cast<std::size_t>(got));
  }
  kdiag_reader_skip(reader, "a line");
  kdiag_reader_count_events(reader, 3);
  info->label = "label";
  return got < 0 ? 1 : 0;
}
std::int64_t give_bytes(void* user, char* buffer, std::size_t size) {
  auto& left = *static_cast<std::size_t*>(user);
  const std::size_t given = std::min(left, size);
  std::memset(buffer, 'x', given);
  left -= given;
  return static_cast<std::int64_t>(given);
}

void read_by_the_host(Work& work) {
  kdiag_adapter adapter{};
  adapter.size = sizeof adapter;
  adapter.id = "mine";
  adapter.sniff = sniff_all;
  adapter.read = read_as_kernels;
  const kdiag_adapter* const adapters[] = {&adapter};
  kdiag_load_options options{};
  options.size = sizeof options;
  options.adapters = adapters;
  options.adapter_count = 1;
  std::size_t left = 100;
  kdiag_input inputs[2]{};
  inputs[0].size = inputs[1].size = sizeof(kdiag_input);
  inputs[0].kind = KDIAG_INPUT_MEMORY;
  inputs[0].name = "memory";
  inputs[0].bytes = trace_text;
  inputs[0].byte_count = std::strlen(trace_text);
  inputs[1].kind = KDIAG_INPUT_CALLBACK;
  inputs[1].name = "callback";
  inputs[1].read = give_bytes;
  inputs[1].user = &left;
  work.step("inputs of the host",
            [&] { return kdiag_facts_load_inputs(work.context, inputs, 2, &options, &work.facts); });
}

void use_tools(Work& work) {
  const char* const names[] = {"kernels", "copies"};
  const char* const paths[] = {examples->rules.c_str()};
  std::size_t count = 0;
  load_rules(work);
  load_facts(work);
  kdiag_context* const c = work.context;
  kdiag_text** const out = &work.text;
  work.text_step("describe", [&] { return kdiag_rules_describe(c, work.rules, "test.long-kernels", out); });
  work.text_step("page", [&] { return kdiag_rules_page(c, work.rules, "test.long-kernels", out); });
  work.text_step("index", [&] { return kdiag_rules_index(c, work.rules, out); });
  work.text_step("source", [&] { return kdiag_rules_source(c, work.rules, "test.long-kernels", out); });
  work.text_step("list", [&] { return kdiag_rules_list(c, work.rules, nullptr, 0, KDIAG_FORMAT_TEXT, out); });
  work.text_step("format", [&] { return kdiag_rules_format(c, "r", rules_text, std::strlen(rules_text), out); });
  work.text_step("skeleton", [&] { return kdiag_rules_skeleton(c, "a.b", out); });
  work.text_step("cut test", [&] { return kdiag_rules_cut_test(c, work.facts, work.rules, "test.long-kernels", out); });
  work.text_step("complete", [&] { return kdiag_query_complete(c, work.rules, "count(ker", 9, &count, out); });
  work.text_step("help", [&] { return kdiag_query_help(c, work.rules, "kernels", out); });
  work.text_step("schema", [&] { return kdiag_rule_schema(c, out); });
  work.text_step("catalogue", [&] { return kdiag_catalogue(c, out); });
  work.text_step("formats", [&] { return kdiag_formats(c, out); });
  work.text_step("did you mean", [&] { return kdiag_did_you_mean(c, "kernel", names, 2, out); });
  work.text_step("duration", [&] { return kdiag_duration_range_format(c, 0, 4500000000, out); });
  work.text_step("tests of rules", [&] { return kdiag_rules_test(c, paths, 1, KDIAG_FORMAT_JSON, &count, out); });
}

/// Mistakes are told in texts, too.
void make_mistakes(Work& work) {
  static constexpr char bad[] = "kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  when: cuont(kernels) > 1\n";
  work.step("mistakes", [&] {
    const kdiag_status status = kdiag_rules_load(work.context, "bad.yaml", bad, sizeof bad - 1, &work.rules);
    return status == KDIAG_ERROR_RULES ? KDIAG_OK : status;
  });
  work.text_step("mistakes as SARIF",
                 [&] { return kdiag_diagnostics_format(work.context, KDIAG_FORMAT_SARIF, &work.text); });
}

// --- How it is done -------------------------------------------------------------------------------------------------

class Tester {
 public:
  /// Does the work again and again, so that at most so many of its allocations fail, evenly spread.
  void fail_each(const std::string& name, const std::function<void(Work&)>& use, long most) {
    long allocations = 0;
    for (int warm_up = 0; warm_up < 2; ++warm_up) {  // what is made once for a process
      failing::fail_after(std::numeric_limits<long>::max());
      Work work;
      use(work);
      allocations = failing::end().made;
      if (work.status != KDIAG_OK) return complain(name, work, "fails without a failing allocation");
    }
    const long points = std::min(most, allocations);
    for (long i = 0; i < points && failures_ < 20; ++i) fail_one(name, use, i * allocations / points);
  }

  int report() const {
    std::printf("%ld allocations failed, one at a time; %d were not handled; in %ld RE2 lost blocks of its own\n",
                points_, failures_, lost_by_re2_);
    return failures_ == 0 ? 0 : 1;
  }

 private:
  void fail_one(const std::string& name, const std::function<void(Work&)>& use, long point) {
    const long before = failing::alive();
    ++points_;
    failing::Seen seen;
    {
      failing::fail_after(point);
      Work work;
      if (work.status == KDIAG_OK) use(work);
      seen = failing::end();
      // RE2 shrinks a string, which keeps its memory where there is no other.
      const bool unneeded = seen.inside_re2 && work.status == KDIAG_OK;
      if (seen.thrown && !unneeded && work.status != KDIAG_ERROR_MEMORY)
        complain(name, work, "allocation " + std::to_string(point) + " failed");
    }
    const long lost = failing::alive() - before;
    failing::forget_lost(before);
    if (lost == 0) return;
    if (seen.inside_re2) ++lost_by_re2_;
    else {
      std::fprintf(stderr, "%s: allocation %ld: %ld blocks leaked\n", name.c_str(), point, lost);
      ++failures_;
    }
  }

  void complain(const std::string& name, const Work& work, const std::string& what) {
    std::fprintf(stderr, "%s: %s: %s: %s\n", name.c_str(), work.stage, what.c_str(), kdiag_status_text(work.status));
    ++failures_;
  }

  long points_ = 0, lost_by_re2_ = 0;
  int failures_ = 0;
};

/// The fixtures of adapters that are read without an error.
std::vector<std::string> readable_inputs(const char* folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".in") continue;
    Work work;
    if (kdiag_facts_load_path(work.context, entry.path().c_str(), nullptr, &work.facts) == KDIAG_OK)
      out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const bool all_points = argc == 4 && std::strcmp(argv[3], "all") == 0;
  if (argc != 3 && !all_points) {
    std::fprintf(stderr, "usage: failing_allocations EXAMPLES FIXTURES [all]\n");
    return 2;
  }
  const Examples shipped(argv[1]);
  examples = &shipped;
  Tester tester;
  struct Trial {
    const char* name;
    void (*use)(Work&);
    long most, most_of_all;  ///< allocations that fail in a test, and with `all`
  };
  // Judgement: the tests take a minute on one processor.
  constexpr long every = std::numeric_limits<long>::max(), in_reading = 3, in_reading_of_all = 5000;
  constexpr Trial trials[] = {{"diagnose", diagnose, 1500, every},
                              {"mistakes", make_mistakes, 1500, every},
                              {"builder", build_facts, 1500, every},
                              {"reading by the host", read_by_the_host, 1500, every},
                              {"diagnose on threads", diagnose_on_threads, 60, 1000},
                              {"rules on threads", check_rules_on_threads, 60, 10000},
                              {"compare", compare, 60, every},
                              {"mapping", read_mapped, every, every},
                              {"export", write_facts_file, 60, every},
                              {"sides", load_both_sides, 60, every},
                              {"tools", use_tools, 60, 2000},
                              {"built-in rules", judge_by_builtin_rules, 60, 5000}};
  for (const Trial& trial : trials)
    tester.fail_each(trial.name, trial.use, all_points ? trial.most_of_all : trial.most);
  const std::vector<std::string> inputs = readable_inputs(argv[2]);
  for (const std::string& input : inputs)
    tester.fail_each(
        input,
        [&input](Work& work) {
          work.step("load", [&] { return kdiag_facts_load_path(work.context, input.c_str(), nullptr, &work.facts); });
        },
        all_points ? in_reading_of_all : in_reading);
  std::printf("%zu inputs of adapters\n", inputs.size());
  return inputs.empty() ? 1 : tester.report();
}
