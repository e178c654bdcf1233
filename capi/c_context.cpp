// SPDX-License-Identifier: Apache-2.0
// The C interface: contexts, errors, texts.
#include <cstdio>

#include <kdiag/error_ids.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "capi/c_handles.hpp"

namespace kdiag::c_api {
namespace {

bool has_id(const Diagnostics& diagnostics, std::string_view id) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [id](const Diagnostic& d) { return d.id == id; });
}

kdiag_status stop_status(const kdiag_context& context) {
  return context.cancelled ? KDIAG_ERROR_CANCELLED : KDIAG_ERROR_DEADLINE;
}

kdiag_status status_of(const kdiag_context& context, const Diagnostics& diagnostics) {
  if (has_id(diagnostics, refusal_id::interrupted)) return stop_status(context);
  if (has_id(diagnostics, refusal_id::too_many_facts) || has_id(diagnostics, note_id::unpack_limit))
    return KDIAG_ERROR_LIMIT;
  if (has_id(diagnostics, error_id::unknown_rule)) return KDIAG_ERROR_NOT_FOUND;
  const char area = diagnostics.empty() || diagnostics.front().id.size() < 2 ? '6' : diagnostics.front().id[1];
  const std::string_view id = diagnostics.empty() ? std::string_view() : std::string_view(diagnostics.front().id);
  const bool of_rules = area <= '4' || id.starts_with("K74") || id == refusal_id::host_function;  // K74x: rules in Lua
  return of_rules ? KDIAG_ERROR_RULES : KDIAG_ERROR_INPUT;
}

}  // namespace

kdiag_status fail(kdiag_context& context, Diagnostics diagnostics) {
  context.diagnostics = std::move(diagnostics);
  context.failed = true;
  return status_of(context, context.diagnostics);
}

kdiag_status as_input_error(kdiag_status status) { return status == KDIAG_ERROR_RULES ? KDIAG_ERROR_INPUT : status; }

void ContextLog::tell(Level level, std::string_view id, std::string_view text) {
  context_.log(context_.log_user, static_cast<int>(level), std::string(id).c_str(), std::string(text).c_str());
}

kdiag_status stopped(kdiag_context& context) {
  const kdiag_status status = stop_status(context);
  context.literal =
      status == KDIAG_ERROR_CANCELLED ? "the call was cancelled" : "the call took longer than its deadline";
  return status;
}

void begin_call(kdiag_context& context) noexcept {
  context.diagnostics.clear();
  context.rendered.clear();
  context.positions = {};
  context.failed = false;
  context.literal = nullptr;
  context.stop = false;
  if (context.cancelled) context.stop = true;  // a call of cancel in between sets both again
}

kdiag_status handle_exception(kdiag_context* context) noexcept {
  const auto say = [context](const char* what, kdiag_status status) {
    if (context != nullptr) {
      context->diagnostics.clear();
      context->failed = false;
      context->literal = what;
    }
    return status;
  };
  try {
    throw;
  } catch (const BadArgument& bad) {
    if (context == nullptr) return bad.status;
    std::snprintf(context->wrong_argument, sizeof context->wrong_argument, "%s", bad.what.c_str());
    return say(context->wrong_argument, bad.status);
  } catch (const std::bad_alloc&) {
    return say("out of memory", KDIAG_ERROR_MEMORY);
  } catch (...) {
    return say("internal error", KDIAG_ERROR_INTERNAL);
  }
}

std::vector<std::string> read_names(const char* const* names, std::size_t count) {
  require(names != nullptr || count == 0, "an array of names is NULL");
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(required_name(names[i]));
  return out;
}

}  // namespace kdiag::c_api

using namespace kdiag;
using namespace kdiag::c_api;

const char* kdiag_version(void) { return version().data(); }

const char* kdiag_status_text(kdiag_status status) {
  switch (status) {
    case KDIAG_OK: return "ok";
    case KDIAG_ERROR_ARGUMENT: return "wrong argument";
    case KDIAG_ERROR_MEMORY: return "out of memory";
    case KDIAG_ERROR_INPUT: return "no input could be read";
    case KDIAG_ERROR_RULES: return "mistakes in rules, an expression or a mapping";
    case KDIAG_ERROR_NOT_FOUND: return "no such rule";
    case KDIAG_ERROR_CANCELLED: return "cancelled";
    case KDIAG_ERROR_DEADLINE: return "the time was over";
    case KDIAG_ERROR_LIMIT: return "a limit was exceeded";
    case KDIAG_ERROR_UNSUPPORTED: return "not supported by this version";
    case KDIAG_ERROR_INTERNAL: return "internal error";
    default: return "unknown status";
  }
}

const char* kdiag_text_data(const kdiag_text* text, size_t* size) {
  static const std::string none;
  return text_out(text == nullptr ? none : text->text, size);
}
void kdiag_text_free(kdiag_text* text) { delete text; }

kdiag_status kdiag_context_new(kdiag_context** context) {
  if (context == nullptr) return KDIAG_ERROR_ARGUMENT;
  *context = new (std::nothrow) kdiag_context;
  return *context == nullptr ? KDIAG_ERROR_MEMORY : KDIAG_OK;
}
void kdiag_context_free(kdiag_context* context) { delete context; }

const char* kdiag_last_error(const kdiag_context* context) {
  if (context == nullptr) return "there is no context";
  const Use use(*context);
  if (!use.alone) return "another call uses the context";
  if (context->literal != nullptr) return context->literal;
  try {
    if (context->failed && context->rendered.empty()) context->rendered = render(context->diagnostics);
    return context->rendered.c_str();
  } catch (...) {
    return "out of memory";
  }
}

void kdiag_context_cancel(kdiag_context* context) {
  if (context == nullptr) return;
  context->cancelled = true;
  context->stop = true;
}
void kdiag_context_reset(kdiag_context* context) {
  if (context != nullptr) context->cancelled = false;
}
void kdiag_context_set_deadline(kdiag_context* context, int64_t milliseconds) {
  if (context != nullptr) context->deadline_ms = milliseconds;
}
void kdiag_context_set_limits(kdiag_context* context, uint64_t rows, uint64_t bytes) {
  if (context == nullptr) return;
  context->limits.rows = rows;
  context->limits.bytes = bytes;
}
kdiag_status kdiag_context_set_load_limits(kdiag_context* context, const kdiag_load_limits* limits) {
  return guarded(context, [&] {
    const kdiag_load_limits given = read_options(limits);
    context->limits = limits == nullptr
                          ? default_load_limits()
                          : LoadLimits{.rows = given.rows, .bytes = given.bytes, .unpacked = given.unpacked};
    return KDIAG_OK;
  });
}
void kdiag_context_set_threads(kdiag_context* context, unsigned threads) {
  if (context != nullptr) context->threads = threads;
}
void kdiag_context_set_progress(kdiag_context* context, kdiag_progress_fn progress, void* user) {
  if (context == nullptr) return;
  context->progress = progress;
  context->progress_user = user;
}
void kdiag_context_set_log(kdiag_context* context, kdiag_log_fn log, void* user) {
  if (context == nullptr) return;
  context->log = log;
  context->log_user = user;
}
