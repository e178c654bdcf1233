// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/archive.hpp"

#include <string>
#include <vector>

#include "adapters/io/decoder.hpp"
#include "tests/catch.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;
using namespace kdiag::adapters;
using kdiag::tests::ArchiveFile;
using kdiag::tests::ArchiveKind;
using kdiag::tests::make_archive;

namespace {

/// A source that only runs forward, as pipes and decoders do.
class ForwardSource final : public ByteSource {
 public:
  explicit ForwardSource(std::string_view bytes) : inner_(memory_source(bytes)) {}
  Result<std::size_t> read(std::span<char> buffer) override { return inner_->read(buffer); }
  std::uint64_t taken() const override { return inner_->taken(); }
  UnpackBudget& budget() override { return inner_->budget(); }

 private:
  std::unique_ptr<ByteSource> inner_;
};

struct Listed {
  std::vector<std::pair<std::string, std::string>> files;  ///< content, or the error's id when reading it failed
  std::vector<std::string> others;
  std::string error;
};

Listed list(std::unique_ptr<Archive> archive, bool read_on = true) {
  Listed listed;
  for (;;) {
    auto member = archive->next();
    if (!member) {
      listed.error = member.error().front().id;
      return listed;
    }
    if (!*member) return listed;
    if ((*member)->kind != Archive::Member::Kind::file) {
      listed.others.push_back((*member)->name);
      continue;
    }
    const auto source = archive->open();
    std::string content;
    Status read = append_from(*source, content, read_on ? 1 << 20 : 10);
    listed.files.emplace_back((*member)->name, read ? content : read.error().front().id);
  }
}

Listed list(const std::string& bytes, bool forward) {
  std::unique_ptr<ByteSource> source =
      forward ? std::make_unique<ForwardSource>(bytes) : memory_source(std::span<const char>(bytes));
  std::string start;
  REQUIRE(append_from(*source, start, 512));
  REQUIRE(is_archive(start));
  return list(open_archive(std::move(source), std::move(start)));
}

std::string numbers(std::size_t size) {
  std::string text;
  for (std::uint64_t i = 1; text.size() < size; ++i) text += std::to_string(i * 2654435761U);
  return text;
}

}  // namespace

