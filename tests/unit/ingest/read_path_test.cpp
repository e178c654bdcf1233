// SPDX-License-Identifier: Apache-2.0
// Folders and archives as inputs.
#include <unistd.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <kdiag/kdiag.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "ingest/names/rank_in_name.hpp"
#include "ingest/walk_folder.hpp"
#include "tests/catch.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;
using kdiag::tests::ArchiveFile;
using kdiag::tests::ArchiveKind;
using kdiag::tests::Folder;
using kdiag::tests::make_archive;

namespace {

namespace fs = std::filesystem;

const std::string kernel_table =
    "Kernel                                                 Latency Tensor   DRAM\n"
    "gemm                                              |       8000   0.55   0.20\n";

/// Notes of an id on all inputs: "text xN".
std::vector<std::string> notes(const Facts& facts, std::string_view id) {
  std::vector<std::string> texts;
  for (const InputEntry& input : facts.inputs())
    for (const NoteEntry& note : input.notes)
      if (note.id == id) texts.push_back(note.text + " x" + std::to_string(note.count));
  return texts;
}

std::vector<std::string> inputs(const Facts& facts, const std::string& root) {
  std::vector<std::string> names;
  for (const InputEntry& input : facts.inputs()) names.push_back(input.path.substr(root.size() + 1));
  return names;
}

std::vector<std::int64_t> ranks(const FactStore& store) {
  std::vector<std::int64_t> ids;
  for (std::size_t row = 0; row < store.rows(table("ranks")); ++row)
    ids.push_back(store.small(column("ranks.id"), row));
  return ids;
}

Result<Facts> load_archive(const std::string& bytes) { return load_trace("a.zip", std::span<const char>(bytes)); }

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("the ranks of a folder are one run, in the order of their numbers", "[api][folder]") {
  const Folder folder({{"rank10.txt", kernel_table}, {"rank2.txt", kernel_table}, {"rank_1/table.txt", kernel_table}});
  const Result<Facts> facts = load_trace(folder.path() + "/");
  REQUIRE(facts);
  CHECK(inputs(*facts, folder.path()) == Strings{"rank2.txt", "rank10.txt", "rank_1/table.txt"});
  REQUIRE(facts->loaded().runs.size() == 1);
  CHECK(ranks(*facts->loaded().runs[0].store) == std::vector<std::int64_t>{2, 10, 1});
  CHECK(notes(*facts, "K703").size() == 3);
}

TEST_CASE("files that are named one by one are ranks where their paths say so", "[api][folder]") {
  const Folder folder({{"rank9/rank0_run/t.txt", kernel_table},
                       {"rank9/rank1_run/t.txt", kernel_table},
                       {"rank9/rank1_run/u.txt", kernel_table},
                       {"rank9/t.txt", kernel_table}});
  const auto runs = [&](const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(folder.path("rank9/" + name));
    const Result<Facts> facts = load_traces(paths);
    REQUIRE(facts);
    return facts->loaded().runs.size() == 1 ? ranks(*facts->loaded().runs[0].store) : std::vector<std::int64_t>{-1};
  };
  using Ranks = std::vector<std::int64_t>;
  CHECK(runs({"rank0_run/t.txt", "rank1_run/t.txt"}) == Ranks{0, 1});
  CHECK(runs({"rank1_run/t.txt", "rank1_run/u.txt"}) == Ranks{-1});  // what they share says nothing
  CHECK(runs({"rank0_run/t.txt", "t.txt"}) == Ranks{-1});            // one of them says none
  CHECK(runs({"rank1_run/t.txt"}) == Ranks{});
}

TEST_CASE("an archive gives the facts of the folder that it was made of", "[api][folder]") {
  const std::vector<ArchiveFile> files = {
      {"rank1.txt", kernel_table}, {"rank0.txt", kernel_table}, {"notes.md", "# notes\n"}};
  const Folder folder(files);
  const Result<Facts> from_folder = load_trace(folder.path());
  REQUIRE(from_folder);
  for (const ArchiveKind kind : {ArchiveKind::zip, ArchiveKind::tar}) {
    const Result<Facts> from_archive = load_archive(make_archive(kind, files));
    REQUIRE(from_archive);
    CHECK(inputs(*from_archive, "a.zip") == Strings{"rank0.txt", "rank1.txt"});
    CHECK(notes(*from_archive, "K701") == notes(*from_folder, "K701"));
    CHECK(facts_text(*from_archive) == facts_text(*from_folder));
  }
}

TEST_CASE("what is no trace is counted by reason", "[api][folder]") {
  const Folder folder({{"a.txt", kernel_table},
                       {"README.md", "# Read me\n"},
                       {"run.py", "print(1)\n"},
                       {"run.log", "started\n"},
                       {"more.log", "ended\n"},
                       {"empty.json", ""},
                       {"data.parquet", "PAR1 and more"},
                       {".git/config", "[core]\n"},
                       {".DS_Store", "x"}});
  ::mkfifo(folder.path("pipe").c_str(), 0600);
  const Result<Facts> facts = load_trace(folder.path());
  REQUIRE(facts);
  CHECK(inputs(*facts, folder.path()) == Strings{"a.txt"});
  const std::string skipped = "files of the folder or archive were skipped ";
  CHECK(notes(*facts, "K701") ==
        Strings{skipped + "(a Parquet file, which kdiag does not read: data.parquet) x1",
                skipped + "(empty: empty.json) x1", skipped + "(no regular file: pipe) x1",
                skipped + "(no trace that kdiag knows: README.md, more.log, run.log, ...) x4"});
  CHECK(notes(*facts, "K702") == Strings{"hidden files of the folder or archive were skipped (.DS_Store, .git) x2"});
}

TEST_CASE("a trace of a folder that is damaged is an error of its own", "[api][folder]") {
  const Folder folder({{"a.txt", kernel_table}, {"b.json.gz", "\x1F\x8B\x08"}});
  const Result<Facts> facts = load_trace(folder.path());
  REQUIRE(facts);
  CHECK(notes(*facts, "K609").size() == 1);
  CHECK(facts->loaded().runs.size() == 1);
  const Folder alone({ArchiveFile{"b.json.gz", "\x1F\x8B\x08"}});
  REQUIRE(load_trace(alone.path()).error().size() == 1);
  CHECK(load_trace(alone.path()).error()[0].id == "K601");
}

TEST_CASE("a folder or archive without a trace is an error that says what was seen", "[api][folder]") {
  const std::vector<ArchiveFile> files = {{"README.md", "# Read me\n"}, {"x.parquet", "PAR1 and more"}};
  const Folder folder(files);
  for (const Result<Facts>& facts : {load_trace(folder.path()), load_archive(make_archive(ArchiveKind::zip, files))}) {
    REQUIRE_FALSE(facts);
    REQUIRE(facts.error().size() == 1);
    CHECK(facts.error()[0].id == "K705");
    CHECK(facts.error()[0].help ==
          "Seen: a Parquet file, which kdiag does not read: 1 (x.parquet); no trace that kdiag knows: 1 (README.md).");
  }
  const Folder empty({});
  CHECK(load_trace(empty.path()).error()[0].help == "There is no file in it.");
  CHECK(load_archive(make_archive(ArchiveKind::zip, {})).error()[0].id == "K705");
}

TEST_CASE("links in folders are followed once, and loops end", "[api][folder]") {
  const Folder folder({{"inner/a.txt", kernel_table},
                       {"inner/up", "", ".."},
                       {"latest.txt", "", "inner/a.txt"},
                       {"gone", "", "/nonexistent"},
                       {"self", "", "self"}});
  const FolderContent content = walk_folder(folder.path());
  CHECK(content.files == Strings{folder.path("latest.txt")});
  CHECK(content.repeated == Strings{folder.path("inner/a.txt"), folder.path("inner/up")});
  CHECK(content.unreadable == Strings{folder.path("gone"), folder.path("self")});
}

TEST_CASE("archives in a folder are opened, archives in an archive are not", "[api][folder]") {
  const std::string zip = make_archive(ArchiveKind::zip, {{"rank1.txt", kernel_table}});
  const Folder folder({{"rank0.txt", kernel_table}, {"more.zip", zip}});
  const Result<Facts> facts = load_trace(folder.path());
  REQUIRE(facts);
  CHECK(inputs(*facts, folder.path()) == Strings{"more.zip/rank1.txt", "rank0.txt"});
  CHECK(facts->loaded().runs.size() == 1);
  const Result<Facts> nested = load_archive(make_archive(ArchiveKind::tar, {{"more.zip", zip}}));
  REQUIRE_FALSE(nested);
  CHECK(nested.error()[0].help.find("a zip archive where one trace is needed: 1 (more.zip)") != std::string::npos);
}

TEST_CASE("hostile archives do no harm", "[api][folder]") {
  SECTION("names that leave the archive, or act on terminals, are labels") {
    const Result<Facts> facts =
        load_archive(make_archive(ArchiveKind::tar, {{"../../tmp/kdiag-escaped\x1b[2J.txt", kernel_table}}));
    REQUIRE(facts);
    const std::string report = to_text(diagnose(*facts, *builtin_rules()));
    CHECK(report.find('\x1b') == std::string::npos);
    CHECK_FALSE(fs::exists("/tmp/kdiag-escaped\x1b[2J.txt"));
  }
  SECTION("links are not followed, secrets are not guessed") {
    const Result<Facts> facts = load_archive(make_archive(
        ArchiveKind::zip, {{"a.txt", kernel_table}, {"passwd", "", "/etc/passwd"}, {"__MACOSX/._a", "x"}}));
    REQUIRE(facts);
    CHECK(notes(*facts, "K701").size() == 1);
    CHECK(notes(*facts, "K702").size() == 1);
    CHECK(load_archive(make_archive(ArchiveKind::encrypted_zip, {{"a.txt", kernel_table}})).error()[0].help ==
          "Seen: encrypted: 1 (a.txt).");
  }
  SECTION("too many members are an error") {
    std::vector<ArchiveFile> files;
    for (std::size_t i = 0; i <= most_members; ++i) files.push_back({std::to_string(i), ""});
    const Result<Facts> facts = load_archive(make_archive(ArchiveKind::zip, files));
    REQUIRE_FALSE(facts);
    CHECK(facts.error()[0].id == "K706");
  }
  SECTION("what stands before a cut is read") {
    std::string bytes =
        make_archive(ArchiveKind::tar, {{"a.txt", kernel_table}, {"b.txt", kernel_table + kernel_table}});
    bytes.resize(1024 + 512 + 100);
    const Result<Facts> facts = load_archive(bytes);
    REQUIRE(facts);
    CHECK(notes(*facts, "K704").size() + notes(*facts, "K601").size() >= 1);
    CHECK(load_archive(bytes.substr(0, 600)).error()[0].id == "K601");
  }
}

TEST_CASE("a number behind a folder selects one of the runs that its files form", "[api][folder]") {
  const Folder folder({{"1/rank0.txt", kernel_table}, {"1/rank1.txt", kernel_table}, {"2/rank0.txt", kernel_table}});
  const Result<Facts> all = load_trace(folder.path());
  REQUIRE(all);
  CHECK(all->loaded().runs.size() == 2);
  const Result<Facts> first = load_trace(folder.path() + "#1");
  REQUIRE(first);
  REQUIRE(first->loaded().runs.size() == 1);
  CHECK(ranks(*first->loaded().runs[0].store) == std::vector<std::int64_t>{0, 1});
  const Result<Facts> second = load_trace(folder.path() + "#2");
  REQUIRE(second);
  CHECK(inputs(*second, folder.path()) == Strings{"2/rank0.txt"});
  const Result<Facts> third = load_trace(folder.path() + "#3");
  REQUIRE_FALSE(third);
  CHECK(third.error()[0].id == "K693");
  CHECK(third.error()[0].help == "It holds 2 runs: #1 to #2.");
}

TEST_CASE("ranks in names", "[api][folder]") {
  CHECK(rank_in_name("rank3.json") == 3);
  CHECK(rank_in_name("run/Rank_03.pt.trace.json.gz") == 3);
  CHECK(rank_in_name("rank-3_ascend_pt/trace_view.json") == 3);
  CHECK(rank_in_name("rank1/rank2.json") == 2);
  CHECK(rank_in_name("inference_rank_1.json.gz") == 1);
  CHECK(rank_in_name("rank=7/a") == 7);
  CHECK_FALSE(rank_in_name("rank.json"));
  CHECK_FALSE(rank_in_name("rank_non_gpu.json"));
  CHECK_FALSE(rank_in_name("frank3.json"));
  CHECK_FALSE(rank_in_name("rank3b.json"));
  CHECK_FALSE(rank_in_name("rank20251121093000.json"));
  CHECK_FALSE(rank_in_name(""));
}
