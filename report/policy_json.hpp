// SPDX-License-Identifier: Apache-2.0
// What the JSON report says of a team's own packs, and of findings that it accepts or knows.
#pragma once

#include <kdiag/report.hpp>

#include "base/json_writer.hpp"

namespace kdiag::report {

/// The member `waived` of a finding.
void write_waived(JsonWriter& json, const WaivedEntry& waived);

/// The members `packs`, `waivers` and `known`, each only where there is something to say.
void write_policy(JsonWriter& json, const Report& report);

}  // namespace kdiag::report
