// SPDX-License-Identifier: Apache-2.0
#include "adapters/text/line_prefix.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "adapters/text/line_filter.hpp"

namespace kdiag::adapters {
namespace {

using Shape = LineShape;

constexpr std::size_t looked_at = 256;            // lines; judgement
constexpr std::size_t fewest = 3;                 // lines with a prefix; judgement
constexpr std::size_t most_layers_of_prefix = 3;  // one in front of the other; judgement
constexpr std::size_t most_processes = 8;         // whose lines are tried, of those that wrote most; judgement

/// How many prefixes are tried: each by all adapters, on all of the input's head. Enough for each process with all of
/// its layers, not for processes in front of processes.
constexpr std::size_t most_prefixes = most_processes * most_layers_of_prefix;

template <class Take>
void each_line(std::string_view text, std::size_t most, Take take_line) {
  for (std::size_t line = 0; line < most && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

/// Whether lines may have the shape while most have none: it is found in no other text, or in code around a comment.
constexpr bool may_be_in_few(Shape shape) {
  return shape == Shape::worker || shape == Shape::logger || shape == Shape::quote || shape == Shape::slashes;
}

}  // namespace

std::vector<LinePrefix> LinePrefix::of(std::string_view text) {
  std::vector<std::string> lines;
  std::size_t coloured = 0;
  each_line(text, looked_at, [&](std::string_view line) {
    if (blank(line)) return;
    lines.push_back(without_colours(line));
    if (lines.back().size() < line.size()) ++coloured;
  });
  LinePrefix colours;
  std::vector<LinePrefix> found;
  colours.colours_ = coloured >= fewest;
  if (colours.colours_) found.push_back(colours);
  std::deque<std::pair<LinePrefix, std::vector<std::string>>> open;  // with the lines that it has been taken off of
  open.emplace_back(colours, std::move(lines));
  for (; !open.empty(); open.pop_front()) {
    const auto& [outer, outer_lines] = open.front();
    for (const Layer& layer : outer.next_layers(outer_lines)) {
      if (found.size() == most_prefixes) return found;
      LinePrefix& prefix = found.emplace_back(outer);
      prefix.layers_.push_back(layer);
      std::vector<std::string> rest;
      for (const std::string& line : outer_lines)
        if (const std::string_view kept = layer.strip(line); !blank(kept)) rest.emplace_back(kept);
      open.emplace_back(prefix, std::move(rest));
    }
  }
  return found;
}

std::vector<LinePrefix::Layer> LinePrefix::next_layers(const std::vector<std::string>& lines) const {
  if (layers_.size() == most_layers_of_prefix) return {};
  for (const Shape shape :
       {Shape::worker, Shape::process, Shape::logger, Shape::time, Shape::quote, Shape::slashes, Shape::hash})
    if (std::vector<Layer> layers = layers_of(shape, lines); !layers.empty()) return layers;
  return {};
}

std::vector<LinePrefix::Layer> LinePrefix::layers_of(Shape shape, const std::vector<std::string>& lines) {
  std::map<std::string, std::size_t, std::less<>> tags;  // how many lines have each
  std::size_t with = 0;
  for (const std::string& line : lines) {
    const std::size_t taken = prefix_length(shape, line);
    if (taken == 0) continue;
    ++with;
    std::string tag = line.substr(0, taken);
    while (tag.ends_with(' ') || tag.ends_with('\r')) tag.pop_back();
    ++tags[tag];
  }
  const bool in_few = with < lines.size() - with;
  if (with < fewest || (in_few && !may_be_in_few(shape))) return {};
  std::vector<std::pair<std::string, std::size_t>> by_lines(tags.begin(), tags.end());
  std::stable_sort(by_lines.begin(), by_lines.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  // What begins in as many ways as there are lines is no tag, but the text itself.
  if (shape == Shape::process && by_lines.front().second * 2 < with) return {};
  std::vector<Layer> layers;
  for (const auto& [tag, count] : by_lines) {
    const bool other = !layers.empty();
    if (other && (!names_process(shape) || count < fewest || layers.size() == most_processes)) break;
    layers.push_back({shape, tag, names_process(shape) ? tags.size() - 1 : 0,
                      shape == Shape::hash || (in_few && shape != Shape::slashes)});
  }
  return layers;
}

std::string_view LinePrefix::Layer::strip(std::string_view line) const {
  const std::size_t taken = prefix_length(shape, line);
  if (names_process(shape) && taken > 0 && !line.starts_with(tag)) return {};
  return line.substr(taken);
}

std::string LinePrefix::strip(std::string_view line) const {
  std::string whole = colours_ ? without_colours(line) : std::string(line);
  std::string_view rest = whole;
  for (const Layer& layer : layers_) rest = layer.strip(rest);
  whole.erase(0, whole.size() - rest.size());
  return whole;
}

bool LinePrefix::extends(const LinePrefix& outer) const {
  return layers_.size() > outer.layers_.size() &&
         std::equal(outer.layers_.begin(), outer.layers_.end(), layers_.begin(),
                    [](const Layer& a, const Layer& b) { return a.shape == b.shape && a.tag == b.tag; });
}

std::size_t LinePrefix::others() const {
  std::size_t sum = 0;
  for (const Layer& layer : layers_) sum += layer.others;
  return sum;
}

std::string LinePrefix::describe() const {
  std::string text = layers_.empty() ? "colours" : "";
  for (const Layer& layer : layers_) text += (text.empty() ? "'" : ", '") + layer.tag + "'";
  return text;
}

std::unique_ptr<Input> without_line_prefix(Input& input, LinePrefix prefix) {
  return with_lines(input, [prefix = std::move(prefix), kept = std::string()](std::string_view line, bool) mutable {
    kept = prefix.strip(line);
    return std::string_view(kept);
  });
}

}  // namespace kdiag::adapters
