// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/derive_work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/derive/work/operator_work.hpp"

namespace kdiag {
namespace {

using work::Amount;
using work::Arithmetic;
using work::Work;
using work::WorkFormula;

/// What kernels beside the one that does the work may take of an operator's time, such as one that sets a result to
/// zero or adds up parts (judgement).
constexpr double least_share = 0.9;

/// The work of each operator: most calls repeat the inputs of others, whose work is computed once.
class OperatorWorks {
 public:
  explicit OperatorWorks(const FactStore& store)
      : store_(store),
        names_(store.indices(column("ops.name"))),
        texts_{store.indices(column("ops.shapes")), store.indices(column("ops.types")),
               store.indices(column("ops.strides")), store.indices(column("ops.arguments"))} {}

  /// nullptr where no formula is known or no shapes were recorded.
  const Work* of(std::size_t op) {
    if (names_.empty() || id(0, op) == absent_index) return nullptr;
    const WorkFormula formula = formula_of(names_[op]);
    if (formula == nullptr) return nullptr;
    const auto [found, added] = works_.try_emplace(Key{names_[op], id(0, op), id(1, op), id(2, op), id(3, op)});
    if (added) {
      const work::RecordedTexts texts{text(0, op), text(1, op), text(2, op), text(3, op)};
      found->second = work::work_by(formula, work::RecordedInputs(texts));
    }
    return &found->second;
  }

 private:
  using Key = std::array<std::uint32_t, 5>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = 0;
      for (const std::uint32_t part : key) hash = (hash ^ part) * 0x9E3779B97F4A7C15u;  // Fibonacci hashing
      return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
  };

  std::uint32_t id(std::size_t text, std::size_t op) const {
    return texts_[text].empty() ? absent_index : texts_[text][op];
  }
  std::string_view text(std::size_t text, std::size_t op) const { return store_.strings[id(text, op)]; }

  WorkFormula formula_of(std::uint32_t name) {
    const auto [found, added] = formulas_.try_emplace(name);
    if (added) found->second = work::find_formula(store_.strings[name]);
    return found->second;
  }

  const FactStore& store_;
  std::span<const std::uint32_t> names_;
  std::array<std::span<const std::uint32_t>, 4> texts_;
  std::unordered_map<std::uint32_t, WorkFormula> formulas_;
  std::unordered_map<Key, Work, Hash> works_;
};

/// A column of amounts that keeps what the input states.
class AmountColumn {
 public:
  AmountColumn(FactStore& store, ColumnId id, std::size_t rows) : store_(store), id_(id) {
    if (info(id).type == ColumnType::real) {
      const auto stated = store.reals(id);
      reals_.assign(stated.begin(), stated.end());
      reals_.resize(rows, absent_real);
    } else {
      const auto stated = store.integers(id);
      integers_.assign(stated.begin(), stated.end());
      integers_.resize(rows, absent_integer);
    }
  }
  void set(std::size_t row, Amount amount) {
    if (!amount.exact()) return;
    if (!reals_.empty() && std::isnan(reals_[row])) reals_[row] = static_cast<double>(amount.least());
    else if (!integers_.empty() && integers_[row] == absent_integer) integers_[row] = amount.least();
    else return;
    changed_ = true;
  }
  void store() {
    if (!changed_) return;
    const std::string provider(store_.has(id_) ? store_.provider(id_) : "derived");
    if (!reals_.empty()) store_.replace(id_, std::move(reals_), provider);
    else store_.replace(id_, std::move(integers_), provider);
  }

 private:
  FactStore& store_;
  ColumnId id_;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
  bool changed_ = false;
};

/// What a device can do, per ns; 0 where it is not known.
struct Peaks {
  double bytes = 0;
  std::array<double, 8> operations{};  ///< by Arithmetic; the last is TF32

