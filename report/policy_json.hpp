// SPDX-License-Identifier: Apache-2.0
// What the JSON report says of findings that a team accepts or knows.
#pragma once

#include <kdiag/report.hpp>

#include "base/json_writer.hpp"

namespace kdiag::report {

/// The member `waived` of a finding.
void write_waived(JsonWriter& json, const WaivedEntry& waived);

/// The members `waivers` and `known`; nothing where no policy was given.
void write_policy(JsonWriter& json, const Report& report);

}  // namespace kdiag::report
