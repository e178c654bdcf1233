// SPDX-License-Identifier: Apache-2.0
#include "report/policy_json.hpp"

#include <string_view>
#include <vector>

namespace kdiag::report {
namespace {

void write_waiver_details(JsonWriter& json, const WaivedEntry& details) {
  json.text_or_null("reason", details.reason);
  json.text_or_null("owner", details.owner);
  json.text_or_null("until", details.until);
  json.text_or_null("place", details.place);
}

void write_waivers(JsonWriter& json, const std::vector<WaiverEntry>& waivers) {
  json.list("waivers", waivers, [&](const WaiverEntry& waiver) {
    json.object(Layout::line, [&] {
      json.member("waives", waiver.waives);
      json.member("state", name_of(waiver.state));
      json.member("findings", waiver.findings);
      write_waiver_details(json, waiver.details);
    });
  });
}

void write_packs_used(JsonWriter& json, const std::vector<PackEntry>& packs) {
  json.list("packs", packs, [&](const PackEntry& pack) {
    json.object(Layout::line, [&] {
      json.member("name", pack.name);
      json.text_or_null("version", pack.version);
      json.member("hash", pack.hash);
      json.member("path", pack.path);
    });
  });
}

void write_known(JsonWriter& json, const KnownEntry& known) {
  json.object("known", [&] {
    json.member("file", known.file);
    json.member("known", known.known);
    json.member("new", known.fresh);
    json.list("vanished", known.vanished, [&](const VanishedEntry& gone) {
      json.object(Layout::line, [&] {
        json.member("fingerprint", gone.fingerprint);
        json.member("rule", gone.rule);
        json.member("title", gone.title);
        json.text_or_null("now", gone.now ? name_of(*gone.now) : std::string_view{});
      });
    });
  });
}

}  // namespace

void write_waived(JsonWriter& json, const WaivedEntry& waived) {
  json.object("waived", Layout::line, [&] { write_waiver_details(json, waived); });
}

void write_policy(JsonWriter& json, const Report& report) {
  if (!report.packs.empty()) write_packs_used(json, report.packs);
  if (!report.waivers.empty()) write_waivers(json, report.waivers);
  if (report.known) write_known(json, *report.known);
}

}  // namespace kdiag::report
