// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/csv.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/io/input.hpp"
#include "adapters/text/units.hpp"
#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t read_bytes = std::size_t{64} << 10U;

std::string_view last_field(std::string_view record) {
  return trim(record.substr(record.find_last_of(",;\t") + 1));  // npos + 1 is 0
}

/// Whether a record ends with a quote that closes its last field, and not with the first of a doubled one: a text that
/// has doubled quotes, or would end in a blank, may go on.
bool ends_with_closing_quote(std::string_view record, std::size_t field_begin) {
  const std::string_view field = trim(record.substr(field_begin));
  if (field.size() < 3) return true;
  const std::string_view text = field.substr(1, field.size() - 2);
  return text.find("\"\"") == text.npos && text.back() != ' ';
}

bool all_digits(std::string_view text) { return std::all_of(text.begin(), text.end(), is_digit); }

/// "4.5e+06": tools write two digits of an exponent, and three behind 1e99 alone, which no profile holds.
bool ends_with_exponent(std::string_view number) {
  if (number.size() < 5 || !is_digit(number.front())) return false;
  const std::string_view exponent = number.substr(number.size() - 4);
  return exponent.front() == 'e' && (exponent[1] == '+' || exponent[1] == '-') && all_digits(exponent.substr(2));
}

/// An instant that lacks its last digits has fewer than the one above it, and begins as that does.
bool is_instant_like(std::string_view number, std::string_view above) {
  constexpr std::size_t least_digits = 10, alike = 5;  // judgement: seconds since 1970 have ten
  return number.size() >= least_digits && number.size() == above.size() && all_digits(number) && all_digits(above) &&
         number.substr(0, alike) == above.substr(0, alike);
}

/// Whether a heading names the unit: "power.draw [W]", "Duration(us)".
bool names_unit(std::string_view heading, std::string_view unit) {
  if (heading.size() < unit.size() + 2) return false;
  const std::string_view end = heading.substr(heading.size() - unit.size() - 2);
  return (end.front() == '[' || end.front() == '(') && end.substr(1, unit.size()) == unit;
}

}  // namespace

bool ends_with_blank(std::string_view record, std::string_view) {
  return record.ends_with(' ') || record.ends_with('\t');
}

bool ends_with_brace(std::string_view record, std::string_view) { return trim(record).ends_with('}'); }

bool never_ends(std::string_view, std::string_view) { return false; }

bool ends_with_unit(std::string_view record, std::string_view before) {
  const std::string_view last = last_field(record);
  if (last.starts_with('[') && last.ends_with(']')) return true;
  const auto quantity = parse_measured(last);
  if (!quantity || quantity->unit.empty()) return false;
  if (quantity->unit == "%") return true;
  const auto above = parse_measured(last_field(before));
  return above ? above->unit == quantity->unit : names_unit(last_field(before), quantity->unit);
}

bool ends_whole(std::string_view record, std::string_view before) {
  const std::string_view last = last_field(record);
  return ends_with_unit(record, before) || ends_with_exponent(last) || is_instant_like(last, last_field(before));
}

void CsvReader::Scan::restart(bool with_quotes) {
  quotes = with_quotes;
  at = field_begin = 0;
  in = In::start;
  field_quoted = any_quoted = text_behind_quote = false;
  fields.clear();
}

void CsvReader::Scan::end_field() {
  fields.push_back({field_begin, at, field_quoted});
  field_begin = at + 1;
  field_quoted = false;
  in = In::start;
}

/// True when `at` stands on the line end that closes the record.
bool CsvReader::Scan::find_end(std::string_view text, char separator) {
  for (; at < text.size(); ++at) {
    if (in == In::quoted) {
      at = std::min(text.find('"', at), text.size());
      if (at == text.size()) return false;
      in = In::closed;
      continue;
    }
    if (in == In::plain) {
      while (at < text.size() && text[at] != '\n' && text[at] != separator) ++at;
      if (at == text.size()) return false;
    }
    const char c = text[at];
    if (c == '\n') {
      return true;
    } else if (c == separator) {
      end_field();
    } else if (c == '"' && quotes && (in == In::start || in == In::closed)) {
      in = In::quoted;  // at the field's start, or doubled inside quotes
      field_quoted = any_quoted = true;
    } else if (in != In::start || (c != ' ' && c != '\t')) {
      text_behind_quote = text_behind_quote || (in == In::closed && c != ' ' && c != '\t' && c != '\r');
      in = In::plain;
    }
  }
  return false;
}

