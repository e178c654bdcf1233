// SPDX-License-Identifier: Apache-2.0
// The C interface: what a load is told.
#include <array>
#include <memory>

#include "capi/c_callback_adapter.hpp"

namespace kdiag::c_api {

class ContextProgress final : public LoadProgress {
 public:
  explicit ContextProgress(const kdiag_context& context) : context_(context) {}
  void show(std::string_view name, std::uint64_t bytes, std::uint64_t total) override {
    context_.progress(context_.progress_user, std::string(name).c_str(), bytes, total);
  }

 private:
  const kdiag_context& context_;
};

struct Loading::Parts {
  explicit Parts(const kdiag_context& context) : progress(context), log(context) {}
  ContextProgress progress;
  ContextLog log;
  std::vector<CallbackAdapter> adapters;
};

Loading::Loading(kdiag_context& context, const kdiag_load_options* given) : parts_(std::make_unique<Parts>(context)) {
  const kdiag_load_options options = read_options(given);
  options_.threads = context.threads;
  options_.limits = context.limits;
  options_.cancel = &context.stop;
  if (context.progress != nullptr) options_.progress = &parts_->progress;
  if (context.log != nullptr) options_.log = &parts_->log;

  const auto chosen = [&](unsigned part) { return (options.scope & part) != 0; };
  constexpr unsigned all =
      KDIAG_SCOPE_STEPS | KDIAG_SCOPE_FROM | KDIAG_SCOPE_TO | KDIAG_SCOPE_RANK | KDIAG_SCOPE_DEVICE;
  if ((options.scope & ~all) != 0) throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "an unknown part of the scope is set"};
  ScopeOptions& scope = options_.scope;
  if (chosen(KDIAG_SCOPE_STEPS)) scope.steps.emplace(options.first_step, options.last_step);
  if (chosen(KDIAG_SCOPE_FROM)) scope.from_ns = options.from_ns;
  if (chosen(KDIAG_SCOPE_TO)) scope.to_ns = options.to_ns;
  if (chosen(KDIAG_SCOPE_RANK)) scope.rank = options.rank;
  if (chosen(KDIAG_SCOPE_DEVICE)) scope.device = options.device;
  if (options.within != nullptr) scope.within = options.within;
  options_.release_memory = options.release_memory != 0;

  require(options.maps != nullptr || options.map_count == 0, "an array of maps is NULL");
  for (std::size_t i = 0; i < options.map_count; ++i) {
    require(options.maps[i] != nullptr, "a map is NULL");
    options_.maps.push_back(options.maps[i]->map);
  }
  require(options.adapters != nullptr || options.adapter_count == 0, "an array of adapters is NULL");
  for (std::size_t i = 0; i < options.adapter_count; ++i) {
    require(options.adapters[i] != nullptr, "an adapter is NULL");
    parts_->adapters.emplace_back(read_options(options.adapters[i]));
  }
  for (const CallbackAdapter& adapter : parts_->adapters) options_.adapters.push_back(&adapter);
}

Loading::~Loading() = default;

RunInfo read_run_info(const kdiag_run_info& info) {
  RunInfo out;
  out.label = text_or_none(info.label);
  out.producer = text_or_none(info.producer);
  out.host = text_or_none(info.host);
  constexpr std::array clocks{ClockDomain::none, ClockDomain::unix_ns, ClockDomain::local_ns, ClockDomain::device};
  require(info.clock >= 0 && static_cast<std::size_t>(info.clock) < clocks.size(), "there is no such clock");
  out.clock = clocks[static_cast<std::size_t>(info.clock)];
  if (info.has_rank != 0) out.rank = info.rank;
  if ((info.has_rank != 0 || info.has_world_size != 0) && info.world_size > 0) out.world_size = info.world_size;
  out.telemetry = info.telemetry != 0;
  return out;
}

}  // namespace kdiag::c_api
