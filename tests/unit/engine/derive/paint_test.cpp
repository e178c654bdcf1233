// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/paint.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/catch.hpp"

using kdiag::Interval;

namespace {

struct Painted {
  Interval span;
  char of;
  friend bool operator==(const Painted&, const Painted&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Painted& claim) {
    return out << "[" << claim.span.start << ", " << claim.span.end << ") " << claim.of;
  }
};

using Claims = std::vector<Painted>;

/// The claim that has the instant from `time` to `time + 1`; null where there is none.
const Painted* winner_at(const Claims& claims, std::int64_t time) {
  const Painted* found = nullptr;
  for (const Painted& claim : claims) {
    if (claim.span.start > time || claim.span.end <= time) continue;
    const bool within = found == nullptr || claim.span.start > found->span.start ||
                        (claim.span.start == found->span.start && claim.span.end <= found->span.end);
    if (within) found = &claim;
  }
  return found;
}

}  // namespace

TEST_CASE("innermost: of claims that nest the inner one has its time", "[engine][derive]") {
  CHECK(kdiag::innermost(Claims{{{0, 30}, 'a'}, {{10, 20}, 'b'}}) ==
        Claims{{{0, 10}, 'a'}, {{10, 20}, 'b'}, {{20, 30}, 'a'}});
  CHECK(kdiag::innermost(Claims{}).empty());
}

TEST_CASE("innermost: of claims that overlap without nesting the later one counts", "[engine][derive]") {
  CHECK(kdiag::innermost(Claims{{{0, 20}, 'a'}, {{10, 30}, 'b'}}) == Claims{{{0, 10}, 'a'}, {{10, 30}, 'b'}});
  // What has ended beneath a later claim does not come back behind it.
  CHECK(kdiag::innermost(Claims{{{0, 20}, 'a'}, {{10, 30}, 'b'}, {{25, 27}, 'c'}}) ==
        Claims{{{0, 10}, 'a'}, {{10, 25}, 'b'}, {{25, 27}, 'c'}, {{27, 30}, 'b'}});
  CHECK(kdiag::innermost(Claims{{{0, 100}, 'a'}, {{10, 20}, 'b'}, {{15, 50}, 'c'}}) ==
        Claims{{{0, 10}, 'a'}, {{10, 15}, 'b'}, {{15, 50}, 'c'}, {{50, 100}, 'a'}});
}

TEST_CASE("innermost: of claims that begin at once the shorter one is within", "[engine][derive]") {
  const Claims expected{{{0, 10}, 'b'}, {{10, 30}, 'a'}};
  CHECK(kdiag::innermost(Claims{{{0, 30}, 'a'}, {{0, 10}, 'b'}}) == expected);
  CHECK(kdiag::innermost(Claims{{{0, 10}, 'b'}, {{0, 30}, 'a'}}) == expected);
  // Of equal ones the last.
  CHECK(kdiag::innermost(Claims{{{0, 10}, 'a'}, {{0, 10}, 'b'}}) == Claims{{{0, 10}, 'b'}});
}

TEST_CASE("innermost: each instant of random claims has one piece, that of the claim that began last",
          "[engine][derive]") {
  std::mt19937 random(20260411);
  std::uniform_int_distribution<std::int64_t> start(0, 30), length(0, 12);
  for (int round = 0; round < 500; ++round) {
    Claims claims;
    for (char of = 'a'; of < 'i'; ++of) {
      const std::int64_t from = start(random);
      claims.push_back({{from, from + length(random)}, of});
    }
    const Claims pieces = kdiag::innermost(claims);
    for (std::size_t i = 1; i < pieces.size(); ++i) CHECK(pieces[i - 1].span.end <= pieces[i].span.start);
    for (std::int64_t time = 0; time < 45; ++time) {
      CAPTURE(round, time);
      const Painted* const expected = winner_at(claims, time);
      const Painted* const found = winner_at(pieces, time);
      REQUIRE((found == nullptr) == (expected == nullptr));
      if (expected != nullptr) CHECK(found->of == expected->of);
    }
  }
}
