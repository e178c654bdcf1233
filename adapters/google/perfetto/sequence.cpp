// SPDX-License-Identifier: Apache-2.0
// Numbers of fields: interned_data.proto, gpu_interned_data.proto and trace_packet_defaults.proto.
#include "adapters/google/perfetto/sequence.hpp"

#include "adapters/google/perfetto/packets.hpp"
#include "adapters/google/perfetto/trace.hpp"
#include "adapters/io/protobuf.hpp"

namespace kdiag::adapters::perfetto {
namespace {

/// Messages of the form {iid = 1, text = 2}.
void add_text(std::string_view message, Numbered& texts, Sequence::Texts& known) {
  std::uint64_t number = 0;
  std::string_view text;
  for (const Field& field : Fields(message))
    if (field.number == 1) number = field.integer().value_or(0);
    else if (field.number == 2) text = field.text();
  known.insert_or_assign(number, texts(text));
}

/// The name that a person reads, where there are both.
void add_kernel(std::string_view message, Numbered& texts, Sequence::Texts& known) {
  std::uint64_t number = 0;
  std::string_view name;
  std::string_view demangled;
  for (const Field& field : Fields(message)) switch (field.number) {
      case 1: number = field.integer().value_or(0); break;
      case 2: name = field.text(); break;
      case 3: demangled = field.text(); break;
      default: break;
    }
  known.insert_or_assign(number, texts(demangled.empty() ? name : demangled));
}

void add_group(std::string_view message, std::unordered_map<std::uint64_t, CounterGroup>& known) {
  std::uint64_t number = 0;
  CounterGroup group;
  for (const Field& field : Fields(message)) switch (field.number) {
      case 1: number = field.integer().value_or(0); break;
      case 2: add_counters(field.message(), group); break;
      case 3: group.gpu = field.signed_integer().value_or(0); break;
      default: break;
    }
  known.insert_or_assign(number, std::move(group));
}

}  // namespace

void Sequence::clear() {
  const std::int64_t writer = process;
  *this = Sequence{};
  process = writer;
}

void Sequence::set_defaults(std::string_view defaults) {
  for (const Field& field : Fields(defaults))
    if (field.number == timestamp_clock_id) {
      if (const auto id = field.integer()) clock = static_cast<std::uint32_t>(*id);
    } else if (field.number == track_event) {
      for (const Field& inner : Fields(field.message()))
        if (inner.number == 11) track = inner.integer();
    }
}

void Sequence::intern(std::string_view interned_data, Numbered& texts) {
  for (const Field& field : Fields(interned_data)) switch (field.number) {
      case 1: add_text(field.message(), texts, categories); break;
      case 2: add_text(field.message(), texts, event_names); break;
      case 3: add_text(field.message(), texts, annotation_names); break;
      case 24: add_text(field.message(), texts, stages); break;
      case 29: add_text(field.message(), texts, annotation_values); break;
      case 47: add_group(field.message(), counters); break;
      case 1000: add_kernel(field.message(), texts, kernels); break;
      case 1001: add_text(field.message(), texts, argument_names); break;
      default: break;
    }
}

std::uint32_t find_text(const Sequence::Texts& texts, std::optional<std::uint64_t> number) {
  if (!number) return none;
  const auto found = texts.find(*number);
  return found == texts.end() ? none : found->second;
}

}  // namespace kdiag::adapters::perfetto
