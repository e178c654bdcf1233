// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("kdiag_text_file_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("the first bytes of a text file are read, or an errno says why not") {
  const Folder folder;
  const std::string file = folder.path / "a.yaml";
  std::ofstream(file) << "kdiag: 1";
  std::string text = "before";
  CHECK(read_text_file(file, 100, text) == 0);
  CHECK(text == "kdiag: 1");
  CHECK(read_text_file(file, 5, text) == 0);
  CHECK(text == "kdiag");
  CHECK(read_text_file(folder.path, 100, text) == EISDIR);
  CHECK(text.empty());
  CHECK(read_text_file(folder.path / "none", 100, text) == ENOENT);
}

TEST_CASE("a text takes the room of what the file holds, however much it may hold") {
  const Folder folder;
  const std::string file = folder.path / "long.yaml", whole(100'001, 'x');
  std::ofstream(file) << whole;
  std::string text;
  CHECK(read_text_file(file, std::size_t{1} << 40, text) == 0);  // more than any machine has
  CHECK(text == whole);
  CHECK(text.capacity() < 2 * whole.size());
  CHECK(read_text_file(file, 70'000, text) == 0);
  CHECK(text == whole.substr(0, 70'000));
}

TEST_CASE("a pipe that nobody writes to is left when the host asks to stop", "[hostile]") {
  const Folder folder;
  const std::string pipe = folder.path / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::atomic<bool> stop = true;
  std::string text;
  CHECK_THROWS_AS(read_text_file(pipe, 100, text, &stop), Interrupted);
}
