// SPDX-License-Identifier: Apache-2.0
// What is behind the handles of the C interface, and the helper that every function of it runs in.
#pragma once

#include <kdiag/kdiag.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/deadline.hpp>
#include <kdiag/facts_builder.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/policy.hpp>
#include <kdiag/project.hpp>
#include <kdiag/tools.hpp>

#include "base/once.hpp"
#include "base/position_counter.hpp"

struct kdiag_context {
  std::atomic<bool> cancelled{false};     ///< until it is reset
  std::atomic<bool> stop{false};          ///< of the running call: cancelled, or too late
  mutable std::atomic<bool> busy{false};  ///< a call runs
  std::int64_t deadline_ms = 0;
  unsigned threads = 0;
  kdiag::LoadLimits limits;
  kdiag_progress_fn progress = nullptr;
  void* progress_user = nullptr;
  kdiag_log_fn log = nullptr;
  void* log_user = nullptr;

  kdiag::Diagnostics diagnostics;  ///< of the last call
  bool failed = false;             ///< they are its error
  const char* literal = nullptr;   ///< its error when there is no diagnostic
  char wrong_argument[160] = {};   ///< what `literal` points to when numbers are in it
  // Made when they are asked for, so that a call with thousands of mistakes ends as soon as it knows them.
  mutable std::string rendered;
  mutable kdiag::PositionCounter positions;
};

struct kdiag_text {
  std::string text;
};

struct kdiag_map {
  explicit kdiag_map(kdiag::TraceMap loaded) : map(std::move(loaded)) {}
  kdiag::TraceMap map;
  std::atomic<std::size_t> owners{1};
};

struct kdiag_facts {
  explicit kdiag_facts(kdiag::Facts loaded) : facts(std::move(loaded)) {}
  kdiag::Facts facts;
  std::atomic<std::size_t> owners{1};
};

struct kdiag_rules {
  explicit kdiag_rules(kdiag::RuleSet loaded) : rules(std::move(loaded)) {}
  kdiag::RuleSet rules;
  std::atomic<std::size_t> owners{1};

  /// The rules as a list, made when it is first asked for: it needs the texts of rules that are not judged, too.
  const std::vector<kdiag::RuleEntry>& entries() const;
  /// The tags of each entry, as one text.
  const std::vector<std::string>& tags() const;

 private:
  void list() const;

  mutable kdiag::Once listed_;
  mutable std::vector<kdiag::RuleEntry> entries_;
  mutable std::vector<std::string> tags_;
};

struct kdiag_project {
  explicit kdiag_project(kdiag::Project loaded) : project(std::move(loaded)) {}
  kdiag::Project project;
  std::atomic<std::size_t> owners{1};
};

struct kdiag_policy {
  explicit kdiag_policy(kdiag::Policy made) : policy(std::move(made)) {}
  kdiag::Policy policy;
  std::atomic<std::size_t> owners{1};
};

struct kdiag_answer {
  kdiag::QueryAnswer answer;
};

namespace kdiag::c_api {

/// A wrong argument; caught by `guarded`.
struct BadArgument {
  kdiag_status status;
  std::string what;
};

inline void require(bool fine, const char* what) {
  if (!fine) throw BadArgument{KDIAG_ERROR_ARGUMENT, what};
}

inline kdiag_string string_of(std::string_view text) { return {text.empty() ? "" : text.data(), text.size()}; }

/// Contents that a caller hands in: no pointer is needed for nothing.
inline std::string_view view_of(const char* text, std::size_t size) {
  require(text != nullptr || size == 0, "a text is NULL");
  return size == 0 ? std::string_view{} : std::string_view(text, size);
}

inline std::string_view required_name(const char* name) {
  require(name != nullptr, "a name is NULL");
  return name;
}

/// A text that a caller may leave out.
inline std::string_view text_or_none(const char* text) { return text == nullptr ? std::string_view{} : text; }

inline const Facts& facts_in(const kdiag_facts* facts) {
  require(facts != nullptr, "the facts are NULL");
  return facts->facts;
}

inline const RuleSet& rules_in(const kdiag_rules* rules) {
  require(rules != nullptr, "the rules are NULL");
  return rules->rules;
}

/// Facts that a caller may leave out, shared.
inline std::optional<Facts> baseline_in(const kdiag_facts* facts) {
  return facts == nullptr ? std::nullopt : std::optional(facts->facts);
}

/// Whether a struct can be so large, in this version or a later one: what was never set seldom can.
inline bool is_size(std::size_t size) { return size >= sizeof(std::size_t) && size <= 1024; }

/// Options as this version knows them, from a caller that may be older or newer.
template <class Options>
Options read_options(const Options* given) {
  Options out{};
  if (given == nullptr) return out;
  if (!is_size(given->size))
    throw BadArgument{KDIAG_ERROR_ARGUMENT, given->size == 0
                                                ? "the size of a struct is not set"
                                                : "the size of a struct is set to " + std::to_string(given->size) +
                                                      ", which is none: this version knows " +
                                                      std::to_string(sizeof(Options)) + " bytes of it"};
  const auto* bytes = reinterpret_cast<const char*>(given);
  const std::size_t known = std::min(given->size, sizeof(Options));
  for (std::size_t i = known; i < given->size; ++i)
    if (bytes[i] != 0) throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "an option is set that this version does not know"};
  std::memcpy(&out, bytes, known);
  return out;
}

