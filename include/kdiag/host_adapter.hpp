// SPDX-License-Identifier: Apache-2.0
// Formats of the host: an adapter that is an object, for LoadOptions::adapters. For tables of records in CSV or JSON
// lines a mapping needs no code (docs/custom-formats.md).
#pragma once

#include <string_view>

#include <kdiag/adapter.hpp>
#include <kdiag/export.hpp>

namespace kdiag {

/// A format that only the host knows. It is asked as the built-in adapters are, and preferred among equally sure ones.
/// Its functions may be called from several threads at a time when several loads use it. An exception that leaves
/// `id` or `read` is an error of that input (K762).
///
/// Example: examples/custom_adapter.cpp
class KDIAG_API HostAdapter {
 public:
  virtual ~HostAdapter() = default;
  /// How reports and providers of facts call it: "acme-profiler". Stable while the adapter lives.
  virtual std::string_view id() const = 0;
  /// How sure the bytes are this format: 0 no .. 100 certain. Built-in adapters say 95 at most for what they know well.
  virtual int sniff(const Head& head) const noexcept = 0;
  /// Reads all of the input, as Adapter::read: bad rows are noted and skipped, an error is for an input of which
  /// nothing can be used. Mistakes in the batches that it hands over are an error of the input (K762). Once the host
  /// asked to stop, or a limit is exceeded, the input ends; FactSink::cancelled says so, too.
  virtual Status read(Input& input, FactSink& sink) const = 0;
};

}  // namespace kdiag
