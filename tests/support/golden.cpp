// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "tests/catch.hpp"

namespace kdiag::tests {
namespace {

std::filesystem::path golden_root() { return std::filesystem::path(KDIAG_SOURCE_DIR) / "tests" / "golden"; }

bool updating() {
  const char* update = std::getenv("KDIAG_UPDATE");
  return update != nullptr && std::string(update) == "1";
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

std::string first_difference(std::string_view expected, std::string_view actual) {
  const std::vector<std::string_view> before = lines_of(expected);
  const std::vector<std::string_view> after = lines_of(actual);
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  if (head == before.size() && head == after.size()) return {};

  constexpr std::size_t context = 3;
  constexpr std::size_t most = 60;  // lines of each side
  std::string out = "@@ line " + std::to_string(head + 1) + " @@\n";
  const auto add = [&out](char mark, const std::vector<std::string_view>& lines, std::size_t from, std::size_t to) {
    const std::size_t end = std::min(to, from + most);
    for (std::size_t i = from; i < end; ++i) {
      out.append(1, mark).append(lines[i]);
      if (!lines[i].ends_with('\n')) out += "\n\\ no newline at the end\n";
    }
    if (to > end) out += std::string(1, mark) + "... " + std::to_string(to - end) + " more lines\n";
  };
  add(' ', before, head - std::min(head, context), head);
  add('-', before, head, before.size() - tail);
  add('+', after, head, after.size() - tail);
  add(' ', before, before.size() - tail, before.size() - tail + std::min(tail, context));
  return out;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  INFO("cannot read " << path);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> golden_files(const std::string& folder, const std::string& extension) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(golden_root() / folder))
    if (entry.path().extension() == extension) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void check_golden(const std::string& name, const std::string& actual) {
  const std::string path = (golden_root() / name).string();  // an absolute name stays as it is
  if (updating()) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  const std::string difference = first_difference(read_file(path), actual);
  INFO(path << " (KDIAG_UPDATE=1 rewrites it)\n" << difference);
  CHECK(difference.empty());
}

void check_golden_folder(const std::string& folder, const std::string& expected,
                         const std::function<std::string(const std::string& name, const std::string& text)>& make) {
  const std::vector<std::string> inputs = golden_files(folder, ".in");
  REQUIRE(!inputs.empty());
  for (const std::string& input : inputs) {
    const std::filesystem::path path(input);
    check_golden(std::filesystem::path(path).replace_extension(expected).string(),
                 make(path.filename().string(), read_file(input)));
  }
}

}  // namespace kdiag::tests
