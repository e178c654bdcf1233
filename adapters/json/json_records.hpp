// SPDX-License-Identifier: Apache-2.0
// JSON documents that hold many records in arrays at several depths: read record by record, never as a whole.
#pragma once

#include <string_view>

#include <kdiag/adapter.hpp>

#include "adapters/json/json.hpp"

namespace kdiag::adapters {

/// Told what a document holds, in its order. A path names a place: "" is the document, "a.b" the member b of its member
/// a, "a[]" each element of the array a. Keys are as they stand in the text.
class RecordVisitor {
 public:
  virtual ~RecordVisitor() = default;
  /// Whether to go into the object or array at a path; it is handed over whole otherwise.
  virtual bool enters(std::string_view path) = 0;
  /// A value that was not gone into.
  virtual void value(std::string_view path, Token value) = 0;
  /// An object or array that was gone into is over; not `complete` where the input ended inside it.
  virtual void left(std::string_view path, bool complete) = 0;
};

/// Reads one document after the other. Notes what is cut off (K600), no JSON (K602; the rest is not read then), larger
/// than 64 MiB without being gone into (K607), and failures of reading.
void read_records(Input& input, FactSink& sink, RecordVisitor& visitor);

}  // namespace kdiag::adapters