TEST_CASE("members of archives come in their order with their bytes", "[adapters][archive]") {
  const ArchiveKind kind = GENERATE(ArchiveKind::zip, ArchiveKind::stored_zip, ArchiveKind::tar, ArchiveKind::pax);
  const bool forward = GENERATE(false, true);
  if (kind == ArchiveKind::stored_zip && forward) return;  // the lengths stand behind the bytes there
  const std::vector<ArchiveFile> files = {{"b/rank1.json", numbers(300'000)},
                                          {"empty", ""},
                                          {"../../etc/a", "outside"},
                                          {"/rooted", "root"},
                                          {"\xC3\xA9\x1b[2J\xFF", "name"}};
  const Listed listed = list(make_archive(kind, files), forward);
  CHECK(listed.error.empty());
  REQUIRE(listed.files.size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) CHECK(listed.files[i].second == files[i].content);
  CHECK(listed.files[0].first == "b/rank1.json");
  CHECK(listed.files[2].first == "../../etc/a");
}

TEST_CASE("links and encrypted members of archives are told apart", "[adapters][archive]") {
  const ArchiveKind kind = GENERATE(ArchiveKind::zip, ArchiveKind::tar);
  const Listed listed = list(make_archive(kind, {{"a", "text"}, {"link", "", "/etc/passwd"}}), false);
  CHECK(listed.files.size() == 1);
  CHECK(listed.others == std::vector<std::string>{"link"});
  CHECK(list(make_archive(ArchiveKind::encrypted_zip, {{"a", "text"}}), false).others == std::vector<std::string>{"a"});
}

TEST_CASE("an archive that is cut off gives what stands before the cut", "[adapters][archive]") {
  const ArchiveKind kind = GENERATE(ArchiveKind::zip, ArchiveKind::tar);
  std::string bytes = make_archive(kind, {{"a", "whole"}, {"b", numbers(100'000)}});
  bytes.resize(bytes.find("b", bytes.find("whole")) + 30'000);
  const Listed listed = list(bytes, false);
  REQUIRE(listed.files.size() == 2);
  CHECK(listed.files[0].second == "whole");
  CHECK(listed.error == "K704");
}

TEST_CASE("a tar archive that is cut between two members lacks its end", "[adapters][archive]") {
  const bool forward = GENERATE(false, true);
  const std::string whole =
      make_archive(ArchiveKind::tar, {{"a", std::string(1024, 'a')}, {"b", std::string(512, '\0')}});
  const std::size_t behind_a = 512 + 1024, behind_b = behind_a + 512 + 512;
  CHECK(list(whole, forward).error.empty());
  CHECK(list(whole.substr(0, behind_b + 512), forward).error.empty());  // half of the mark is there
  for (const std::size_t size : {behind_a, behind_b}) {
    const Listed listed = list(whole.substr(0, size), forward);
    CHECK(listed.files.size() == (size == behind_a ? 1 : 2));
    CHECK(listed.error == "K704");
  }
}

TEST_CASE("a cut archive says the same from a file as from memory, whoever reads the cut member",
          "[adapters][archive]") {
  const ArchiveKind kind = GENERATE(ArchiveKind::zip, ArchiveKind::tar);
  const bool read_on = GENERATE(true, false);
  std::string bytes = make_archive(kind, {{"a", "whole"}, {"b", numbers(300'000)}});
  bytes.resize(bytes.find("b", bytes.find("whole")) + 30'000);
  const tests::Folder folder({ArchiveFile{"cut", bytes}});
  for (const bool from_file : {false, true}) {
    auto source = from_file ? std::move(*open_file(folder.path("cut"), nullptr)) : memory_source(bytes);
    std::string start;
    REQUIRE(append_from(*source, start, 512));
    const Listed listed = list(open_archive(std::move(source), std::move(start)), read_on);
    CHECK(listed.files.size() == 2);
    CHECK(listed.error == "K704");
  }
}

TEST_CASE("no source goes beyond its end", "[adapters][archive]") {
  const tests::Folder folder({ArchiveFile{"file", "0123456789"}});
  for (const bool from_file : {false, true}) {
    const auto source =
        from_file ? std::move(*open_file(folder.path("file"), nullptr)) : memory_source(std::string_view("0123456789"));
    CHECK(source->seek(4, SEEK_SET) == 4);
    CHECK(source->seek(11, SEEK_SET) == -1);
    CHECK(source->seek(7, SEEK_CUR) == -1);
    CHECK(source->seek(-11, SEEK_END) == -1);
    CHECK(source->seek(0, SEEK_CUR) == 4);
    CHECK(source->seek(0, SEEK_END) == 10);
  }
}

TEST_CASE("damaged archives end with an error", "[adapters][archive]") {
  const ArchiveKind kind = GENERATE(ArchiveKind::zip, ArchiveKind::tar);
  const bool forward = GENERATE(false, true);
  const std::string whole = make_archive(kind, {{"a", numbers(2000)}, {"b", numbers(3000)}});
  for (std::size_t at = 4; at < whole.size(); at += 97) {
    std::string bytes = whole;
    for (std::size_t i = at; i < std::min(at + 8, bytes.size()); ++i) bytes[i] = static_cast<char>(~bytes[i]);
    if (is_archive(std::string_view(bytes).substr(0, 512))) list(bytes, forward);  // ends, whatever it says
    if (is_archive(std::string_view(whole).substr(0, std::min<std::size_t>(at, 512))))
      list(whole.substr(0, at), forward);
  }
}

TEST_CASE("what unpacks out of all proportion is a bomb", "[adapters][archive]") {
  constexpr std::uint64_t gib = 1ULL << 30;
  UnpackBudget budget;
  budget.take(gib / 500);
  budget.unpack(gib);
  CHECK_FALSE(budget.exceeded());  // small enough to do no harm
  budget.unpack(gib);
  REQUIRE(budget.exceeded());
  CHECK(budget.error().id == "K707");
  budget.take(gib);
  CHECK_FALSE(budget.exceeded());
}

TEST_CASE("what is unpacked has a limit, too", "[adapters][archive][hostile]") {
  UnpackBudget budget(1000);
  budget.take(900);
  budget.unpack(1000);
  CHECK_FALSE(budget.exceeded());
  budget.unpack(1);
  REQUIRE(budget.exceeded());
  CHECK(budget.error().id == "K765");
}

TEST_CASE("members of an archive share what may be unpacked", "[adapters][archive][hostile]") {
  std::vector<ArchiveFile> files;
  for (int i = 0; i < 10; ++i) files.push_back({"m" + std::to_string(i), std::string(10'000, 'x')});
  const std::string bytes = make_archive(ArchiveKind::zip, files);
  UnpackBudget budget(35'000);
  const Listed listed = list(open_archive(memory_source(bytes, &budget), {}));
  REQUIRE(listed.files.size() == 4);
  CHECK(listed.files[2].second.size() == 10'000);
  CHECK(listed.error == "K765");
}

TEST_CASE("bytes of a file that is read twice count once", "[adapters][archive][hostile]") {
  const std::string bytes(1000, 'x');
  UnpackBudget budget;
  const auto source = memory_source(bytes, &budget);
  std::string text;
  for (int i = 0; i < 10; ++i) {
    REQUIRE(append_from(*source, text, 1000));
    REQUIRE(source->seek(0, SEEK_SET) == 0);
  }
  budget.unpack(1ULL << 31U);  // of the 1,000 bytes that there are at most 500,000 are believed
  CHECK(budget.exceeded());
}
