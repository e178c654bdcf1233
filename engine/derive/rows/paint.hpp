// SPDX-License-Identifier: Apache-2.0
// Claims to spans of time, of which the first one counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/intervals.hpp"

namespace kdiag {

/// Adds to `painted` what `claims` have outside of it; of overlapping claims the one that begins first wins. Both are
/// sorted by start, `painted` is disjoint and stays so. A Claim has a member `Interval span`, the rest is kept with
/// each piece.
///
/// Example: painted {[10, 20) a}, claims {[0, 15) b, [5, 30) c} -> {[0, 10) b, [10, 20) a, [20, 30) c}.
template <class Claim>
void paint(std::vector<Claim>& painted, const std::vector<Claim>& claims) {
  std::vector<Claim> pieces;
  auto at = painted.begin();
  std::int64_t free_from = -latest_instant;
  for (const Claim& claim : claims) {
    std::int64_t from = std::max(claim.span.start, free_from);
    while (at != painted.end() && at->span.end <= from) ++at;
    for (auto over = at; from < claim.span.end; ++over) {
      const bool last = over == painted.end() || over->span.start >= claim.span.end;
      const std::int64_t to = last ? claim.span.end : over->span.start;
      if (to > from) {
        pieces.push_back(claim);
        pieces.back().span = {from, to};
      }
      if (last) break;
      from = std::max(from, over->span.end);
    }
    free_from = std::max(free_from, claim.span.end);
  }
  const auto middle = static_cast<std::ptrdiff_t>(painted.size());
  painted.insert(painted.end(), pieces.begin(), pieces.end());
  std::inplace_merge(painted.begin(), painted.begin() + middle, painted.end(),
                     [](const Claim& a, const Claim& b) { return a.span.start < b.span.start; });
}

/// The time of claims that nest, each instant by the innermost: disjoint, by start. Of claims that overlap without
/// nesting the one that begins later counts.
///
/// Example: {[0, 30) a, [10, 20) b} -> {[0, 10) a, [10, 20) b, [20, 30) a}.
template <class Claim>
std::vector<Claim> innermost(std::vector<Claim> claims) {
  std::stable_sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
    return a.span.start != b.span.start ? a.span.start < b.span.start : a.span.end > b.span.end;
  });
  std::vector<Claim> pieces, running;
  std::int64_t told = -latest_instant;  // each instant before has its claim
  const auto tell_until = [&](std::int64_t end) {
    const std::int64_t from = std::max(told, running.back().span.start);
    if (from < end) {
      pieces.push_back(running.back());
      pieces.back().span = {from, end};
    }
    told = std::max(told, end);
  };
  const auto leave = [&](std::int64_t time) {
    for (; !running.empty() && running.back().span.end <= time; running.pop_back()) tell_until(running.back().span.end);
  };
  for (const Claim& claim : claims) {
    leave(claim.span.start);
    if (!running.empty()) tell_until(claim.span.start);
    running.push_back(claim);
  }
  leave(latest_instant);
  return pieces;
}

/// Splits a span by disjoint claims (by start): `covered(piece, claim)` for each part that one has, `bare(piece)` for
/// what they leave, in order of time.
template <class Claims, class Covered, class Bare>
void split_by(const Claims& claims, Interval span, Covered covered, Bare bare) {
  auto claim = std::upper_bound(claims.begin(), claims.end(), span.start,
                                [](std::int64_t time, const auto& c) { return time < c.span.end; });
  for (; claim != claims.end() && claim->span.start < span.end; ++claim) {
    if (claim->span.start > span.start) bare(Interval{span.start, claim->span.start});
    const Interval piece{std::max(span.start, claim->span.start), std::min(span.end, claim->span.end)};
    covered(piece, *claim);
    span.start = piece.end;
  }
  if (span.start < span.end) bare(span);
}

}  // namespace kdiag
