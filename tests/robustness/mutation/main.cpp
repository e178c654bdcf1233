// SPDX-License-Identifier: Apache-2.0
// Damages inputs of every format, in every container, and holds what kdiag says of them against what must hold:
//
//     mutations FIXTURES [--seed N] [--first N] [--count N] [--format NAME] [--keep FOLDER] [--table]
//     mutations FIXTURES --replay FILE
//
// FIXTURES: a folder of folders by format with inputs `*.in`. Mutation N of a seed is always the same, whatever came
// before. What is found is printed with the words that make it again, and its bytes are kept. Ends with 1 where
// anything was found; a crash or an answer that takes too long ends the program by a signal, with the same words.
#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <kdiag/kdiag.hpp>

#include "tests/robustness/counting_allocator.hpp"
#include "tests/robustness/mutation/containers.hpp"
#include "tests/robustness/mutation/inputs.hpp"
#include "tests/robustness/mutation/mutate.hpp"
#include "tests/robustness/mutation/oracles.hpp"

using namespace kdiag;
using namespace kdiag::mutation;

namespace {

// What an answer may take of a processor: other programs at work make none longer. An input of some MB can state a
// hundred thousand runs, each of which is judged and written in every form: 8 us for each byte and form. Beyond the
// time of the clock it waits for what never comes. Under the address sanitizer, without
// much optimisation, the same takes ten times as long (measured on a log of 2,930 devices: 6.6 and 77 s).
#if defined(__SANITIZE_ADDRESS__)
constexpr double slowdown = 10;
#else
constexpr double slowdown = 1;
#endif
constexpr double longest_seconds = slowdown * 60, longest_seconds_per_byte = slowdown * 40e-6;
constexpr unsigned longest_wait_seconds = 1800;

struct Options {
  std::string fixtures, format, keep = ".", replay;
  std::uint64_t seed = 1, first = 0, count = 1000;
  bool table = false;
};

/// What was made of one input.
struct Mutation {
  std::string how;    ///< in words
  std::string bytes;  ///< what kdiag gets
  Container container = Container::none;
  std::optional<std::string> plain;  ///< unpacked, where only the container differs: the same answer is due
  std::optional<std::string> whole;  ///< what it would be without damage
  bool cut = false;                  ///< it is the beginning of `whole`, and can be seen to be no more
  std::size_t unpacked_bytes = 0;    ///< of the damaged input without its container
};

/// Gives the answer that follows its time.
void start_clock(const Mutation& made) {
  const double seconds = longest_seconds + longest_seconds_per_byte * static_cast<double>(made.unpacked_bytes);
  const itimerval processor{{}, {static_cast<time_t>(seconds), 0}};
  ::setitimer(ITIMER_PROF, &processor, nullptr);
  ::alarm(longest_wait_seconds);
}

void stop_clock() {
  const itimerval none{};
  ::setitimer(ITIMER_PROF, &none, nullptr);
  ::alarm(0);
}

std::string cut(std::string_view bytes, Choices& choices) {
  return std::string(bytes.substr(0, choices.below(bytes.size())));
}

/// Compressed streams carry the input alone, archives beside another of the same format.
std::string wrap(Container container, const std::string& bytes, const Format& format, Choices& choices) {
  std::vector<Member> members = {{"a/one.trace", bytes}};
  if (choices.once_in(2)) members.push_back({"b/two.trace", format.inputs[choices.below(format.inputs.size())].bytes});
  return packed(container, members);
}

bool is_stream(Container container) {
  return container == Container::gzip || container == Container::zstd || container == Container::xz;
}

Mutation mutate(const Format& format, Choices& choices) {
  const WholeInput& input = format.inputs[choices.below(format.inputs.size())];
  Mutation made{input.name, input.bytes};
  if (input.structure == Structure::text && choices.once_in(16)) {
    repeat_lines(made.bytes, std::size_t{1} << (12 + choices.below(7)), choices);
    made.how += ", repeated";
  }
  made.whole = made.bytes;
  const std::size_t kind = choices.below(8);
  if (kind == 0) {
    made.bytes = cut(made.bytes, choices);
    made.cut = !ends_with_record(*made.whole, made.bytes.size(), input.structure);
    made.how += ", cut";
  } else if (kind == 1) {
    mutate_bytes(made.bytes, choices);
    made.how += ", bytes";
  } else {
    mutate_structure(made.bytes, input.structure, choices);
    made.how += ", structure";
    if (choices.once_in(8)) mutate_bytes(made.bytes, choices);
  }
  made.unpacked_bytes = std::max(made.bytes.size(), made.whole->size());
  if (!choices.once_in(4)) return made;

  made.container = containers[1 + choices.below(std::size(containers) - 1)];
  made.how += " in " + std::string(name_of(made.container));
  if (choices.once_in(2)) {  // the damage inside
    if (is_stream(made.container)) made.plain = made.bytes;
    made.bytes = wrap(made.container, made.bytes, format, choices);
    made.whole.reset();
    made.cut = false;
    return made;
  }
  made.whole = wrap(made.container, *made.whole, format, choices);  // the damage outside
  made.bytes = *made.whole;
  made.cut = choices.once_in(2);
  if (made.cut) made.bytes = cut(made.bytes, choices);
  else mutate_bytes(made.bytes, choices);
  made.how += made.cut ? ", which is cut" : ", which is damaged";
  return made;
}

class Checker {
 public:
  explicit Checker(const RuleSet& rules) : rules_(rules) {}

