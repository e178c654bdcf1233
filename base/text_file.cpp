// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <sys/types.h>
#include <algorithm>
#include <cerrno>

namespace kdiag {
namespace {

/// Calls until no signal ends the call; negative after an error, of which errno tells.
template <class Call>
auto again(CancelFlag cancel, const Call& call) {
  for (;;) {
    stop_if(cancel);
    if (const auto result = call(); result >= 0 || (errno != EINTR && errno != EAGAIN)) return result;
  }
}

/// Waits for bytes or the end, which a disk has at once and a pipe perhaps never.
void wait_until_readable(int descriptor, CancelFlag cancel) {
  constexpr int interval_ms = 20;
  pollfd waiting{descriptor, POLLIN, 0};
  for (;;) {
    const int ready = ::poll(&waiting, 1, interval_ms);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;  // what is wrong with it reading says
    stop_if(cancel);
  }
}

struct OpenFile {
  int descriptor;
  explicit OpenFile(int opened) : descriptor(opened) {}
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
};

}  // namespace

int read_text_file(const std::string& path, std::size_t most, std::string& text, CancelFlag cancel) {
  text.clear();
  const OpenFile file(again(cancel, [&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (file.descriptor < 0) return errno;
  constexpr std::size_t first_room = std::size_t{16} * 1024;  // most rules have less; `most` may be a hundred MiB
  std::size_t filled = 0;
  while (filled < most) {
    if (filled == text.size()) text.resize(std::min(most, std::max(first_room, 2 * filled)));
    wait_until_readable(file.descriptor, cancel);
    const ssize_t got =
        again(cancel, [&] { return ::read(file.descriptor, text.data() + filled, text.size() - filled); });
    if (got < 0) {
      const int why = errno;
      text.clear();
      return why;
    }
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text = std::string(text, 0, filled);  // no larger than it has to be: a pack keeps thousands of them
  return 0;
}

}  // namespace kdiag
