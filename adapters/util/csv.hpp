// SPDX-License-Identifier: Apache-2.0
// Reads delimited text record by record, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

struct CsvOptions {
  char separator = ',';
  bool quotes = true;  ///< fields in "..." may hold separators, line ends and doubled quotes
  std::size_t max_record_bytes = std::size_t{1} << 20U;  ///< longer records are skipped and noted (K607); judgement
};

/// A sequential reader of records. Tolerates what tools write beside RFC 4180: a byte-order mark, CR LF, blanks
/// around fields and before an opening quote, text behind a closing quote, records of any number of fields, and a
/// stray quote that never closes (its line is then taken as it stands). Blank lines are skipped. Not thread-safe.
///
/// Example:
///     CsvReader csv(input, sink);
///     while (csv.next()) use(csv.fields());
///     return csv.status();
class CsvReader {
 public:
  CsvReader(Input& input, FactSink& sink, CsvOptions options = {}) : input_(input), sink_(sink), options_(options) {}

  /// Steps to the next record that is not blank; false at the end, after a read error, or when the host cancelled.
  bool next();

  /// The record's fields without quotes and surrounding blanks. Valid until the next call of next().
  std::span<const std::string_view> fields() const { return fields_; }
  /// The record as it stands in the input, without its line end. Valid until the next call of next().
  std::string_view record() const { return record_; }
  /// Number of the line on which the record begins, from 1.
  std::uint64_t line() const { return line_; }
  /// The input ends within this record: no line end follows it.
  bool unterminated() const { return unterminated_; }

  /// Call after the last next(): the read error when it came before the first record; otherwise success, with a
  /// later error noted (K601, K608 or K618), since everything before it was delivered.
  Status status();

 private:
  bool next_record();
  bool fill();
  bool skip_record();
  void extract_fields(std::string_view record);

  Input& input_;
  FactSink& sink_;
  CsvOptions options_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< first byte of the next record in buffer_
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
  bool unterminated_ = false;
};

}  // namespace kdiag::adapters
