// SPDX-License-Identifier: Apache-2.0
// Packets of a Perfetto trace: tracks, slices and instants, in the wire format of protos/perfetto/trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace protozero {
template <class Buffer>
class basic_pbf_writer;
using pbf_writer = basic_pbf_writer<std::string>;
}  // namespace protozero

namespace kdiag::report {

/// A name that comes again and again: written once, by its number. `number` is from 1 on, and of one text.
struct PacketName {
  std::uint64_t number = 0;  ///< 0: the text stands in the event
  std::string_view text;
};

/// What an event says besides. Names and texts are those of events, so they are written as they are.
struct PacketArguments {
  std::vector<std::pair<std::string_view, std::string>> texts;
  std::vector<std::pair<std::string_view, std::int64_t>> numbers;
  std::vector<std::uint64_t> flows_out, flows_in;  ///< arrows between slices, by numbers of their own
};

class PacketWriter {
 public:
  using Output = std::function<bool(std::string_view)>;
  explicit PacketWriter(const Output& output) : output_(output) {}

  /// A track of a process of the viewer, which has its own tracks below it. Returns its number.
  std::uint64_t process(std::string_view name);
  /// A track below another one. `rank`: its place among its siblings.
  std::uint64_t track(std::uint64_t parent, std::string_view name, std::int64_t rank);

  void begin(std::uint64_t track, std::int64_t time, std::string_view category, const PacketName& name,
             const PacketArguments& arguments = {});
  void end(std::uint64_t track, std::int64_t time);
  void instant(std::uint64_t track, std::int64_t time, std::string_view category, const PacketName& name,
               const PacketArguments& arguments = {});

  /// Writes what is left. False when the output wanted no more.
  bool finish();

 private:
  void event(int type, std::uint64_t track, std::int64_t time, std::string_view category, const PacketName& name,
             const PacketArguments& arguments);
  void append(const std::string& packet);
  /// A track of which `fill` says more than its number. Returns that.
  std::uint64_t describe(const std::function<void(protozero::pbf_writer&, std::uint64_t)>& fill);

  const Output& output_;
  std::string buffer_;
  std::unordered_set<std::uint64_t> written_names_;
  std::uint64_t tracks_ = 0;
  bool first_ = true, wanted_ = true;
};

}  // namespace kdiag::report
