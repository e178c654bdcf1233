// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/derive_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "engine/derive/work/device_peaks.hpp"
#include "engine/derive/work/filled_column.hpp"
#include "engine/derive/work/kernel_element.hpp"
#include "engine/derive/work/launched.hpp"
#include "engine/derive/work/operator_works.hpp"
#include "engine/derive/work/product_tiles.hpp"

namespace kdiag {
namespace {

using work::Amount;
using work::Arithmetic;
using work::FilledColumn;
using work::KnownColumn;
using work::Launched;
using work::Peaks;
using work::Work;

/// What kernels beside the one that does the work may take of an operator's time, such as one that sets a result to
/// zero or adds up parts (judgement).
constexpr double least_share = 0.9;

/// How long an amount takes at least at a rate per ns; nothing where one of them is not known.
Amount time_at(Amount amount, double peak) {
  constexpr double longest = 1e18;  // ns
  if (!amount.known() || peak <= 0) return {};
  const double time = static_cast<double>(amount.least()) / peak;
  return time < longest ? Amount(std::llround(time)) : Amount();
}

/// What a device can do of the work of an operator.
struct Limits {
  Amount at_peak;  ///< time for its operations, if not of these the least number alone is known
  /// Of the roofline (Williams, Waterman and Patterson, "Roofline", CACM 52(4), 2009): of operations at their peak and
  /// bytes at theirs the longer one, at the clocks that were measured.
  Amount attainable;
  double operations = 0;         ///< per ns at that clock; 0 where they are not known
  double sparse_operations = 0;  ///< with structured sparsity
};

/// How much faster than its stated peak a device can be: boards may raise their clocks above the boost clock by a tenth
/// and more (judgement).
constexpr double above_peak = 1.25;

/// FP32 and FP64, which structured sparsity makes no faster (NVIDIA, "A100 Tensor Core GPU architecture", table 3) and
/// which may have a clock of their own.
bool is_scalar(Arithmetic arithmetic, bool as_tf32) {
  return !as_tf32 && (arithmetic == Arithmetic::fp32 || arithmetic == Arithmetic::fp64);
}

/// `time`: what it took. 32 bit floats are taken as TF32 where the kernel's name says so, and where it was too fast for
/// anything else. What was faster than the device can be has no limits: the record says more than what was done. A
/// convolution may be faster by an algorithm that needs fewer operations; those of the direct one are counted, then.
Limits limits_of(const Work& work, const Peaks& peaks, std::string_view kernel, double time) {
  Limits limits{.at_peak = {}, .attainable = time_at(work.bytes, peaks.bytes * peaks.memory_clock)};
  if (!work.multiplies) return limits;
  const auto takes_less = [&](double saved) {
    return limits.at_peak.known() && static_cast<double>(limits.at_peak.least()) > above_peak * saved * time;
  };
  double peak = peaks.operations[static_cast<std::size_t>(work.arithmetic)];
  limits.at_peak = time_at(work.flops, peak);
  const bool as_tf32 = work.arithmetic == Arithmetic::fp32 &&
                       (work::rounds_to_tf32(kernel) || (takes_less(1) && peaks.operations[Peaks::tf32] > 0));
  if (as_tf32) {
    peak = peaks.operations[Peaks::tf32];
    limits.at_peak = time_at(work.flops, peak);
  }
  if (takes_less(work.most_saved)) limits.at_peak = {};
  if (!limits.at_peak.known() || takes_less(1)) {
    limits.attainable = {};
  } else {
    const bool scalar = is_scalar(work.arithmetic, as_tf32);
    limits.operations = peak * (scalar ? peaks.scalar_clock : peaks.clock);
    if (!scalar) limits.sparse_operations = limits.operations * peaks.sparse;
    if (limits.attainable.known())
      limits.attainable = std::max(limits.attainable.least(), time_at(work.flops, limits.operations).least());
  }
  if (!work.flops.exact()) limits.at_peak = {};
  return limits;
}

/// The columns of operators or of kernels.
class WorkColumns {
 public:
  /// Columns of a table by their names without it.
  WorkColumns(FactStore& store, std::string_view table)
      : flops_(store, find_column(table, "flops"), find_column(table, "flops_how")),
        bytes_(store, find_column(table, "bytes_moved"), find_column(table, "bytes_how")),
        attainable_(store, find_column(table, "attainable")),
        compute_(store, find_column(table, "compute_efficiency")),
        sparse_(store, find_column(table, "sparse_efficiency")) {}