bool CsvReader::next() {
  if (!std::exchange(started_, true)) {
    while (buffer_.size() < byte_order_mark.size() && fill()) {
    }
    if (buffer_.starts_with(byte_order_mark)) begin_ = byte_order_mark.size();
  }
  while (!sink_.cancelled() && next_record())
    if (!trim(record_).empty()) {
      any_ = true;
      notes_.at(line_);
      return true;
    }
  notes_.at(LineNotes::no_line);
  return false;
}

bool CsvReader::note_cut(bool incomplete) {
  if (!unterminated_ || (!incomplete && is_proven(options_.proves_end))) return false;
  if (error_.empty() && !std::exchange(cut_noted_, true))
    sink_.note(note_id::input_cut, "line " + std::to_string(line_));  // else status() says why
  return incomplete || !is_proven(options_.proves_row);
}

bool CsvReader::is_proven(ProvesEnd by) const {
  std::string_view above = std::string_view(buffer_).substr(before_, record_begin_ - before_);
  if (above.ends_with('\n')) above.remove_suffix(1);
  return closed_ || by(record_, trim(above));
}

Status CsvReader::status() {
  notes_.report();
  if (error_.empty()) return ok_status();
  if (!any_) return std::move(error_);
  note_read_errors(std::exchange(error_, {}), bytes_, sink_);
  return ok_status();
}

bool CsvReader::next_record() {
  before_ = record_begin_;
  record_begin_ = begin_;
  scan_.restart(options_.quotes);
  for (;;) {
    const std::string_view rest = std::string_view(buffer_).substr(begin_);
    const bool ended = scan_.find_end(rest, options_.separator);
    const bool too_long = scan_.at > options_.max_record_bytes;
    if (ended && !too_long) break;
    if (!too_long && fill()) continue;
    if (scan_.in == Scan::In::quoted) {  // the quote never closes: read its line as plain text
      scan_.restart(false);
    } else if (too_long) {
      if (!skip_record()) return false;
      scan_.restart(options_.quotes);
    } else {
      break;
    }
  }
  record_ = std::string_view(buffer_).substr(begin_, scan_.at);
  closed_ = record_.ends_with('\r') || (scan_.in == Scan::In::closed && !scan_.text_behind_quote &&
                                        ends_with_closing_quote(record_, scan_.field_begin));
  unterminated_ = begin_ + scan_.at == buffer_.size();
  if (unterminated_ && record_.empty()) return false;
  scan_.end_field();
  extract_fields(record_);
  begin_ += record_.size() + (unterminated_ ? 0 : 1);
  line_ = next_line_;
  ++next_line_;
  if (scan_.any_quoted) next_line_ += static_cast<std::uint64_t>(std::count(record_.begin(), record_.end(), '\n'));
  if (record_.ends_with('\r')) record_.remove_suffix(1);
  return true;
}

/// Appends more input to the buffer; false at the end.
bool CsvReader::fill() {
  if (ended_) return false;
  buffer_.erase(0, before_);
  begin_ -= before_;
  record_begin_ -= before_;
  before_ = 0;
  const std::size_t have = buffer_.size();
  buffer_.resize(have + read_bytes);
  Result<std::size_t> got = input_.read({buffer_.data() + have, read_bytes});
  if (!got) error_ = std::move(got.error());
  buffer_.resize(have + (got ? *got : 0));
  bytes_ += buffer_.size() - have;
  ended_ = buffer_.size() == have;
  return !ended_;
}

/// Drops a record that is too long, up to its line end; false when the input ends in it.
bool CsvReader::skip_record() {
  sink_.note(note_id::record_too_large, "line " + std::to_string(next_line_));
  for (;;) {
    const std::size_t end = buffer_.find('\n', begin_);
    if (end != std::string::npos) {
      before_ = record_begin_ = begin_ = end + 1;
      ++next_line_;
      return true;
    }
    before_ = record_begin_ = begin_ = buffer_.size();
    if (!fill()) return false;
  }
}

void CsvReader::extract_fields(std::string_view record) {
  fields_.clear();
  unescaped_.clear();
  unescaped_.reserve(record.size());  // never moves: fields view it
  for (const Scan::Field& field : scan_.fields) {
    const std::string_view text = trim(record.substr(field.begin, field.end - field.begin));
    if (!field.quoted) {
      fields_.push_back(text);
      continue;
    }
    const std::size_t from = unescaped_.size();
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == '"' && (++at == text.size() || text[at] != '"')) break;
      unescaped_ += text[at];
    }
    fields_.push_back(std::string_view(unescaped_).substr(from));
  }
}

}  // namespace kdiag::adapters