/// Fills a caller's struct as far as the caller knows it.
template <class Info>
kdiag_status write_info(Info& filled, Info* out) noexcept {
  if (out == nullptr || !is_size(out->size)) return KDIAG_ERROR_ARGUMENT;
  const std::size_t asked = out->size;
  const std::size_t known = std::min(asked, sizeof(Info));
  filled.size = asked;
  std::memcpy(out, &filled, known);
  std::memset(reinterpret_cast<char*>(out) + known, 0, asked - known);  // members of a newer header
  return KDIAG_OK;
}

/// The struct of one element of a list, filled by `fill(info, element)`.
template <class List, class Info, class Fill>
kdiag_status write_element(const List& list, std::size_t index, Info* out, Fill fill) noexcept {
  if (index >= list.size()) return KDIAG_ERROR_ARGUMENT;
  Info info{};
  fill(info, list[index]);
  return write_info(info, out);
}

/// Keeps diagnostics as the error of the call and says which status they mean.
kdiag_status fail(kdiag_context& context, Diagnostics diagnostics);
/// What the host states has names of tables and columns as expressions do, and the same codes say that they are wrong:
/// there they are mistakes of an input.
kdiag_status as_input_error(kdiag_status status);
/// The status of a call that was stopped.
kdiag_status stopped(kdiag_context& context);

/// Keeps what the exception in flight says as the error of the call; context may be null.
kdiag_status handle_exception(kdiag_context* context) noexcept;

void begin_call(kdiag_context& context) noexcept;

/// The use of a context by one call, while it lives: another thread, or a callback of the call, has no use of it.
struct Use {
  explicit Use(const kdiag_context& used) : context(used), alone(!used.busy.exchange(true)) {}
  ~Use() {
    if (alone) context.busy = false;
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

  const kdiag_context& context;
  const bool alone;
};

/// Runs the body of a function: with the cancel flag and deadline of the context, and no exception that leaves it.
template <class Body>
kdiag_status guarded(kdiag_context* context, Body body) noexcept {
  if (context == nullptr) return KDIAG_ERROR_ARGUMENT;
  const Use use(*context);
  if (!use.alone) return KDIAG_ERROR_ARGUMENT;  // what the other call says of its errors stays
  begin_call(*context);
  try {
    std::optional<Deadline> deadline;
    if (context->deadline_ms != 0) deadline.emplace(context->stop, context->deadline_ms);
    if (context->stop) return stopped(*context);  // cancelled before, or no thread for the deadline
    return body();
  } catch (...) {
    return handle_exception(context);
  }
}

/// The same of a function that makes a handle: `make` gives a Result of what the handle is constructed from.
template <class Handle, class Make>
kdiag_status make_handle(kdiag_context* context, Handle** out, Make make) noexcept {
  if (out != nullptr) *out = nullptr;
  return guarded(context, [&]() -> kdiag_status {
    require(out != nullptr, "there is no place for the result");
    auto made = make();
    if (!made) return fail(*context, std::move(made.error()));
    *out = new Handle{std::move(*made)};  // NOLINT(bugprone-unhandled-exception-at-new): guarded() catches it
    return KDIAG_OK;
  });
}

template <class Handle>
Handle* retain(Handle* handle) noexcept {
  if (handle != nullptr) handle->owners.fetch_add(1, std::memory_order_relaxed);
  return handle;
}
template <class Handle>
void release(Handle* handle) noexcept {
  if (handle != nullptr && handle->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete handle;
}

inline const char* text_out(const std::string& text, std::size_t* size) noexcept {
  if (size != nullptr) *size = text.size();
  return text.c_str();
}

/// The options of a load, with what the context says; what it points to lives as long as this.
class Loading {
 public:
  Loading(kdiag_context& context, const kdiag_load_options* options);
  ~Loading();
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;
  const LoadOptions& options() const { return options_; }

 private:
  struct Parts;
  LoadOptions options_;
  std::unique_ptr<Parts> parts_;
};

/// The log callback of a context that has one.
class ContextLog final : public Log {
 public:
  explicit ContextLog(const kdiag_context& context) : context_(context) {}
  void tell(Level level, std::string_view id, std::string_view text) override;

 private:
  const kdiag_context& context_;
};

/// What a caller says of a run; rank and clock as stated there. Texts are copied.
RunInfo read_run_info(const kdiag_run_info& info);

/// Paths or other names in an array.
std::vector<std::string> read_names(const char* const* names, std::size_t count);

}  // namespace kdiag::c_api

/// Rows that a caller fills, of a builder or for an adapter.
struct kdiag_rows {
  explicit kdiag_rows(kdiag::FactRows& filled, const kdiag::FactSink* for_sink = nullptr)
      : rows(filled), sink(for_sink) {}
  kdiag::FactRows& rows;
  const kdiag::FactSink* const sink;  ///< where an adapter hands them over; null: nowhere
  bool out_of_memory = false;         ///< once it is, rows are lost, and whoever takes them fails
};