  void set_work(std::size_t row, const Work& work, std::string_view bytes_how) {
    if (work.flops.exact()) flops_.set(row, static_cast<double>(work.flops.least()), "shapes");
    if (work.bytes.exact()) bytes_.set(row, work.bytes.least(), bytes_how);
  }
  void set_limits(std::size_t row, const Work& work, const Limits& limits, double time) {
    if (limits.attainable.exact()) attainable_.set(row, limits.attainable.least());
    if (!work.flops.exact() || !(time > 0)) return;
    const double rate = static_cast<double>(work.flops.least()) / time;
    if (limits.operations > 0) compute_.set(row, rate / limits.operations);
    if (limits.sparse_operations > 0) sparse_.set(row, rate / limits.sparse_operations);
  }

 private:
  KnownColumn<double> flops_;
  KnownColumn<std::int64_t> bytes_;
  FilledColumn<std::int64_t> attainable_;
  FilledColumn<double> compute_, sparse_;
};

/// How the blocks and rows of a product lie: see kernels.tile_loss and kernels.alignment.
class LayoutColumns {
 public:
  explicit LayoutColumns(FactStore& store)
      : store_(store), loss_(store, column("kernels.tile_loss")), alignment_(store, column("kernels.alignment")) {}

  void set(std::uint32_t kernel, const Work& work) {
    if (work.product.count == 0 || store_.text(column("kernels.class"), kernel) != "gemm") return;
    if (work.alignment > 0) alignment_.set(kernel, static_cast<std::int32_t>(work.alignment));
    const auto tile = work::tile_named(store_.text(column("kernels.name"), kernel));
    if (!tile) return;
    Amount blocks = 1;
    for (const ColumnId side : {column("kernels.grid_x"), column("kernels.grid_y"), column("kernels.grid_z")})
      blocks = store_.small(side, kernel) > 0 ? blocks * Amount(store_.small(side, kernel)) : Amount();
    if (!blocks.known()) return;
    if (const auto loss = work::tile_loss(work.product, *tile, blocks.least())) loss_.set(kernel, *loss);
  }

