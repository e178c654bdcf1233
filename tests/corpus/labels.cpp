// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/labels.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace kdiag::corpus {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

std::set<std::string> rules_of(const std::string& cell) {
  std::istringstream words(cell);
  return {std::istream_iterator<std::string>(words), {}};
}

void complain(const Label& label, const std::string& what) {
  std::fprintf(stderr, "%s:%d: %s\n", label.table.c_str(), label.line, what.c_str());
}

}  // namespace

std::vector<Label> read_labels(const std::filesystem::path& table) {
  std::ifstream file(table);
  std::vector<Label> labels;
  std::string text;
  bool heading = true;
  for (int line = 1; std::getline(file, text); ++line) {
    if (text.empty() || text.front() == '#') continue;
    if (std::exchange(heading, false)) continue;
    const std::vector<std::string> cells = split(text, ',');
    if (cells.size() != 6) {
      std::fprintf(stderr, "%s:%d: %d columns, expected 6\n", table.c_str(), line, static_cast<int>(cells.size()));
      std::exit(2);
    }
    Label label{.table = table.filename(),
                .line = line,
                .inputs = split(cells[0], '+'),
                .first = rules_of(cells[1]),
                .must = rules_of(cells[2]),
                .may = rules_of(cells[3]),
                .low = rules_of(cells[4]),
                .never = rules_of(cells[5])};
    label.nothing_else = label.never.erase("*") > 0;
    labels.push_back(std::move(label));
  }
  return labels;
}

void judge(const Label& label, const Said& said, Score& score) {
  if (label.must_be_refused()) {
    ++score.no_profile;
    complain(label, "is read, and holds no profile");
    return;
  }
  const bool healthy = label.first == std::set<std::string>{"nothing"} && label.must.empty();
  bool alarmed = false;
  for (const std::string& rule : label.must) {
    if (said.above_low(rule)) score.right(rule);
    else {
      score.missed(rule);
      complain(label, "nothing says " + rule);
    }
  }
  for (const auto& [rule, severity] : said.worst) {
    if (severity < Severity::low) continue;
    const bool low = severity == Severity::low;
    alarmed = alarmed || !low;
    const bool known = label.must.contains(rule) || label.may.contains(rule) || label.first.contains(rule) ||
                       (low && label.low.contains(rule));
    const bool banned = !low && label.never.contains(rule);
    if (low && known) score.right_low(rule);
    if (!banned && (known || !label.nothing_else)) continue;
    score.wrong(rule);
    complain(label, rule + " is not true of it");
  }
  if (healthy) {
    ++score.healthy;
    if (alarmed) ++score.alarmed;
  } else if (!label.first.empty()) {
    ++score.faulty;
    for (const std::string& rule : label.must)
      if (label.first.contains(rule)) score.placed(rule, label.first.contains(said.first));
    if (label.first.contains(said.first)) ++score.named_first;
    else complain(label, "first is " + said.first);
  }
}

void judge_refusal(const Label& label, const std::string& error, Score& score) {
  if (label.may_be_refused()) {
    ++score.no_profile;
    ++score.refused;
    return;
  }
  complain(label, "could not be read: " + error);
  for (const std::string& rule : label.must) score.missed(rule);
  if (!label.first.contains("nothing")) ++score.faulty;
}

}  // namespace kdiag::corpus
