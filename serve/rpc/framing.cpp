// SPDX-License-Identifier: Apache-2.0
#include "serve/rpc/framing.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

namespace kdiag::serve {
namespace {

constexpr std::size_t chunk_bytes = 64 * 1024;
constexpr std::size_t most_header_bytes = 8 * 1024;  // clients send one or two short headers (judgement)

bool same_header(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::optional<std::size_t> length_in(std::string_view text) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return length;
}

std::string too_long(std::size_t most) { return "a message has at most " + std::to_string(most) + " bytes"; }

}  // namespace

bool FrameReader::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  for (;;) {
    pollfd waiting[] = {{input_, POLLIN, 0}, {wake_, POLLIN, 0}};
    if (::poll(waiting, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (waiting[1].revents != 0) return false;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + chunk_bytes);
    const ssize_t got = ::read(input_, buffer_.data() + before, chunk_bytes);
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got >= 0) return got > 0;
    if (errno != EINTR && errno != EAGAIN) return false;
  }
}

FrameReader::Line FrameReader::take_line(std::size_t most) {
  for (std::size_t searched = 0;;) {
    const std::size_t end = buffer_.find('\n', at_ + searched);
    if (end == std::string::npos) searched = buffer_.size() - at_;
    if ((end == std::string::npos ? searched : end - at_) > most) return Line::too_long;
    if (end != std::string::npos) {
      line_.assign(buffer_, at_, end - at_);
      at_ = end + 1;
      if (line_.ends_with('\r')) line_.pop_back();
      return Line::whole;
    }
    if (!fill()) {
      line_.assign(buffer_, at_, searched);
      at_ = buffer_.size();
      return Line::end;
    }
  }
}

bool FrameReader::skip(std::size_t bytes) {
  for (;;) {
    const std::size_t here = std::min(bytes, buffer_.size() - at_);
    at_ += here;
    bytes -= here;
    if (bytes == 0) return true;
    if (!fill()) return false;
  }
}

bool FrameReader::skip_line() {
  for (;;) {
    const std::size_t end = buffer_.find('\n', at_);
    at_ = end == std::string::npos ? buffer_.size() : end + 1;
    if (end != std::string::npos) return true;
    if (!fill()) return false;
  }
}

Frame FrameReader::next_line() {
  for (;;) {
    switch (take_line(most_bytes_)) {
      case Line::too_long: skip_line(); return {Frame::Kind::refused, too_long(most_bytes_)};
      case Line::end:
        if (trimmed(line_).empty()) return {};
        return {Frame::Kind::message, std::move(line_)};  // the last one may lack its end
      case Line::whole:
        if (!trimmed(line_).empty()) return {Frame::Kind::message, std::move(line_)};
    }
  }
}

Frame FrameReader::body(std::size_t bytes) {
  if (bytes > most_bytes_) {
    if (!skip(bytes)) return {};
    return {Frame::Kind::refused, too_long(most_bytes_)};
  }
  while (buffer_.size() - at_ < bytes)
    if (!fill()) return {Frame::Kind::lost, "the input ended inside a message"};
  Frame frame{Frame::Kind::message, buffer_.substr(at_, bytes)};
  at_ += bytes;
  return frame;
}

Frame FrameReader::next_with_headers() {
  std::optional<std::size_t> length;
  std::size_t left = most_header_bytes;
  for (bool first = true;; first = false) {
    const Line line = take_line(left);
    if (line == Line::too_long)
      return {Frame::Kind::lost, "headers have at most " + std::to_string(most_header_bytes) + " bytes"};
    if (line == Line::end) {
      if (first && line_.empty()) return {};
      return {Frame::Kind::lost, "the input ended inside headers"};
    }
    if (line_.empty()) break;
    left -= line_.size();
    const std::size_t colon = line_.find(':');
    if (colon == std::string::npos) return {Frame::Kind::lost, "a header is a name, a colon and a value"};
    const std::string_view header = line_;
    if (!same_header(header.substr(0, colon), "Content-Length")) continue;
    length = length_in(trimmed(header.substr(colon + 1)));
    if (!length) return {Frame::Kind::lost, "Content-Length is a number of bytes"};
  }
  if (!length) return {Frame::Kind::lost, "the header Content-Length is missing"};
  return body(*length);
}

Frame FrameReader::next() { return framing_ == Framing::lines ? next_line() : next_with_headers(); }

std::string framed(std::string_view message, Framing framing) {
  std::string out;
  if (framing == Framing::headers) out = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  out += message;
  if (framing == Framing::lines) out += '\n';
  return out;
}

bool write_all(int output, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(output, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd waiting{output, POLLOUT, 0};
      if (::poll(&waiting, 1, -1) < 0 && errno != EINTR) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace kdiag::serve