  /// What is wrong with how kdiag takes it; empty: nothing.
  std::vector<std::string> check(const Mutation& made, Choices& choices) {
    std::vector<std::string> wrong;
    Cost cost;
    start_clock(made);
    const Answer one = checked_answer(made.bytes, rules_, cost, wrong);
    const auto timely_answer = [&](std::string_view bytes, Door door) {
      start_clock(made);
      return answer(bytes, rules_, door);
    };
    const auto same = [&](const char* what, const Answer& other) {
      if (const std::string text = difference(one, other); !text.empty())
        wrong.push_back(std::string(what) + ": " + text);
    };
    same("with three threads", timely_answer(made.bytes, {.threads = 3}));
    if (choices.once_in(8)) same("from a file", timely_answer(made.bytes, {.from_file = true}));
    if (made.plain) same("unpacked", timely_answer(*made.plain, {}));
    else if (made.container == Container::none && choices.once_in(8))
      same("in gzip", timely_answer(packed(Container::gzip, {{"mutated", made.bytes}}), {}));
    if (made.whole) {
      start_clock(made);
      hold_against_whole(made, one, cost, wrong);
    }
    stop_clock();
    return wrong;
  }

 private:
  struct Known {
    Answer answer;
    Cost cost;
  };

  void hold_against_whole(const Mutation& made, const Answer& one, const Cost& cost, std::vector<std::string>& wrong) {
    const Known& whole = of_whole(*made.whole);
    if (made.cut && !one.told_loss && work_of(one) != work_of(whole.answer))
      wrong.emplace_back("a cut input that no note speaks of");
    if (!counting::enabled()) return;
    // The window that a frame of zstd asks for, up to the limit: reserved, and not touched beyond what is unpacked.
    const std::size_t reserved = made.container == Container::zstd ? std::size_t{128} << 20U : 0;
    if (const std::string text = beyond(whole.cost, made.whole->size(), cost, made.bytes.size(), reserved);
        !text.empty())
      wrong.push_back(text);
  }

  /// Fixtures come again and again; what was repeated or packed does not.
  const Known& of_whole(const std::string& bytes) {
    if (known_.size() > 2000) known_.clear();
    const auto [place, fresh] = known_.try_emplace(bytes);
    if (!fresh) return place->second;
    std::vector<std::string> ignored;  // of an input that nobody damaged other tests tell
    place->second.answer = checked_answer(bytes, rules_, place->second.cost, ignored);
    return place->second;
  }

