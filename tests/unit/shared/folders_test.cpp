// SPDX-License-Identifier: Apache-2.0
// Real folders of traces beside the repository: a folder is what its files are together.
#include <filesystem>

#include <kdiag/kdiag.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

const std::string traces = std::string(KDIAG_SOURCE_DIR) + "/../shared/traces/";

std::uint64_t note_count(const Facts& facts, std::string_view id) {
  std::uint64_t count = 0;
  for (const InputEntry& input : facts.inputs())
    for (const NoteEntry& note : input.notes)
      if (note.id == id) count += note.count;
  return count;
}

}  // namespace

TEST_CASE("a real folder of two ranks is the run of its files", "[shared]") {
  const Result<Facts> folder = load_trace(traces + "hta/trace_filter");
  REQUIRE(folder);
  const std::string paths[] = {traces + "hta/trace_filter/sampled_rank-0.json.gz",
                               traces + "hta/trace_filter/sampled_rank-1.json.gz"};
  const Result<Facts> files = load_traces(paths);
  REQUIRE(files);
  CHECK(folder->loaded().runs.size() == 1);
  CHECK(to_json(diagnose(*folder, *builtin_rules())) == to_json(diagnose(*files, *builtin_rules())));
}

TEST_CASE("every file of a real mixed folder is read, skipped with a reason, or an error", "[shared]") {
  for (const char* name : {"hta", "kineto", "ascend_mstt", "smi_logs"}) {
    CAPTURE(name);
    const Result<Facts> facts = load_trace(traces + name);
    std::uint64_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(traces + name))
      files += entry.is_regular_file() ? 1 : 0;
    if (facts) CHECK(facts->inputs().size() + note_count(*facts, "K701") + note_count(*facts, "K702") == files);
    else CHECK(facts.error()[0].id == "K705");
  }
}
