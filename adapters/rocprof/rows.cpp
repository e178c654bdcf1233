// SPDX-License-Identifier: Apache-2.0
#include "adapters/rocprof/rows.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "adapters/util/api_names.hpp"
#include "adapters/util/copy_names.hpp"
#include "adapters/util/kernel_rows.hpp"
#include "adapters/util/units.hpp"

namespace kdiag::adapters::rocprof {
namespace {

constexpr std::int64_t ns = 1;

/// An agent by number: "4", or "Agent 4" as rocprofv3 writes it since 2025.
std::optional<std::int64_t> agent_number(std::string_view text) {
  const std::size_t blank = text.rfind(' ');
  return to_integer(Token{blank == std::string_view::npos ? text : text.substr(blank + 1)});
}

/// The name as the source has it: without the mark of the kernel descriptor that the loader appends.
std::string_view without_descriptor_mark(std::string_view name) {
  constexpr std::string_view marks[] = {" [clone .kd]", " (.kd)", ".kd"};
  for (std::string_view mark : marks)
    if (name.ends_with(mark)) return name.substr(0, name.size() - mark.size());
  return name;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// Whether a name of a table of totals is that of a call: "hipMalloc", "__hipPushCallConfiguration", "hsa_signal_wait",
/// "ncclAllReduce". "hip" in front of a small letter begins the name of a kernel, and `ncclDevKernel_...` is one.
bool is_call(std::string_view name) {
  if (name.starts_with("__hip")) name.remove_prefix(2);
  if (name.starts_with("hsa_")) return true;
  if (name.starts_with("ncclDev") || name.starts_with("ncclKernel")) return false;
  constexpr std::string_view libraries[] = {"hip", "nccl", "rocDec", "rocJpeg"};
  return std::any_of(std::begin(libraries), std::end(libraries), [name](std::string_view library) {
    return name.starts_with(library) && name.size() > library.size() && is_upper(name[library.size()]);
  });
}

/// "MEMORY_COPY_HOST_TO_DEVICE" of rocprofv3, "H2D" of its first versions, "CopyHostToDevice" of v1.
bool is_copy(std::string_view name) {
  constexpr std::string_view names[] = {"H2D", "D2H", "D2D", "H2H"};
  return name.starts_with("MEMORY_COPY_") || name.starts_with("CopyHost") || name.starts_with("CopyDevice") ||
         std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Whether a name stands for all records of a kind, as in rocprofv3's domain_stats: "KERNEL_DISPATCH", "HIP_API".
bool is_domain(std::string_view name) {
  constexpr std::string_view domains[] = {"KERNEL_DISPATCH", "MEMORY_COPY", "MEMORY_ALLOCATION", "SCRATCH_MEMORY"};
  return name.ends_with("_API") || std::find(std::begin(domains), std::end(domains), name) != std::end(domains);
}

/// Ranges of the program itself: "MARKER_CORE_API" of rocprofv3, "ROCTX_DOMAIN" of rocprofv2.
bool is_marker(std::string_view domain) { return domain.starts_with("MARKER") || domain.starts_with("ROCTX"); }

/// Whether a row says that it is of its table's kind, or says nothing of it. Of a table whose header is lost, as when
/// the file before it ends without a line end, the rows are no rows of the table before.
bool fits(std::string_view stated, TableKind kind) {
  switch (kind) {
    case TableKind::dispatches: return stated.empty() || stated.starts_with("KERNEL_");
    case TableKind::copies: return stated.empty() || stated.starts_with("MEMORY_COPY");
    case TableKind::calls:
      return stated.empty() || stated.find("API") != std::string_view::npos || stated.starts_with("OMPT") ||
             is_marker(stated);
    default: return true;
  }
}

/// Where the rows of a table of totals go, by what they are totals of.
struct TotalsColumns {
  ColumnId name, calls, total, mean, min, max;
};
constexpr TotalsColumns kernel_totals{column("kernel_stats.name"),  column("kernel_stats.calls"),
                                      column("kernel_stats.total"), column("kernel_stats.mean"),
                                      column("kernel_stats.min"),   column("kernel_stats.max")};
constexpr TotalsColumns call_totals{column("api_stats.name"), column("api_stats.calls"), column("api_stats.total"),
                                    column("api_stats.mean"), column("api_stats.min"),   column("api_stats.max")};
constexpr TotalsColumns copy_totals{column("copy_stats.name"), column("copy_stats.calls"), column("copy_stats.total"),
                                    column("copy_stats.mean"), column("copy_stats.min"),   column("copy_stats.max")};

}  // namespace

void Rows::add(const Header& header, TableKind kind, Fields fields, bool last) {
  if (!fits(header.cell(fields, Column::kind), kind)) return sink_.note("K603", "kind");
  switch (kind) {
    case TableKind::dispatches: return add_dispatch(header, fields, last);
    case TableKind::counters: return add_counters(header, fields, last);
    case TableKind::calls: return add_call(header, fields, last);
    case TableKind::copies: return add_copy(header, fields, last);
    case TableKind::totals: return add_totals(header, fields);
    case TableKind::agents: return add_agent(header, fields);
    case TableKind::none: return;
  }
}

std::optional<Rows::Times> Rows::times(const Header& header, Fields fields, bool last) {
  const auto start = header.time(fields, Column::begin, ns);
  const auto end = header.time(fields, Column::end, ns);
  if (!start || !end) sink_.note(last ? "K600" : "K603", last ? "" : "timestamp");
  else if (*end < *start) sink_.note(last ? "K600" : "K606");  // a cut number is smaller
  else return Times{*start, *end - *start};
  return std::nullopt;
}

Row Rows::device(std::int64_t agent) {
  const Row row = batch.device(agent);
  batch.set(row, column("devices.vendor"), "amd");
  batch.set(row, column("devices.kind"), "GPU");
  return row;
}

void Rows::set_thread(const Header& header, Fields fields, Row row, ColumnId column) {
  const auto process = header.integer(fields, Column::process);
  const auto thread = header.integer(fields, Column::thread);
  if (process && thread) batch.set(row, column, batch.thread(*process, *thread));
}

void Rows::set_correlation(const Header& header, Fields fields, Row row, ColumnId column) {
  // 0 is no id: it marks work whose call is not known.
  if (const auto id = header.integer(fields, Column::correlation); id && *id > 0) batch.set(row, column, *id);
}

/// Kernels that ran as the program launched them.
void Rows::add_dispatch(const Header& header, Fields fields, bool last) {
  std::optional<Times> when;
  if (header.has(Column::begin, Column::end)) {
    when = times(header, fields, last);
    if (!when) return;
  }
  const Row kernel = add_kernel(header, fields);
  if (!when || kernel.index == absent_index) return;
  batch.set(kernel, column("kernels.start"), when->start);
  batch.set(kernel, column("kernels.dur"), when->dur);
}

/// Kernels that ran one at a time, perhaps several times: only how long each took is a fact of the program.
void Rows::add_counters(const Header& header, Fields fields, bool last) {
  std::optional<Times> when;
  if (header.has(Column::begin, Column::end)) {
    when = times(header, fields, last);
    if (!when) return;
  }
  if (header.has(Column::counter_name)) {  // one row per dispatch and counter
    const std::string_view counter = header.cell(fields, Column::counter_name);
    if (!counter.empty()) sink_.note("K623", counter);
    const auto process = header.integer(fields, Column::process);
    const auto dispatch = header.integer(fields, Column::dispatch);
    if (dispatch && !counted_.emplace(process.value_or(0), *dispatch).second) return;
  }
  const Row kernel = add_kernel(header, fields);
  if (kernel.index != absent_index && when) batch.set(kernel, column("kernels.dur"), when->dur);
}

Row Rows::add_kernel(const Header& header, Fields fields) {
  const std::string_view name = without_descriptor_mark(header.cell(fields, Column::kernel));
  const auto agent = agent_number(header.cell(fields, Column::agent));
  if (name.empty() || !agent) {
    sink_.note("K603", name.empty() ? "kernel name" : "agent");
    return {};
  }
  const Row kernel = batch.add(table("kernels"));
  const Row comm = name_kernel(batch, kernel, name, classes_);
  const Row on = device(*agent);
  batch.set(kernel, column("kernels.device"), on);
  if (comm.index != absent_index) batch.set(comm, column("comms.device"), on);
  auto queue = header.integer(fields, Column::stream);
  if (!queue) queue = header.integer(fields, Column::queue);
  if (queue) batch.set(kernel, column("kernels.stream"), batch.stream(on, *queue));
  set_correlation(header, fields, kernel, column("kernels.correlation"));
  set_shape(header, fields, kernel);
  return kernel;
}

/// Grid sizes are in work-items. Tables that state only the product of the three dimensions have it in x.
void Rows::set_shape(const Header& header, Fields fields, Row kernel) {
  struct Dimension {
    Column grid, workgroup;
    ColumnId blocks, threads;
  };
  constexpr std::array<Dimension, 3> dimensions = {
      {{Column::grid_x, Column::workgroup_x, column("kernels.grid_x"), column("kernels.block_x")},
       {Column::grid_y, Column::workgroup_y, column("kernels.grid_y"), column("kernels.block_y")},
       {Column::grid_z, Column::workgroup_z, column("kernels.grid_z"), column("kernels.block_z")}}};
  const bool flat = header.has(Column::grid, Column::workgroup);
  for (const Dimension& dimension : dimensions) {
    const bool first = &dimension == dimensions.data();
    const auto items =
        flat ? (first ? header.integer(fields, Column::grid) : 1) : header.integer(fields, dimension.grid);
    const auto group =
        flat ? (first ? header.integer(fields, Column::workgroup) : 1) : header.integer(fields, dimension.workgroup);
    if (!items || !group || *items <= 0 || *group <= 0) continue;
    batch.set(kernel, dimension.blocks, (*items - 1) / *group + 1);
    batch.set(kernel, dimension.threads, *group);
  }
  if (const auto bytes = header.integer(fields, Column::lds); bytes && *bytes >= 0)
    batch.set(kernel, column("kernels.smem"), *bytes);
  const auto vector = header.integer(fields, Column::vgpr);
  const auto accumulation = header.integer(fields, Column::accum_vgpr);
  if (vector && *vector >= 0 && *vector < 1024)
    batch.set(kernel, column("kernels.regs"), *vector + std::clamp<std::int64_t>(accumulation.value_or(0), 0, 1024));
}

void Rows::add_call(const Header& header, Fields fields, bool last) {
  const auto when = times(header, fields, last);
  if (!when) return;
  const std::string_view function = header.cell(fields, Column::function);
  if (function.empty()) return sink_.note("K603", "function");
  if (is_marker(header.cell(fields, Column::kind))) {
    const Row range = batch.add(table("annotations"));
    batch.set(range, column("annotations.name"), function);
    batch.set(range, column("annotations.kind"), "user");
    batch.set(range, column("annotations.start"), when->start);
    batch.set(range, column("annotations.dur"), when->dur);
    set_thread(header, fields, range, column("annotations.thread"));
    return;
  }
  const std::string_view base = base_call_name(function);
  const Row call = batch.add(table("api"));
  batch.set(call, column("api.name"), base);
  batch.set(call, column("api.start"), when->start);
  batch.set(call, column("api.dur"), when->dur);
  batch.set(call, column("api.is_launch"), is_launch_call(base));
  batch.set(call, column("api.is_sync"), is_blocking_call(base));
  set_thread(header, fields, call, column("api.thread"));
  set_correlation(header, fields, call, column("api.correlation"));
}

void Rows::add_copy(const Header& header, Fields fields, bool last) {
  const auto when = times(header, fields, last);
  if (!when) return;
  CopyName copy = parse_copy_name(header.cell(fields, Column::direction));
  const auto source = agent_number(header.cell(fields, Column::source));
  const auto destination = agent_number(header.cell(fields, Column::destination));
  if (copy.kind == "d2d" && source && destination && source != destination) copy.kind = "p2p";
  const Row row = batch.add(table("copies"));
  batch.set(row, column("copies.start"), when->start);
  batch.set(row, column("copies.dur"), when->dur);
  if (!copy.kind.empty()) batch.set(row, column("copies.kind"), copy.kind);
  if (!copy.src.empty()) batch.set(row, column("copies.src"), copy.src);
  if (!copy.dst.empty()) batch.set(row, column("copies.dst"), copy.dst);
  // Host agents share the numbering: which of the two is a device, only the direction says.
  const auto agent = copy.src == "device" ? source : copy.dst == "device" ? destination : std::nullopt;
  if (agent) {
    const Row on = device(*agent);
    batch.set(row, column("copies.device"), on);
    if (const auto stream = header.integer(fields, Column::stream))
      batch.set(row, column("copies.stream"), batch.stream(on, *stream));
  }
  set_correlation(header, fields, row, column("copies.correlation"));
}

void Rows::add_totals(const Header& header, Fields fields) {
  const std::string_view name = without_descriptor_mark(header.cell(fields, Column::name));
  const auto calls = header.integer(fields, Column::calls);
  const auto total = header.time(fields, Column::total, ns);
  if (name.empty() || !calls || !total || *calls < 0 || *total < 0) return sink_.note("K603", "totals");
  if (is_domain(name)) return sink_.note("K604", name);  // the same time again
  const bool copy = is_copy(name);
  const bool call = !copy && is_call(name);
  const TotalsColumns& columns = copy ? copy_totals : call ? call_totals : kernel_totals;
  const Row row = batch.add(copy ? table("copy_stats") : call ? table("api_stats") : table("kernel_stats"));
  batch.set(row, columns.name, name);
  batch.set(row, columns.calls, *calls);
  batch.set(row, columns.total, *total);
  if (const auto mean = header.time(fields, Column::mean, ns)) batch.set(row, columns.mean, *mean);
  if (const auto least = header.time(fields, Column::min, ns)) batch.set(row, columns.min, *least);
  if (const auto most = header.time(fields, Column::max, ns)) batch.set(row, columns.max, *most);
  if (!copy && !call) batch.set(row, column("kernel_stats.class"), classes_(name));
}

void Rows::add_agent(const Header& header, Fields fields) {
  if (header.cell(fields, Column::agent_type) != "GPU") return;
  const auto node = header.integer(fields, Column::node);
  if (!node) return sink_.note("K603", "agent");
  const Row row = device(*node);
  std::string_view name = header.cell(fields, Column::product);
  if (is_missing_word(name)) name = header.cell(fields, Column::name);
  if (!is_missing_word(name)) batch.set(row, column("devices.name"), name);
  if (const auto units = header.integer(fields, Column::compute_units); units && *units > 0)
    batch.set(row, column("devices.sms"), *units);
  if (const auto mhz = to_real(Token{header.cell(fields, Column::clock_max)}); mhz && *mhz > 0)
    batch.set(row, column("devices.sm_clock_max"), *mhz * 1e6);
}

}  // namespace kdiag::adapters::rocprof