  static constexpr std::size_t tf32 = 7;
};

Peaks peaks_of(const FactStore& store, std::uint32_t device) {
  constexpr std::pair<Arithmetic, ColumnId> columns[] = {
      {Arithmetic::fp64, column("devices.peak_fp64")}, {Arithmetic::fp32, column("devices.peak_fp32")},
      {Arithmetic::fp16, column("devices.peak_fp16")}, {Arithmetic::bf16, column("devices.peak_bf16")},
      {Arithmetic::fp8, column("devices.peak_fp8")},   {Arithmetic::int8, column("devices.peak_int8")}};
  const auto per_ns = [&](ColumnId id) {
    const double value = store.real(id, device);
    return value > 0 ? value / 1e9 : 0;
  };
  Peaks peaks{.bytes = per_ns(column("devices.dram_bw"))};
  for (const auto& [arithmetic, id] : columns) peaks.operations[static_cast<std::size_t>(arithmetic)] = per_ns(id);
  peaks.operations[Peaks::tf32] = per_ns(column("devices.peak_tf32"));
  return peaks;
}

/// Whether a kernel rounds its floats to TF32: names of cuBLAS, cuDNN and hipBLASLt say so, those of CUTLASS by the
/// shape of the instruction, 16 x 8 x 8.
bool rounds_to_tf32(std::string_view kernel) {
  for (const std::string_view word : {"tf32", "TF32", "xf32", "s1688"})
    if (kernel.find(word) != std::string_view::npos) return true;
  return false;
}

/// The time of the roofline (Williams, Waterman and Patterson, "Roofline", CACM 52(4), 2009): of operations at their
/// peak and bytes at theirs the longer one. Nothing where one of them is not known. Without a word in the kernel's name
/// 32 bit floats are not taken as TF32: the time is rather too long than too short.
Amount attainable(const Work& work, const Peaks& peaks, std::string_view kernel) {
  constexpr double longest = 1e18;  // ns
  if (!work.bytes.exact() || peaks.bytes <= 0) return {};
  double time = static_cast<double>(work.bytes.least()) / peaks.bytes;
  if (work.multiplies) {
    const bool tf32 = work.arithmetic == Arithmetic::fp32 && rounds_to_tf32(kernel);
    const double peak = peaks.operations[tf32 ? Peaks::tf32 : static_cast<std::size_t>(work.arithmetic)];
    if (!work.flops.exact() || peak <= 0) return {};
    time = std::max(time, static_cast<double>(work.flops.least()) / peak);
  }
  return time < longest ? Amount(std::llround(time)) : Amount();
}

/// The longest kernel of each operator, and how long all of its kernels take.
struct Launched {
  std::uint32_t longest = absent_index;
  std::int64_t longest_time = -1;
  double all = 0;
};

std::vector<Launched> launched_by_op(const FactStore& store) {
  std::vector<Launched> launched(store.rows(table("ops")));
  const auto ops = store.indices(column("kernels.op"));
  const auto times = store.integers(column("kernels.dur"));
  if (ops.empty() || times.empty()) return launched;
  for (std::uint32_t kernel = 0; kernel < ops.size(); ++kernel) {
    if (ops[kernel] == absent_index || times[kernel] < 0) continue;
    Launched& of = launched[ops[kernel]];
    of.all += static_cast<double>(times[kernel]);
    if (times[kernel] <= of.longest_time) continue;
    of.longest = kernel;
    of.longest_time = times[kernel];
  }
  return launched;
}

}  // namespace

void derive_work(FactStore& store, CancelFlag cancel) {
  if (!store.has(column("ops.shapes"))) return;
  const std::size_t op_count = store.rows(table("ops")), kernel_count = store.rows(table("kernels"));
  AmountColumn op_flops(store, column("ops.flops"), op_count), op_bytes(store, column("ops.bytes_moved"), op_count);
  AmountColumn flops(store, column("kernels.flops"), kernel_count);
  AmountColumn bytes(store, column("kernels.bytes_moved"), kernel_count);
  AmountColumn times(store, column("kernels.attainable"), kernel_count);
  std::vector<Peaks> peaks;
  for (std::uint32_t device = 0; device < store.rows(table("devices")); ++device)
    peaks.push_back(peaks_of(store, device));
  const std::vector<Launched> launched = launched_by_op(store);
  OperatorWorks works(store);
  for (std::size_t op = 0; op < op_count; ++op) {
    if (op % 65'536 == 0) stop_if(cancel);
    const Work* work = works.of(op);
    if (work == nullptr) continue;
    op_flops.set(op, work->flops);
    op_bytes.set(op, work->bytes);
    const Launched& of = launched[op];
    if (of.longest == absent_index || static_cast<double>(of.longest_time) < least_share * of.all) continue;
    flops.set(of.longest, work->flops);
    bytes.set(of.longest, work->bytes);
    const std::uint32_t device = store.index(column("kernels.device"), of.longest);
    if (device != absent_index)
      times.set(of.longest, attainable(*work, peaks[device], store.text(column("kernels.name"), of.longest)));
  }
  for (AmountColumn* filled : {&op_flops, &op_bytes, &flops, &bytes, &times}) filled->store();
}

}  // namespace kdiag
