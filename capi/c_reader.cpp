// SPDX-License-Identifier: Apache-2.0
// The C interface: what an adapter of the host is given, and what it says of its input.
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "capi/c_callback_adapter.hpp"
#include "engine/facts/note_table.hpp"
#include "ingest/reading.hpp"

/// One read callback.
struct kdiag_reader {
  kdiag_reader(kdiag::Input& read, kdiag::FactSink& told)
      : input(read), sink(told), name(read.name()), file(read.file()) {}
  kdiag::Input& input;
  kdiag::FactSink& sink;
  const std::string name, file;
  kdiag::Batch batch{};  ///< of the run that is being read
  kdiag::FactRows checked{batch};
  kdiag_rows rows{checked, &sink};
  std::uint64_t runs = 0;  ///< that were described
  bool out_of_memory = false;
  std::string failure;  ///< why nothing can be used; empty when it can
};

namespace kdiag::c_api {
namespace {

const Head* head_from_c(const kdiag_head* head) { return reinterpret_cast<const Head*>(head); }
const kdiag_head* head_to_c(const Head& head) { return reinterpret_cast<const kdiag_head*>(&head); }

void submit_rows(kdiag_reader& reader) {
  reader.sink.submit(reader.runs, std::move(reader.batch));
  reader.batch = Batch();
}

/// Uses the reader where an exception has nowhere to go: memory that lacks is the failure of the read.
template <class Use>
void use_reader(kdiag_reader* reader, Use use) noexcept {
  if (reader == nullptr) return;
  try {
    use(*reader);
  } catch (...) {
    reader->out_of_memory = true;
  }
}

}  // namespace

CallbackAdapter::CallbackAdapter(const kdiag_adapter& adapter) : adapter_(adapter), id_(required_name(adapter.id)) {
  require((adapter.sniff != nullptr || adapter.sniff_head != nullptr) && adapter.read != nullptr,
          "an adapter has no callback");
}

int CallbackAdapter::sniff(const Head& head) const noexcept {
  if (adapter_.sniff_head != nullptr) return adapter_.sniff_head(adapter_.user, head_to_c(head));
  return adapter_.sniff(adapter_.user, head.bytes.data(), head.bytes.size());
}

Status CallbackAdapter::read(Input& input, FactSink& sink) const {
  kdiag_reader reader(input, sink);
  kdiag_run_info info{};
  info.size = sizeof info;
  const int failed = adapter_.read(adapter_.user, &reader, &reader.rows, &info);
  if (reader.rows.out_of_memory || reader.out_of_memory) throw std::bad_alloc();
  const std::string adapter = "the adapter '" + id_ + "' of the host";
  if (!reader.failure.empty()) return load_error(refusal_id::host_adapter_failed, adapter + ": " + reader.failure);
  if (failed != 0) return load_error(refusal_id::host_adapter_failed, adapter + " could not use this input");
  if (!reader.checked.mistakes().empty()) return reader.checked.mistakes();
  try {
    if (reader.runs == 0) sink.run(read_run_info(info));
  } catch (const BadArgument& bad) {
    return load_error(refusal_id::host_adapter_failed, adapter + ": " + bad.what);
  }
  submit_rows(reader);
  return ok_status();
}

}  // namespace kdiag::c_api

using namespace kdiag;
using namespace kdiag::c_api;

int64_t kdiag_reader_read(kdiag_reader* reader, char* buffer, size_t size) {
  if (reader == nullptr || (buffer == nullptr && size > 0)) return -1;
  try {
    const Result<std::size_t> got = reader->input.read({buffer, size});
    return got ? static_cast<std::int64_t>(*got) : -1;
  } catch (...) {
    reader->out_of_memory = true;
    return -1;
  }
}
int kdiag_reader_cancelled(const kdiag_reader* reader) { return reader != nullptr && reader->sink.cancelled() ? 1 : 0; }
const char* kdiag_reader_name(const kdiag_reader* reader) { return reader == nullptr ? "" : reader->name.c_str(); }
const char* kdiag_reader_file(const kdiag_reader* reader) { return reader == nullptr ? "" : reader->file.c_str(); }
unsigned kdiag_reader_threads(const kdiag_reader* reader) { return reader == nullptr ? 1 : reader->sink.threads(); }

kdiag_status kdiag_reader_run(kdiag_reader* reader, const kdiag_run_info* info) {
  if (reader == nullptr || info == nullptr) return KDIAG_ERROR_ARGUMENT;
  try {
    RunInfo run = read_run_info(read_options(info));
    if (reader->runs > 0) submit_rows(*reader);
    reader->sink.run(std::move(run));
    ++reader->runs;
    return KDIAG_OK;
  } catch (const BadArgument& bad) {
    return bad.status;
  } catch (...) {
    reader->out_of_memory = true;
    return KDIAG_ERROR_MEMORY;
  }
}

void kdiag_reader_skip(kdiag_reader* reader, const char* detail) {
  static_cast<void>(kdiag_reader_note(reader, note_id::unreadable_record.data(), detail, 1));
}
kdiag_status kdiag_reader_note(kdiag_reader* reader, const char* id, const char* detail, uint64_t count) {
  if (reader == nullptr || !is_note(text_or_none(id))) return KDIAG_ERROR_ARGUMENT;
  use_reader(reader, [&](kdiag_reader& into) { into.sink.note(id, text_or_none(detail), count); });
  return reader->out_of_memory ? KDIAG_ERROR_MEMORY : KDIAG_OK;
}
void kdiag_reader_count_events(kdiag_reader* reader, uint64_t events) {
  use_reader(reader, [events](kdiag_reader& into) { into.sink.count_events(events); });
}
void kdiag_reader_fail(kdiag_reader* reader, const char* why) {
  use_reader(reader, [why](kdiag_reader& into) {
    into.failure = text_or_none(why);
    if (into.failure.empty()) into.failure = "it gave no reason";
  });
}

// --- The first bytes ------------------------------------------------------------------------------------------------

const kdiag_head* kdiag_reader_head(const kdiag_reader* reader) {
  return reader == nullptr ? nullptr : head_to_c(reader->input.head());
}
const char* kdiag_head_bytes(const kdiag_head* head, size_t* size) {
  const std::string_view bytes = head == nullptr ? std::string_view{} : head_from_c(head)->bytes;
  if (size != nullptr) *size = bytes.size();
  return bytes.empty() ? "" : bytes.data();
}
int kdiag_head_complete(const kdiag_head* head) { return head != nullptr && head_from_c(head)->complete ? 1 : 0; }
char kdiag_head_json(const kdiag_head* head) { return head == nullptr ? '\0' : head_from_c(head)->json; }
int kdiag_head_has_key(const kdiag_head* head, const char* key) {
  return head != nullptr && key != nullptr && head_from_c(head)->has_key(key) ? 1 : 0;
}
int kdiag_head_has_table(const kdiag_head* head, const char* table) {
  return head != nullptr && table != nullptr && head_from_c(head)->has_table(table) ? 1 : 0;
}
