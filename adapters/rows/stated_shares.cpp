// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/stated_shares.hpp"

#include <algorithm>
#include <cmath>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {
namespace {

constexpr double complete = 0.99;  // of the whole, from which the rows are all of it; judgement
constexpr double telling = 1;      // percent, of which two decimals are exact to half a percent

}  // namespace

void StatedShares::add(std::int64_t time, std::string_view percent) {
  if (percent.ends_with('%')) percent.remove_suffix(1);
  const auto share = to_real(Token{percent});
  if (!share || !(*share >= 0) || *share > 100 || time < 0) return;
  const auto ns = static_cast<double>(time);
  listed_ += ns;
  const std::size_t point = percent.find('.');
  const auto decimals = point == std::string_view::npos ? 0 : static_cast<double>(percent.size() - point - 1);
  const double rounding = 0.5 * std::pow(10.0, -decimals);
  least_whole_ = std::max(least_whole_, 100 * ns / (*share + rounding));
  if (*share <= surest_share_) return;
  surest_share_ = *share;
  whole_ = 100 * ns / *share;
}

std::optional<std::int64_t> StatedShares::whole() const {
  return surest_share_ >= telling ? std::optional(std::llround(whole_)) : std::nullopt;
}

std::int64_t StatedShares::not_listed() const {
  if (listed_ >= complete * least_whole_ || listed_ >= whole_) return 0;
  return std::llround(whole_ - listed_);
}

}  // namespace kdiag::adapters