  const RuleSet& rules_;
  std::map<std::string, Known> known_;
};

// The mutation at work, for who looks at a crash: how to make it again, its bytes, and where to keep them.
char where[200];
char kept_path[4096];
const std::string* at_work = nullptr;

void keep_bytes() {
  const int file = ::open(kept_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  for (std::size_t done = 0; file >= 0 && done < at_work->size();) {
    const ssize_t wrote = ::write(file, at_work->data() + done, at_work->size() - done);
    if (wrote <= 0) return;
    done += static_cast<std::size_t>(wrote);
  }
}

/// Calls only what a signal may.
void tell_where(int signal) {
  const bool too_long = signal == SIGALRM || signal == SIGPROF;
  const char* what = too_long ? "takes too long: " : "crashed: ";
  if (at_work != nullptr) keep_bytes();
  if (::write(STDERR_FILENO, what, std::strlen(what)) < 0 || ::write(STDERR_FILENO, where, std::strlen(where)) < 0)
    ::_exit(3);
  std::signal(signal, SIG_DFL);
  std::signal(SIGABRT, SIG_DFL);
  if (too_long) std::abort();
  std::raise(signal);
}

struct Count {
  std::uint64_t made = 0, loaded_packed = 0, found = 0;
};

int run(const Options& options, const RuleSet& rules) {
  std::vector<Format> formats = read_formats(options.fixtures);
  if (!options.format.empty())
    std::erase_if(formats, [&](const Format& format) { return format.name != options.format; });
  if (formats.empty()) {
    std::fprintf(stderr, "mutations: no fixtures in %s\n", options.fixtures.c_str());
    return 2;
  }
  Checker checker(rules);
  std::map<std::string, Count> by_format, by_container;
  std::uint64_t found = 0;
  for (std::uint64_t number = options.first; number < options.first + options.count; ++number) {
    const Format& format = formats[number % formats.size()];
    Choices choices(options.seed, number);
    std::snprintf(where, sizeof where, "mutations %s --seed %" PRIu64 " --first %" PRIu64 " --count 1%s%s\n",
                  options.fixtures.c_str(), options.seed, number, options.format.empty() ? "" : " --format ",
                  options.format.c_str());
    const Mutation made = mutate(format, choices);
    std::snprintf(kept_path, sizeof kept_path, "%s/mutation-%" PRIu64 "-%" PRIu64, options.keep.c_str(), options.seed,
                  number);
    at_work = &made.bytes;
    const auto wrong = checker.check(made, choices);
    at_work = nullptr;
    Count& of_format = by_format[format.name];
    Count& of_container = by_container[std::string(name_of(made.container))];
    ++of_format.made;
    ++of_container.made;
    if (wrong.empty()) continue;
    ++found;
    ++of_format.found;
    ++of_container.found;
    std::ofstream(kept_path, std::ios::binary) << made.bytes;
    std::printf("%s (%s)\n  %s", made.how.c_str(), kept_path, where);
    for (const std::string& what : wrong) std::printf("  %s\n", what.c_str());
    std::fflush(stdout);
  }
  if (options.table)
    for (const auto* counts : {&by_format, &by_container})
      for (const auto& [name, count] : *counts)
        std::printf("| %s | %" PRIu64 " | %" PRIu64 " |\n", name.c_str(), count.made, count.found);
  std::printf("%" PRIu64 " mutations of seed %" PRIu64 ": %" PRIu64 " found\n", options.count, options.seed, found);
  return found == 0 ? 0 : 1;
}

int replay(const Options& options, const RuleSet& rules) {
  std::ifstream file(options.replay, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  Choices choices(options.seed, 0);
  Checker checker(rules);
  int found = 0;
  Mutation made{options.replay, bytes};
  made.unpacked_bytes = bytes.size();
  for (const std::string& what : checker.check(made, choices)) found += std::printf("%s\n", what.c_str()) > 0;
  return found == 0 ? 0 : 1;
}

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--table") options.table = true;
    else if (!word.starts_with("--")) options.fixtures = word;
    else if (++i == argc) return std::nullopt;
    else if (word == "--seed") options.seed = std::strtoull(argv[i], nullptr, 10);
    else if (word == "--first") options.first = std::strtoull(argv[i], nullptr, 10);
    else if (word == "--count") options.count = std::strtoull(argv[i], nullptr, 10);
    else if (word == "--format") options.format = argv[i];
    else if (word == "--keep") options.keep = argv[i];
    else if (word == "--replay") options.replay = argv[i];
    else return std::nullopt;
  }
  if (options.fixtures.empty() && options.replay.empty()) return std::nullopt;
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  auto options = parse(argc, argv);
  if (!options) {
    std::fprintf(
        stderr,
        "usage: mutations FIXTURES [--seed N] [--first N] [--count N] [--format NAME] [--keep FOLDER] [--table]\n"
        "       mutations --replay FILE\n");
    return 2;
  }
  for (std::string* path : {&options->fixtures, &options->keep, &options->replay})
    if (!path->empty() && !path->starts_with('/'))
      if (char* here =
              ::getcwd(nullptr, 0)) {  // a file of the name `mutated` is written to another folder, entered for it
        *path = std::string(here) + '/' + *path;
        std::free(here);
      }
  for (int signal : {SIGALRM, SIGPROF}) std::signal(signal, tell_where);
#if !defined(__SANITIZE_ADDRESS__)
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(signal, tell_where);
#endif
  const auto rules = builtin_rules({.incubating = true});
  if (!rules) return 2;
  return options->replay.empty() ? run(*options, *rules) : replay(*options, *rules);
}
