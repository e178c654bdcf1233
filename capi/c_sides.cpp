// SPDX-License-Identifier: Apache-2.0
// The C interface: the two sides of a comparison.
#include <kdiag/compare.hpp>

#include "capi/c_handles.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

template <class Load>
kdiag_status make_sides(kdiag_context* context, const kdiag_load_options* options, kdiag_facts** normal,
                        kdiag_facts** abnormal, Load load) {
  if (normal != nullptr) *normal = nullptr;
  if (abnormal != nullptr) *abnormal = nullptr;
  return as_input_error(guarded(context, [&]() -> kdiag_status {
    require(normal != nullptr && abnormal != nullptr, "there is no place for a side");
    const Loading loading(*context, options);
    Result<Sides> sides = load(loading.options());
    if (!sides) return fail(*context, std::move(sides.error()));
    auto first = std::make_unique<kdiag_facts>(std::move(sides->normal));
    *abnormal = new kdiag_facts(std::move(sides->abnormal));
    *normal = first.release();
    return KDIAG_OK;
  }));
}

}  // namespace

kdiag_status kdiag_sides_load(kdiag_context* context, const char* const* normal_paths, size_t normal_count,
                              const char* const* abnormal_paths, size_t abnormal_count,
                              const kdiag_load_options* options, kdiag_facts** normal, kdiag_facts** abnormal) {
  return make_sides(context, options, normal, abnormal, [&](const LoadOptions& loading) {
    return load_sides(read_names(normal_paths, normal_count), read_names(abnormal_paths, abnormal_count), loading);
  });
}
kdiag_status kdiag_sides_load_both(kdiag_context* context, const char* path, const kdiag_load_options* options,
                                   kdiag_facts** normal, kdiag_facts** abnormal) {
  return make_sides(context, options, normal, abnormal,
                    [&](const LoadOptions& loading) { return load_sides(required_name(path), loading); });
}
