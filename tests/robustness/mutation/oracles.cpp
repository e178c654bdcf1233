// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/mutation/oracles.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <utility>

#include <unistd.h>

#include "engine/facts/loaded_facts.hpp"
#include "tests/robustness/counting_allocator.hpp"
#include "tests/support/dump_facts.hpp"
#include "tests/support/report_checks.hpp"

namespace kdiag::mutation {
namespace {

constexpr std::string_view input_name = "mutated";

/// A file of the input's name in a folder of its own; one for all, since each mutation is over before the next.
class InputFile {
 public:
  InputFile() {
    const char* parent = std::getenv("TMPDIR");
    folder_ = std::string(parent != nullptr ? parent : "/tmp") + "/kdiag-mutations-XXXXXX";
    if (::mkdtemp(folder_.data()) == nullptr || ::chdir(folder_.c_str()) != 0) {
      std::perror(folder_.c_str());
      std::exit(2);
    }
  }
  ~InputFile() {
    std::remove((folder_ + '/' + std::string(input_name)).c_str());
    ::rmdir(folder_.c_str());
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  void write(std::string_view bytes) const {
    std::ofstream file(folder_ + '/' + std::string(input_name), std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::string folder_;
};

Result<Facts> load(std::string_view bytes, Door door) {
  LoadOptions options;
  options.threads = door.threads;
  if (!door.from_file) return load_trace(input_name, {bytes.data(), bytes.size()}, options);
  static const InputFile file;
  file.write(bytes);
  return load_trace(input_name, options);
}

/// K602: the record in which the input ends may be one that cannot be read.
bool is_loss(const NoteEntry& note) { return note.severity >= NoteSeverity::data_loss || note.id == "K602"; }

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// The first line in which two texts differ.
std::string first_difference(std::string_view a, std::string_view b) {
  const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const std::size_t begin = at < 60 ? 0 : at - 60;
  return "\"" + std::string(a.substr(begin, 120)) + "\" against \"" +
         std::string(b.substr(std::min(begin, b.size()), 120)) + '"';
}

/// `impossible`: where to put what is wrong with the report in itself; null: that is not asked.
Answer answer_of(const Result<Facts>& facts, const RuleSet& rules, unsigned threads,
                 std::vector<std::string>* impossible) {
  Answer out;
  if (!facts) {
    out.errors = render(facts.error());
    out.told_loss = true;
    if (impossible != nullptr && facts.error().empty())
      impossible->emplace_back("an input that could not be read, without an error");
    return out;
  }
  out.loaded = true;
  for (const RunFacts& run : facts->loaded().runs) out.facts += "run " + run.id + '\n' + tests::dump_facts(*run.store);
  for (const InputEntry& input : facts->inputs())
    out.told_loss = out.told_loss || std::any_of(input.notes.begin(), input.notes.end(), is_loss);
  const Report report = diagnose(*facts, rules, {.threads = threads});
  out.report = to_json(report);
  if (impossible == nullptr) return out;
  for (std::string& what : tests::check_values(report, *facts)) impossible->push_back(std::move(what));
  for (std::string& what : tests::check_forms(report, *facts)) impossible->push_back(std::move(what));
  return out;
}

}  // namespace

Answer answer(std::string_view bytes, const RuleSet& rules, Door door) {
  return answer_of(load(bytes, door), rules, door.threads, nullptr);
}

Answer checked_answer(std::string_view bytes, const RuleSet& rules, Cost& cost, std::vector<std::string>& impossible) {
  const std::size_t before = counting::held();
  counting::reset_peak();
  const double started = thread_seconds();
  const Result<Facts> facts = load(bytes, {});
  if (facts) cost.runs = facts->loaded().runs.size();
  Answer out = answer_of(facts, rules, 1, &impossible);
  cost.processor_seconds = thread_seconds() - started;
  cost.peak_bytes = counting::peak() - before;
  return out;
}

std::string work_of(const Answer& answer) {
  std::string out;
  bool notes = false;
  for (std::size_t at = 0; at < answer.facts.size();) {
    const std::size_t end = std::min(answer.facts.find('\n', at), answer.facts.size() - 1) + 1;
    const std::string_view line = std::string_view(answer.facts).substr(at, end - at);
    if (!line.starts_with("  ")) notes = line.starts_with("notes ");
    if (!notes) out += line;
    at = end;
  }
  return out;
}

std::string difference(const Answer& expected, const Answer& other) {
  if (expected == other) return {};
  if (expected.loaded != other.loaded)
    return expected.loaded ? "an error: " + other.errors : "no error: " + expected.errors;
  if (expected.errors != other.errors) return "errors differ: " + first_difference(expected.errors, other.errors);
  if (expected.facts != other.facts) return "facts differ: " + first_difference(expected.facts, other.facts);
  return "reports differ: " + first_difference(expected.report, other.report);
}

std::string beyond(const Cost& whole, std::size_t whole_size, const Cost& damaged, std::size_t damaged_size,
                   std::size_t reserved_bytes) {
  // What recognising, starting a parser and judging an empty run take, and what a noisy machine adds.
  constexpr double least_bytes = 16e6, least_seconds = 0.5;
  // What all rules take for a run that holds next to nothing, with its part of each form of the report: 3 to 6 ms and
  // 0.17 to 0.38 MB measured (the more where a rule fires in each; a half of it is JSON that is read again here), and
  // noise. More than a thousand of them are refused, which costs nothing.
  constexpr double seconds_per_run = 0.01, bytes_per_run = 0.5e6;
  const double larger =
      std::max(1.0, static_cast<double>(damaged_size) / static_cast<double>(std::max<std::size_t>(whole_size, 1)));
  const double bytes = 8 * larger * static_cast<double>(whole.peak_bytes) + least_bytes +
                       static_cast<double>(reserved_bytes) + bytes_per_run * static_cast<double>(damaged.runs);
  const double seconds =
      10 * larger * whole.processor_seconds + least_seconds + seconds_per_run * static_cast<double>(damaged.runs);
  char text[200] = "";
  if (static_cast<double>(damaged.peak_bytes) > bytes)
    std::snprintf(text, sizeof text, "%zu bytes of memory for %zu bytes; whole: %zu for %zu", damaged.peak_bytes,
                  damaged_size, whole.peak_bytes, whole_size);
  else if (damaged.processor_seconds > seconds)
    std::snprintf(text, sizeof text, "%.3f s for %zu bytes; whole: %.3f s for %zu", damaged.processor_seconds,
                  damaged_size, whole.processor_seconds, whole_size);
  return text;
}

}  // namespace kdiag::mutation
