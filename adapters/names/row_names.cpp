// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/row_names.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

#include "base/parse_number.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view device_words[] = {"gpu", "npu", "mlu", "xpu", "tpu", "dcu", "gcu", "device", "accelerator"};
constexpr std::string_view queue_words[] = {"stream", "queue", "cudastream", "hipstream"};
// Other words that names of device rows are made of.
constexpr std::string_view work_words[] = {
    "cuda",   "hip",       "hsa",       "rocm",      "sycl",      "opencl",   "compute",   "copy",   "memcpy",
    "memset", "memcpyh2d", "memcpyd2h", "memcpyd2d", "memcpyp2p", "h2d",      "d2h",       "d2d",    "p2p",
    "kernel", "kernels",   "exec",      "execution", "default",   "legacy",   "null",      "hw",     "hardware",
    "engine", "context",   "ctx",       "all",       "sync",      "activity", "async",     "copies", "priority",
    "high",   "low",       "work",      "nvidia",    "amd",       "ascend",   "cambricon", "intel"};
// Words of rows of the host, whatever else they are named after: "GPU Process", "GPU main thread".
constexpr std::string_view host_words[] = {"host",   "cpu",     "process", "thread", "main",        "api",
                                           "driver", "runtime", "memory",  "usage",  "utilization", "counters",
                                           "job",    "task",    "worker",  "python"};
// Words of rows that group a device's work.
constexpr std::string_view range_words[] = {"nvtx",  "range", "ranges",  "annotation", "annotations", "step",
                                            "steps", "scope", "modules", "ops",        "summary"};
constexpr std::string_view copy_words[] = {"copy", "copies", "memcpy"};
constexpr std::string_view communication_words[] = {"comm", "comms", "communication", "nccl", "rccl", "hccl", "cncl"};
// Kinds of parallelism, the fastest rank first.
constexpr std::string_view dimensions[] = {"tp", "cp", "dp", "pp"};
constexpr std::int64_t most_ranks = 32768;  // of a dimension: four of them multiply within 64 bits

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// A word in lower case, or a number.
struct Word {
  std::string text;
  std::optional<std::int64_t> number;
};

void add_word(std::vector<Word>& words, std::string_view text) {
  Word word{std::string(text), {}};
  if (is_digit(text.front())) word.number = parse_number<std::int64_t>(text);
  words.push_back(std::move(word));
}

/// "GPU0: Stream #13(MemcpyH2D)" is gpu, 0, stream, 13, memcpyh2d: a number is a word of its own behind the words that
/// are counted.
std::vector<Word> words_of(std::string_view name) {
  std::string lower;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    lower += letter ? static_cast<char>(c | 0x20) : is_digit(c) ? c : ' ';
  }
  std::vector<Word> words;
  for (std::size_t at = lower.find_first_not_of(' '); at != std::string::npos; at = lower.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(lower.find(' ', at), lower.size());
    const std::string_view text = std::string_view(lower).substr(at, end - at);
    const std::size_t letters = std::min(text.find_first_of("0123456789"), text.size());
    const std::string_view counted = text.substr(0, letters);
    if (letters > 0 && letters < text.size() &&
        (is_one_of(counted, device_words) || is_one_of(counted, queue_words) || counted == "rank")) {
      add_word(words, counted);
      add_word(words, text.substr(letters));
    } else {
      add_word(words, text);
    }
    at = end;
  }
  return words;
}

/// What one name says.
struct NameMeaning {
  RowKind kind = RowKind::host;
  std::optional<std::int64_t> device, queue;
  Coordinates rank;
  bool plain = true;    ///< nothing but numbers and words of device rows
  bool groups = false;  ///< named after what it groups
  bool copies = false;
  bool communication = false;
};

NameMeaning meaning_of(std::string_view name) {
  NameMeaning out;
  const std::vector<Word> words = words_of(name);
  bool host = false;
  bool device = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    const auto number = i + 1 < words.size() ? words[i + 1].number : std::nullopt;
    if (is_one_of(word, device_words)) {
      device = true;
      if (number) out.device = number;
    } else if (is_one_of(word, queue_words)) {
      if (number) out.queue = number;
    } else if (word == "rank" && number) {
      const bool named = i > 0 && is_one_of(words[i - 1].text, dimensions);
      if (*number < most_ranks || (!named && *number <= std::numeric_limits<std::int32_t>::max()))
        out.rank[named ? words[i - 1].text : std::string()] = *number;
    }
    host = host || is_one_of(word, host_words);
    out.copies = out.copies || is_one_of(word, copy_words);
    out.groups = out.groups || is_one_of(word, range_words);
    out.communication = out.communication || is_one_of(word, communication_words);
    if (!words[i].number && !is_one_of(word, device_words) && !is_one_of(word, queue_words) &&
        !is_one_of(word, work_words))
      out.plain = false;
  }
  if (host) out.queue.reset();
  if (host || out.groups) return out;
  if (out.queue && (out.plain || out.device)) out.kind = RowKind::queue;
  else if (out.device || (device && out.plain)) out.kind = RowKind::device;
  return out;
}

}  // namespace

RowMeaning row_meaning(std::string_view process, std::string_view labels, std::string_view thread) {
  NameMeaning outer = meaning_of(process);
  if (const NameMeaning labelled = meaning_of(labels); outer.kind == RowKind::host && labelled.kind != RowKind::host) {
    outer.kind = labelled.kind;
    outer.device = labelled.device;
  }
  const NameMeaning inner = meaning_of(thread);
  RowMeaning out;
  out.rank = outer.rank;
  for (const auto& [dimension, number] : inner.rank) out.rank[dimension] = number;
  out.communication = inner.communication;
  out.copies = (outer.copies && outer.plain) || (inner.copies && inner.plain);
  out.device = inner.device ? inner.device : outer.device;
  out.queue = inner.queue ? inner.queue : outer.queue;
  if (inner.kind != RowKind::host) out.kind = inner.kind;
  else if (outer.kind == RowKind::host) out.kind = RowKind::host;
  else if (inner.queue && !inner.groups) out.kind = RowKind::queue;
  else out.kind = inner.plain ? outer.kind : RowKind::device_range;
  return out;
}

void RankNumbers::see(const Coordinates& rank) {
  for (const auto& [dimension, number] : rank) {
    if (!dimension.empty()) composed_ = true;
    std::int64_t& extent = extents_[dimension];
    extent = std::max(extent, number + 1);
  }
}

std::optional<std::int64_t> RankNumbers::number(const Coordinates& rank) const {
  if (rank.empty()) return std::nullopt;
  if (const auto plain = rank.find(""); plain != rank.end()) return plain->second;
  std::int64_t number = 0;
  std::int64_t below = 1;
  for (const std::string_view dimension : dimensions) {
    const auto found = rank.find(std::string(dimension));
    if (found == rank.end()) continue;
    number += found->second * below;
    below *= extents_.at(found->first);
  }
  return number;
}

}  // namespace kdiag::adapters
