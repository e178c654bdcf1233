// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/derive_work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/derive/work/kernel_element.hpp"
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

/// How long an amount takes at least at a rate per ns; nothing where one of them is not known.
Amount time_at(Amount amount, double peak) {
  constexpr double longest = 1e18;  // ns
  if (!amount.known() || peak <= 0) return {};
  const double time = static_cast<double>(amount.least()) / peak;
  return time < longest ? Amount(std::llround(time)) : Amount();
}

/// The least times that a device needs for the work of an operator.
struct LeastTimes {
  Amount at_peak;  ///< for its operations, if not of these the least number alone is known
  /// Of the roofline (Williams, Waterman and Patterson, "Roofline", CACM 52(4), 2009): of operations at their peak and
  /// bytes at theirs the longer one.
  Amount attainable;
};

/// How much faster than its stated peak a device can be: boards may raise their clocks above the boost clock by a tenth
/// and more (judgement).
constexpr double above_peak = 1.25;

/// `time`: what it took. 32 bit floats are taken as TF32 where the kernel's name says so, and where it was too fast for
/// anything else. What was faster than the device can be has no times: the record says more than what was done.
LeastTimes least_times(const Work& work, const Peaks& peaks, std::string_view kernel, double time) {
  LeastTimes times{.at_peak = {}, .attainable = time_at(work.bytes, peaks.bytes)};
  if (!work.multiplies) return times;
  const auto impossible = [&] {
    return times.at_peak.known() && static_cast<double>(times.at_peak.least()) > above_peak * time;
  };
  times.at_peak = time_at(work.flops, peaks.operations[static_cast<std::size_t>(work.arithmetic)]);
  if (work.arithmetic == Arithmetic::fp32 && (rounds_to_tf32(kernel) || impossible()))
    times.at_peak = time_at(work.flops, peaks.operations[Peaks::tf32]);
  if (impossible()) times.at_peak = {};
  if (!times.at_peak.known()) times.attainable = {};
  else if (times.attainable.known()) times.attainable = std::max(times.attainable.least(), times.at_peak.least());
  if (!work.flops.exact()) times.at_peak = {};
  return times;
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

/// Convolutions whose inputs say too little, by what the operator of their gradients says: its gradient has the sizes
/// of the result, and each of its parts does as much as the convolution. Records without the values of arguments need
/// it.
class ConvolutionLinks {
 public:
  ConvolutionLinks(const FactStore& store, OperatorWorks& works) {
    const auto names = store.indices(column("ops.name"));
    const std::uint32_t both[] = {store.strings.find("aten::convolution_backward"),
                                  store.strings.find("aten::cudnn_convolution_backward")};
    for (std::uint32_t op = 0; op < names.size(); ++op) {
      if (names[op] == absent_index || std::find(std::begin(both), std::end(both), names[op]) == std::end(both))
        continue;
      const Work* work = works.of(op);
      if (work == nullptr || !work->of_each_gradient.known()) continue;
      const std::uint32_t outer = store.index(column("ops.parent"), op);
      for (const std::uint32_t of : {op, outer})
        if (of != absent_index)
          if (const std::uint32_t forward = store.index(column("ops.forward"), of); forward != absent_index)
            whole_.try_emplace(forward, work);
      parts_.emplace(op, work);
    }
    if (parts_.empty()) return;
    const std::uint32_t weights = store.strings.find("aten::cudnn_convolution_backward_weight");
    for (std::uint32_t op = 0; op < names.size(); ++op)
      if (weights != absent_index && names[op] == weights)
        if (const auto of = parts_.find(store.index(column("ops.parent"), op)); of != parts_.end())
          whole_.try_emplace(op, of->second);
  }

  /// The work of an operator, completed where it is one of them.
  Work complete(std::uint32_t op, const Work* own) const {
    Work work = own == nullptr ? Work{} : *own;
    const auto of = whole_.find(op);
    if (of == whole_.end() || work.flops.known()) return work;
    work.flops = of->second->of_each_gradient;
    work.arithmetic = of->second->arithmetic;
    work.multiplies = true;
    return work;
  }

 private:
  std::unordered_map<std::uint32_t, const Work*> parts_;  ///< operators of both gradients
  std::unordered_map<std::uint32_t, const Work*> whole_;  ///< what they say the operations of
};

}  // namespace

void derive_work(FactStore& store, CancelFlag cancel) {
  if (!store.has(column("ops.shapes"))) return;
  const std::size_t op_count = store.rows(table("ops")), kernel_count = store.rows(table("kernels"));
  AmountColumn op_flops(store, column("ops.flops"), op_count), op_bytes(store, column("ops.bytes_moved"), op_count);
  AmountColumn op_at_peak(store, column("ops.at_peak"), op_count);
  AmountColumn op_attainable(store, column("ops.attainable"), op_count);
  AmountColumn flops(store, column("kernels.flops"), kernel_count);
  AmountColumn bytes(store, column("kernels.bytes_moved"), kernel_count);
  AmountColumn times(store, column("kernels.attainable"), kernel_count);
  std::vector<Peaks> peaks;
  for (std::uint32_t device = 0; device < store.rows(table("devices")); ++device)
    peaks.push_back(peaks_of(store, device));
  const std::vector<Launched> launched = launched_by_op(store);
  OperatorWorks works(store);
  const ConvolutionLinks links(store, works);
  for (std::uint32_t op = 0; op < op_count; ++op) {
    if (op % 65'536 == 0) stop_if(cancel);
    Work work = links.complete(op, works.of(op));
    const Launched& of = launched[op];
    if (work.list_elements.known() && of.longest != absent_index)
      if (const std::int64_t each = work::element_bytes_named(store.text(column("kernels.name"), of.longest)); each > 0)
        work.bytes = work.list_elements * Amount(each);
    op_flops.set(op, work.flops);
    op_bytes.set(op, work.bytes);
    if (of.longest == absent_index) continue;
    const std::uint32_t device = store.index(column("kernels.device"), of.longest);
    const LeastTimes least =
        device == absent_index
            ? LeastTimes{}
            : least_times(work, peaks[device], store.text(column("kernels.name"), of.longest), of.all);
    op_at_peak.set(op, least.at_peak);
    op_attainable.set(op, least.attainable);
    if (static_cast<double>(of.longest_time) < least_share * of.all) continue;
    flops.set(of.longest, work.flops);
    bytes.set(of.longest, work.bytes);
    times.set(of.longest, least.attainable);
  }
  for (AmountColumn* filled : {&op_flops, &op_bytes, &op_at_peak, &op_attainable, &flops, &bytes, &times})
    filled->store();
}

}  // namespace kdiag
