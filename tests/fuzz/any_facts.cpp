// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/any_facts.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/facts_builder.hpp>

namespace kdiag::fuzz {
namespace {

constexpr std::size_t most_rows = 2000;

/// Words that rules ask for: of causes, calls, kinds, series, and names by which kernels are told apart.
constexpr std::string_view words[] = {"",
                                      "h2d",
                                      "d2h",
                                      "d2d",
                                      "um",
                                      "pageable",
                                      "pinned",
                                      "steady",
                                      "warmup",
                                      "partial",
                                      "kernel",
                                      "memcpy",
                                      "runtime",
                                      "dataloader",
                                      "other",
                                      "line",
                                      "module",
                                      "sm_clock",
                                      "power",
                                      "gpu_util",
                                      "mem_clock",
                                      "throttle_reasons",
                                      "temperature",
                                      "memory_used",
                                      "gemm",
                                      "flash_fwd",
                                      "relu",
                                      "aten::item",
                                      "aten::copy_",
                                      "cudaLaunchKernel",
                                      "cudaGraphLaunch",
                                      "allreduce",
                                      "cudaMemcpyAsync",
                                      "cudaStreamSynchronize",
                                      "cudaMalloc",
                                      "ncclDevKernel_AllReduce",
                                      "ProfilerStep#1",
                                      "float32",
                                      "enumerate(DataLoader)",
                                      "info",
                                      "data-loss",
                                      "GPU",
                                      "NVIDIA",
                                      "A100",
                                      "\x1B[31m",
                                      "<b>"};

std::int64_t any_integer(Bytes& bytes) {
  switch (bytes.byte() % 8) {
    case 0: return static_cast<std::int64_t>(bytes.word());
    case 1: return std::numeric_limits<std::int64_t>::max();
    case 2: return -static_cast<std::int64_t>(bytes.byte());
    case 3: return std::int64_t{1} << bytes.byte() % 63;
    case 4: return bytes.byte();
    default: return 1'000 * (bytes.byte() << 8U | bytes.byte());
  }
}

double any_real(Bytes& bytes) {
  switch (bytes.byte() % 6) {
    case 0: return std::bit_cast<double>(bytes.word());
    case 1: return std::numeric_limits<double>::max();
    case 2: return -1.0 * bytes.byte();
    case 3: return bytes.byte() * 1e9;
    default: return bytes.byte() / 255.0;
  }
}

class Maker {
 public:
  Maker(FactsBuilder& builder, Bytes& bytes)
      : batch_(builder.rows().batch()), bytes_(bytes), rows_(catalogue_tables.size()) {}

  void add_row() {
    const auto index = static_cast<std::uint16_t>(bytes_.byte() % catalogue_tables.size());
    const TableId table{index};
    const Row row = make(table);
    if (row.index == absent_index) return;
    rows_[index].push_back(row);
    const ColumnRange range = columns_of(table);
    std::uint8_t choice = 0;
    for (std::uint16_t i = 0; i < range.count; ++i) {
      if (i % 4 == 0) choice = bytes_.byte();
      if ((choice >> (2 * (i % 4)) & 3U) != 0) set(row, ColumnId{static_cast<std::uint16_t>(range.first + i)});
    }
  }

 private:
  Row make(TableId table) {
    const std::string_view name = info(table).name;
    if (name == "runs") return batch_.run();
    if (name == "ranks") return batch_.rank(bytes_.byte() % 4);
    if (name == "devices") return batch_.device(bytes_.byte() % 4, known("ranks"));
    if (name == "streams") return batch_.stream(known("devices"), bytes_.byte() % 8);
    if (name == "threads") return batch_.thread(bytes_.byte() % 2, bytes_.byte() % 4, known("ranks"));
    if (name == "frames") return batch_.frame(any_text(), any_integer(bytes_), any_text(), "line", known("frames"));
    return batch_.add(table);
  }

  /// A row of a table that there is already, or none.
  Row known(std::string_view table) { return known(find_table(table)); }
  Row known(TableId table) {
    if (table.index >= rows_.size()) return {};
    const std::vector<Row>& rows = rows_[table.index];
    return rows.empty() ? Row{} : rows[bytes_.byte() % rows.size()];
  }

  std::string_view any_text() {
    const std::uint8_t choice = bytes_.byte();
    return choice == 255 ? bytes_.text() : words[choice % std::size(words)];
  }

  void set(Row row, ColumnId column) {
    switch (info(column).type) {
      case ColumnType::integer: batch_.set(row, column, any_integer(bytes_)); break;
      case ColumnType::small_integer: batch_.set(row, column, any_integer(bytes_)); break;
      case ColumnType::real: batch_.set(row, column, any_real(bytes_)); break;
      case ColumnType::boolean: batch_.set(row, column, bytes_.byte() % 2 == 0); break;
      case ColumnType::string: batch_.set(row, column, any_text()); break;
      case ColumnType::reference: batch_.set(row, column, known(info(column).target)); break;
    }
  }

  Batch& batch_;
  Bytes& bytes_;
  std::vector<std::vector<Row>> rows_;  ///< by table
};

}  // namespace

Result<Facts> any_facts(Bytes& bytes) {
  constexpr ClockDomain clocks[] = {ClockDomain::none, ClockDomain::unix_ns, ClockDomain::local_ns,
                                    ClockDomain::device};
  RunInfo info;
  info.clock = clocks[bytes.byte() % 4];
  if (bytes.byte() % 4 == 0) info.rank = bytes.byte() % 4;
  FactsBuilder builder("fuzz", info);
  Maker maker(builder, bytes);
  const std::size_t rows = bytes.byte() * 8;
  for (std::size_t i = 0; i < std::min(rows, most_rows) && !bytes.ended(); ++i) maker.add_row();
  LoadOptions options;
  options.threads = 1;
  return std::move(builder).build(options);
}

}  // namespace kdiag::fuzz
