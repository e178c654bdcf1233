// SPDX-License-Identifier: Apache-2.0
// How much memory this process may use: the least of what the machine has and what it is limited to.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include <kdiag/kdiag.hpp>

#include "base/parse_number.hpp"

namespace kdiag {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
// Columns are joined, facts derived and judged: the process takes 1.5 to 8 times what is counted, of PyTorch traces 4
// times (docs/limits.md). Between these, a judgement.
constexpr std::uint64_t share_of_memory = 4;
constexpr std::uint64_t most_unpacked = 256ULL << 30;  // judgement: some minutes of unpacking

std::uint64_t of_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : unlimited;
}

std::uint64_t of_process(int resource) {
  rlimit limit{};
  return ::getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
             ? limit.rlim_cur
             : unlimited;
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A number of bytes; "max" and what is not there are no limit.
std::uint64_t number_in(const std::string& path) {
  const std::string text = content(path);
  std::string_view number = text;
  return take_number<std::uint64_t>(number).value_or(unlimited);
}

/// Of the control group of this process and those above it, of version 2 ("0::/path" in /proc/self/cgroup) or of the
/// memory controller of version 1 ("9:memory:/path"). cgroups(7)
std::uint64_t of_control_group() {
  std::uint64_t least = unlimited;
  const std::string groups = content("/proc/self/cgroup");
  for (std::string_view rest = groups; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const bool second = line.starts_with("0::");
    const std::size_t path = line.rfind(':');
    if (path == std::string_view::npos || (!second && line.find(":memory:") == std::string_view::npos)) continue;
    const std::string root = second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const std::string file = second ? "/memory.max" : "/memory.limit_in_bytes";
    for (std::string group(line.substr(path + 1));; group.resize(group.rfind('/'))) {
      if (group == "/") group.clear();
      least = std::min(least, number_in(root + group + file));
      if (group.find('/') == std::string::npos) break;
    }
  }
  return least;
}

}  // namespace

LoadLimits default_load_limits() {
  const std::uint64_t memory = std::min({of_machine(), of_control_group(), of_process(RLIMIT_AS)});
  return {.rows = 0, .bytes = memory == unlimited ? 0 : memory / share_of_memory, .unpacked = most_unpacked};
}

}  // namespace kdiag
