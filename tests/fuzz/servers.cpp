// SPDX-License-Identifier: Apache-2.0
// The servers of editors and assistants: whatever they are sent, they end, and what they say is JSON.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>
#include <system_error>

#include <nlohmann/json.hpp>

#include "serve/lsp/language_server.hpp"
#include "serve/mcp/mcp.hpp"
#include "serve/rpc/framing.hpp"
#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

namespace kdiag::fuzz {
namespace {

using serve::Framing;

/// A file in memory.
class MemoryFile {
 public:
  MemoryFile() : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int file() const { return file_; }
  void rewind() const { (void)::lseek(file_, 0, SEEK_SET); }

 private:
  int file_;
};

/// What a server answers: each message has to be JSON.
template <class Serve>
void converse(std::string_view input, Framing framing, const Serve& serve) {
  std::signal(SIGPIPE, SIG_IGN);
  const MemoryFile in, out;
  serve::write_all(in.file(), input);
  in.rewind();
  serve(in.file(), out.file());
  out.rewind();
  int wake[2];
  if (::pipe2(wake, O_CLOEXEC) != 0) return;
  serve::FrameReader reader(out.file(), wake[0], framing, std::size_t{1} << 30);
  for (serve::Frame frame = reader.next(); frame.kind != serve::Frame::Kind::end; frame = reader.next()) {
    if (frame.kind != serve::Frame::Kind::message) expect_none({"an answer is no message: " + frame.text});
    if (!nlohmann::json::accept(frame.text)) expect_none({"an answer is no JSON: " + frame.text});
  }
  ::close(wake[0]);
  ::close(wake[1]);
}

/// Each line as a message: its length is never wrong, so that more than headers is looked at.
std::string with_headers(std::string_view lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    out += serve::framed(lines.substr(at, end - at), Framing::headers);
    at = end + 1;
  }
  return out;
}

}  // namespace

void lsp(Input input) {
  const std::string_view text = text_of(input);
  converse(text.starts_with("Content-") ? std::string(text) : with_headers(text), Framing::headers,
           [](int in, int out) { serve::run_language_server(in, out); });
}

void mcp(Input input) {
  serve::mcp::McpOptions options;
  options.roots = {KDIAG_FUZZ_ROOT};
  options.most_ms = 2000;
  converse(text_of(input), Framing::lines, [&](int in, int out) { (void)serve::mcp::serve(options, in, out); });
}

}  // namespace kdiag::fuzz
