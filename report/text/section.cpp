// SPDX-License-Identifier: Apache-2.0
#include "report/text/section.hpp"

#include <utility>

#include "base/phrases.hpp"
#include "report/phrases/table.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t least_room = 20;  // a table that has less is cut by the terminal, not by us (judgement)

}  // namespace

void Section::line(const std::string& text) {
  page_.field(label_, 1, section_column, words_of(text), Style::strong);
  label_ = {};
}

void Section::table(std::vector<std::vector<std::string>> cells, const std::vector<bool>& right) {
  const std::size_t room = page_.width() > section_column + least_room ? page_.width() - section_column : least_room;
  for (const std::string& row : align_columns(std::move(cells), right, room)) {
    std::string head = " " + page_.paint(Style::strong, label_);
    head.append(section_column - 1 - label_.size(), ' ');
    page_.line(head + row);
    label_ = {};
  }
}

void Section::more(std::size_t count, std::string_view what) {
  if (count > 0) line(counted(count, what) + " with --all");
}

}  // namespace kdiag::report