 private:
  const FactStore& store_;
  FilledColumn<double> loss_;
  FilledColumn<std::int32_t> alignment_;
};

/// What follows from the recorded inputs of operators.
void derive_by_shapes(FactStore& store, const std::vector<Launched>& launched, WorkColumns& of_ops,
                      WorkColumns& of_kernels, CancelFlag cancel) {
  FilledColumn<std::int64_t> at_peak(store, column("ops.at_peak"));
  LayoutColumns layout(store);
  std::vector<Peaks> peaks;
  for (std::uint32_t device = 0; device < store.rows(table("devices")); ++device)
    peaks.push_back(work::peaks_of(store, device));
  work::OperatorWorks works(store);
  const work::ConvolutionLinks links(store, works);
  for (std::uint32_t op = 0; op < launched.size(); ++op) {
    if (op % 65'536 == 0) stop_if(cancel);
    Work work = links.complete(op, works.of(op));
    const Launched& of = launched[op];
    std::string_view bytes_how = "shapes";
    if (work.list_elements.known() && of.longest != absent_index)
      if (const std::int64_t each = work::element_bytes_named(store.text(column("kernels.name"), of.longest));
          each > 0) {
        work.bytes = work.list_elements * Amount(each);
        bytes_how = "name";
      }
    of_ops.set_work(op, work, bytes_how);
    if (of.longest == absent_index) continue;
    const std::uint32_t device = store.index(column("kernels.device"), of.longest);
    Limits limits;
    if (device != absent_index)
      limits = limits_of(work, peaks[device], store.text(column("kernels.name"), of.longest), of.all);
    if (limits.at_peak.exact()) at_peak.set(op, limits.at_peak.least());
    of_ops.set_limits(op, work, limits, of.all);
    if (static_cast<double>(of.longest_time) < least_share * of.all) continue;
    of_kernels.set_work(of.longest, work, bytes_how);
    of_kernels.set_limits(of.longest, work, limits, static_cast<double>(of.longest_time));
    layout.set(of.longest, work);
  }
}

/// What follows from operations and bytes, whoever says them.
class Efficiencies {
 public:
  Efficiencies(FactStore& store, std::string_view table)
      : store_(store),
        flops_(find_column(table, "flops")),
        bytes_(find_column(table, "bytes_moved")),
        attainable_(find_column(table, "attainable")),
        intensity_(store, find_column(table, "intensity")),
        memory_(store, find_column(table, "memory_efficiency")),
        above_(store, find_column(table, "above_attainable")) {
    for (std::uint32_t device = 0; device < store.rows(kdiag::table("devices")); ++device) {
      const Peaks peaks = work::peaks_of(store, device);
      bandwidths_.push_back(peaks.bytes * peaks.memory_clock);
    }
  }

  /// `time`: on the device, in ns; 0 where it is not known.
  void set(std::size_t row, std::uint32_t device, double time) {
    const std::int64_t bytes = store_.integer(bytes_, row);
    if (bytes > 0) {
      const double flops = store_.real(flops_, row);
      if (!std::isnan(flops)) intensity_.set(row, flops / static_cast<double>(bytes));
      if (time > 0 && device != absent_index && bandwidths_[device] > 0)
        memory_.set(row, static_cast<double>(bytes) / time / bandwidths_[device]);
    }
    if (const std::int64_t least = store_.integer(attainable_, row); least != absent_integer && time > 0)
      above_.set(row, std::max<std::int64_t>(0, std::llround(time) - least));
  }

 private:
  const FactStore& store_;
  ColumnId flops_, bytes_, attainable_;
  FilledColumn<double> intensity_, memory_;
  FilledColumn<std::int64_t> above_;
  std::vector<double> bandwidths_;
};

}  // namespace

void derive_work(FactStore& store, CancelFlag cancel) {
  const bool by_shapes = store.has(column("ops.shapes"));
  const ColumnId stated[] = {column("ops.flops"), column("ops.bytes_moved"), column("kernels.flops"),
                             column("kernels.bytes_moved")};
  if (!by_shapes && std::none_of(std::begin(stated), std::end(stated), [&](ColumnId id) { return store.has(id); }))
    return;
  const std::vector<Launched> launched = work::launched_by_op(store);
  WorkColumns op_columns(store, "ops"), kernel_columns(store, "kernels");
  if (by_shapes) derive_by_shapes(store, launched, op_columns, kernel_columns, cancel);
  Efficiencies of_ops(store, "ops"), of_kernels(store, "kernels");
  for (std::uint32_t op = 0; op < launched.size(); ++op) {
    const std::uint32_t kernel = launched[op].longest;
    of_ops.set(op, kernel == absent_index ? absent_index : store.index(column("kernels.device"), kernel),
               launched[op].all);
  }
  for (std::uint32_t kernel = 0; kernel < store.rows(table("kernels")); ++kernel)
    of_kernels.set(kernel, store.index(column("kernels.device"), kernel),
                   static_cast<double>(std::max<std::int64_t>(0, store.integer(column("kernels.dur"), kernel))));
}

}  // namespace kdiag
