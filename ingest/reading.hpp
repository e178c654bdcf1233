// SPDX-License-Identifier: Apache-2.0
// What was read of one input, and how it is read.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/kdiag.hpp>

#include "engine/facts/fact_builder.hpp"
#include "ingest/load_call.hpp"

namespace kdiag {

/// What was read of one input; without fragments when it could not be.
struct Reading {
  InputEntry entry;
  std::vector<Fragment> fragments;
  Diagnostics errors;
  std::string begins;  ///< its first line in quotes, where it is a text
  /// Why each of LoadOptions::maps did not read it, in their order; empty for the one that did.
  std::vector<std::string> mismatches;
};

/// Reads an opened input by the first mapping that is for it, else by the adapter that knows its content. `path`: the
/// input as the user named it.
Reading read_input(std::string path, Result<std::unique_ptr<Input>> opened, const LoadCall& call);

/// Keeps what belongs to the run that the user asked for, counted from 1; an error of `path` (K693) when there is none.
/// Several readings are the members of one folder or archive: their runs are those that they form together.
void select_run(std::vector<Reading>& readings, const std::string& path, std::size_t run);

/// The reading of an input that could not be read.
Reading failed_reading(std::string path, Diagnostics errors);

/// The help of errors that only its author can mend.
inline constexpr std::string_view mistake_of_host = "This is a mistake in the program that uses kdiag.";

Diagnostic load_error(std::string_view id, std::string title, std::string help = {});

}  // namespace kdiag
