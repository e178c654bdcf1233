// SPDX-License-Identifier: Apache-2.0
// Reads delimited text record by record, in bounded memory, and tells a last record that may be cut from a whole one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/text/line_notes.hpp"

namespace kdiag::adapters {

/// Whether a record that no line end follows proves by itself that nothing is missing at its end: "25" may be the start
/// of "250". `before` is the record above it, empty for the first one.
using ProvesEnd = bool (*)(std::string_view record, std::string_view before);

bool ends_with_blank(std::string_view record, std::string_view before);  ///< for words between blanks
bool ends_with_brace(std::string_view record, std::string_view before);  ///< for JSON objects
/// For fields between commas: the last one is a number with the unit that the one above it has ("22.73 W") or its
/// header names ("power.draw [W]"), a percentage, or stands in square brackets ("[N/A]").
bool ends_with_unit(std::string_view record, std::string_view before);
/// For fields between commas: as ends_with_unit, or the last one is a number with its exponent ("4.5e+06"), or one of
/// ten digits and more that has as many as the one above it and begins alike, as instants and addresses of one run do.
bool ends_whole(std::string_view record, std::string_view before);
/// For formats whose last cell is free text or a bare number.
bool never_ends(std::string_view record, std::string_view before);

struct CsvOptions {
  char separator = ',';
  bool quotes = true;  ///< fields in "..." may hold separators, line ends and doubled quotes
  std::size_t max_record_bytes = std::size_t{1} << 20U;  ///< longer records are skipped and noted (K607); judgement
  /// Beside the CR of a CR LF, and a quote that closes a field and cannot be the first of a doubled one.
  ProvesEnd proves_end = ends_whole;
  /// Whether a last row that does not prove the end is whole all the same: it is kept, beside the note. No row is,
  /// without.
  ProvesEnd proves_row = never_ends;
};

/// A sequential reader of records. Tolerates what tools write beside RFC 4180: a byte-order mark, CR LF, blanks
/// around fields and before an opening quote, text behind a closing quote, records of any number of fields, and a
/// stray quote that never closes (its line is then taken as it stands). Blank lines are skipped. Not thread-safe.
///
/// Example:
///     CsvReader csv(input, sink);
///     while (csv.next())
///       if (!csv.note_cut(csv.fields().size() < columns)) use(csv.fields());
///     return csv.status();
class CsvReader {
 public:
  CsvReader(Input& input, FactSink& sink, CsvOptions options = {})
      : input_(input), sink_(sink), notes_(sink), options_(options) {}
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  /// Steps to the next record that is not blank; false at the end, after a read error, or when the host cancelled.
  bool next();

  /// The record's fields without quotes and surrounding blanks. Valid until the next call of next().
  std::span<const std::string_view> fields() const { return fields_; }
  /// The record as it stands in the input, without its line end. Valid until the next call of next().
  std::string_view record() const { return record_; }
  /// Number of the line on which the record begins, from 1.
  std::uint64_t line() const { return line_; }
  /// Whether no line end follows the record: only then can it be cut.
  bool unterminated() const { return unterminated_; }
  /// Notes that the input ends within this record, or may (K600): no line end follows, and nothing proves that it is
  /// whole. True when the record must not be used. `incomplete`: the caller sees that something is missing, such as
  /// columns.
  bool note_cut(bool incomplete = false);

  /// For what the caller says of records: as the sink given, which learns on which line the first of a kind stands.
  FactSink& sink() { return notes_; }

  /// Call after the last next(): hands over what sink() was told, and returns the read error when it came before the
  /// first record; otherwise success, with a later error noted (K601, K608 or K618), since everything before it was
  /// delivered.
  Status status();

 private:
  bool next_record();
  bool fill();
  bool skip_record();
  void extract_fields(std::string_view record);
  bool is_proven(ProvesEnd by) const;

  Input& input_;
  FactSink& sink_;
  LineNotes notes_;
  CsvOptions options_;
  std::string buffer_;
  std::size_t begin_ = 0;         ///< first byte of the next record in buffer_
  std::size_t record_begin_ = 0;  ///< of the current record
  std::size_t before_ = 0;        ///< of the record above it; what stands before that is dropped
  bool started_ = false;
  bool ended_ = false;  ///< nothing more to read
  bool any_ = false;    ///< a record was delivered
  Diagnostics error_;
  std::uint64_t bytes_ = 0;  ///< read in all

  /// Walks a record once, remembering its place, so that more input can be added without starting over.
  struct Scan {
    struct Field {
      std::size_t begin, end;  ///< with quotes and blanks, from the record's first byte
      bool quoted;
    };
    enum class In : std::uint8_t { start, plain, quoted, closed };

    bool quotes = true;
    std::size_t at = 0;
    In in = In::start;
    bool field_quoted = false;
    bool any_quoted = false;         ///< field of the record: line ends may stand in it
    bool text_behind_quote = false;  ///< in the record: two may have run into one another
    std::size_t field_begin = 0;
    std::vector<Field> fields;

    bool find_end(std::string_view text, char separator);
    void end_field();
    void restart(bool with_quotes);
  };

  Scan scan_;
  std::vector<std::string_view> fields_;
  std::string unescaped_;  ///< text of quoted fields, doubled quotes resolved
  std::string_view record_;
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  bool cut_noted_ = false;     ///< the last record was noted as cut
  bool unterminated_ = false;  ///< the input ends within the current record: no line end follows it
  bool closed_ = false;        ///< the current record ends with what ends a quoted field or a line
};

}  // namespace kdiag::adapters
