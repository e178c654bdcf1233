// SPDX-License-Identifier: Apache-2.0
// How much of the tiles that a matrix kernel works in lies outside of its result.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/derive/work/operator_work.hpp"

namespace kdiag::work {

/// What a block computes of the result.
struct Tile {
  std::int64_t rows = 0, columns = 0;
};

/// By the names of cuBLAS and CUTLASS ("s16816gemm_bf16_128x64_ldg8", "tilesize128x128x64") and of rocBLAS and
/// hipBLASLt
/// ("MT256x128x64"). Nothing where a name has none.
std::optional<Tile> tile_named(std::string_view kernel);

/// The part of all tiles that lies outside of the result, 0 to 1. Only where so many blocks as the tiles were launched
/// (or a multiple, for parts of the sums): otherwise the tile's sides, or what a block does, are not known. Libraries
/// that think in columns have rows and columns of a tile the other way round; both ways that give the same number of
/// blocks leave it open.
std::optional<double> tile_loss(const Product& product, Tile tile, std::int64_t blocks);

}  // namespace kdiag::work
