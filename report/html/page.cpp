// SPDX-License-Identifier: Apache-2.0
// The page: its data as JSON that no browser runs, and one script that makes the document of it. The policy names the
// digests of style and script, so that nothing else runs and nothing is loaded.
#include <kdiag/html.hpp>
#include <kdiag/plan.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/escape.hpp"
#include "report/html/page_data.hpp"
#include "report/html/page_texts.hpp"
#include "report/html/plan_data.hpp"
#include "report/html/shown.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/stop_check.hpp"

namespace kdiag {
namespace {

using namespace report;

unsigned hex_digit(char digit) { return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10); }

/// Bytes in hexadecimal digits as base64 (RFC 4648), which is how a policy names a digest.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < hex.size(); at += 6) {  // three bytes are four digits
    unsigned bits = 0;
    for (std::size_t i = 0; i < 6; ++i) bits = bits << 4U | (at + i < hex.size() ? hex_digit(hex[at + i]) : 0U);
    const std::size_t bytes = std::min<std::size_t>((hex.size() - at) / 2, 3);
    for (std::size_t i = 0; i < 4; ++i) out += i <= bytes ? digits[bits >> (18 - 6 * i) & 63U] : '=';
  }
  return out;
}

std::string policy() {
  return "default-src 'none'; script-src 'sha256-" + base64_of_hex(page_script().sha256) + "'; style-src 'sha256-" +
         base64_of_hex(page_style().sha256) + "'; base-uri 'none'; form-action 'none'";
}

std::string title_of(const Report& report) {
  for (const RunEntry& run : report.runs)
    if (run.role == RunRole::subject && !run.label.empty()) return "kdiag: " + shown(run.label);
  return "kdiag report";
}

/// What stands around the data of a page.
struct PageFrame {
  std::string title;
  std::string_view plain;  ///< the command that says the same without JavaScript
};

std::string page_of(const PageFrame& frame, std::string_view data) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
      policy() + "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
      xml(frame.title) + "</title>\n<style>";
  out.append(page_style().text).append("</style>\n</head>\n<body>\n");
  out.append("<noscript>This page needs JavaScript, which it brings along. `").append(frame.plain);
  out +=
      "` says the same without.</noscript>\n<main id=\"page\"></main>\n<script type=\"application/json\" id=\"data\">";
  out.append(data).append("</script>\n<script>").append(page_script().text).append("</script>\n</body>\n</html>\n");
  return out;
}

/// A page of the data that `data_within` gives, with less where it would be too long.
template <class Data>
std::string fitted_page(const PageFrame& frame, std::size_t most_bytes, Data data_within) {
  for (PageLimits limits;; limits = limits.smaller()) {
    std::string page = page_of(frame, inert_json(data_within(limits)));
    if (page.size() <= most_bytes || limits.least()) return page;
  }
}

std::string make_page(const Report& report, const HtmlOptions& options) {
  const std::vector<PageRun> runs = page_runs(report, options);
  return fitted_page({title_of(report), "kdiag --format markdown"}, options.most_bytes,
                     [&](const PageLimits& limits) { return page_data(report, runs, limits, options.cancel); });
}

}  // namespace

std::string to_html(const Report& report, const HtmlOptions& options) {
  return unless_interrupted([&] { return make_page(report, options); });
}

std::string plan_html(const Report& report, const std::atomic<bool>* cancel) {
  return unless_interrupted([&] {
    return fitted_page({"kdiag: what to record next", "kdiag plan --format markdown"}, HtmlOptions().most_bytes,
                       [&](const PageLimits& limits) { return plan_data(report, limits, cancel); });
  });
}

}  // namespace kdiag
