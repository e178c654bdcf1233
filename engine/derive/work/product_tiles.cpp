// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/product_tiles.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"

namespace kdiag::work {
namespace {

constexpr std::int64_t most_side = 1024;  // far above any that exists (judgement)

/// The digits at a place of a text.
std::string_view digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) ++end;
  return text.substr(at, end - at);
}

std::optional<std::int64_t> side(std::string_view digits) {
  const auto value = parse_number<std::int64_t>(digits);
  return value && *value > 0 && *value <= most_side ? value : std::nullopt;
}

/// "128x64..." at a place.
std::optional<Tile> tile_at(std::string_view name, std::size_t at) {
  const std::string_view rows = digits_at(name, at);
  const std::size_t next = at + rows.size();
  if (rows.empty() || next >= name.size() || name[next] != 'x') return std::nullopt;
  const auto m = side(rows), n = side(digits_at(name, next + 1));
  if (!m || !n) return std::nullopt;
  return Tile{.rows = *m, .columns = *n};
}

/// Blocks that a product takes, with what they compute over what is asked for.
struct Tiling {
  Amount blocks, elements;
};

Tiling tiling(const Product& product, Tile tile) {
  const auto tiles = [](std::int64_t size, std::int64_t side) {
    return Amount(size / side + (size % side != 0 ? 1 : 0));
  };
  const Amount blocks = tiles(product.rows, tile.rows) * tiles(product.columns, tile.columns) * Amount(product.count);
  return {.blocks = blocks, .elements = blocks * Amount(tile.rows) * Amount(tile.columns)};
}

}  // namespace

std::optional<Tile> tile_named(std::string_view kernel) {
  // The first pair of sizes behind what names a product: others are of what the tile is computed from.
  for (const std::string_view word : {"tilesize", "_MT"})
    if (const std::size_t at = kernel.find(word); at != std::string_view::npos)
      return tile_at(kernel, at + word.size());
  const std::size_t product = kernel.find("gemm");
  if (product == std::string_view::npos) return std::nullopt;
  for (std::size_t at = product; (at = kernel.find('_', at)) != std::string_view::npos;)
    if (const auto tile = tile_at(kernel, ++at)) return tile;
  return std::nullopt;
}

std::optional<double> tile_loss(const Product& product, Tile tile, std::int64_t blocks) {
  const Amount asked = Amount(product.rows) * Amount(product.columns) * Amount(product.count);
  if (!asked.known() || asked.least() == 0 || blocks <= 0) return std::nullopt;
  std::optional<double> loss;
  for (const Tile way : {tile, Tile{.rows = tile.columns, .columns = tile.rows}}) {
    const Tiling of = tiling(product, way);
    if (!of.elements.known() || blocks % of.blocks.least() != 0) continue;
    const double lost = 1 - static_cast<double>(asked.least()) / static_cast<double>(of.elements.least());
    if (loss && *loss != lost) return std::nullopt;
    loss = lost;
  }
  return loss;
}

}  // namespace kdiag::work
