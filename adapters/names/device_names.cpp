// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/device_names.hpp"

#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

struct Mark {
  std::string_view text;
  DeviceMaker maker;
};

constexpr DeviceMaker nvidia{"nvidia", "GPU"}, amd{"amd", "GPU"}, cambricon{"cambricon", "MLU"},
    ascend{"ascend", "NPU"}, meta{"meta", "MTIA"}, intel{"intel", "XPU"}, habana{"intel", "HPU"},
    iluvatar{"iluvatar", "GPU"}, metax{"metax", "GPU"}, moore_threads{"moore threads", "GPU"};

// First match wins. Bare model names (A100, MI300X) as tools print them without the maker.
constexpr Mark models[] = {{"NVIDIA", nvidia},      {"Tesla", nvidia},  {"GeForce", nvidia},    {"Quadro", nvidia},
                           {"TITAN", nvidia},       {"AMD", amd},       {"Radeon", amd},        {"Instinct", amd},
                           {"MLU", cambricon},      {"Ascend", ascend}, {"MTIA", meta},         {"Intel", intel},
                           {"Gaudi", habana},       {"HL-", habana},    {"Iluvatar", iluvatar}, {"MetaX", metax},
                           {"MTT S", moore_threads}};
constexpr Mark model_prefixes[] = {{"A100", nvidia},  {"A800", nvidia}, {"H100", nvidia}, {"H200", nvidia},
                                   {"H800", nvidia},  {"H20", nvidia},  {"B200", nvidia}, {"V100", nvidia},
                                   {"T4", nvidia},    {"L4", nvidia},   {"A10", nvidia},  {"GH200", nvidia},
                                   {"GB200", nvidia}, {"MI", amd},      {"gfx", amd}};
constexpr Mark calls[] = {{"cuda", nvidia},    {"cu", nvidia},      {"hip", amd},      {"hsa", amd},
                          {"cnrt", cambricon}, {"cnnl", cambricon}, {"cn", cambricon}, {"aclrt", ascend},
                          {"ze", intel},       {"ur", intel},       {"pi", intel}};

constexpr Mark back_ends[] = {{"mlu_", cambricon}, {"mtia_", meta},  {"xpu_", intel},
                              {"hpu_", habana},    {"npu_", ascend}, {"musa_", moore_threads}};

}  // namespace

DeviceMaker maker_of_model(std::string_view model) {
  for (const Mark& mark : models)
    if (model.find(mark.text) != std::string_view::npos) return mark.maker;
  for (const Mark& mark : model_prefixes)
    if (model.starts_with(mark.text)) return mark.maker;
  return {};
}

DeviceMaker maker_of_category(std::string_view category) {
  for (const Mark& mark : back_ends)
    if (category.starts_with(mark.text)) return mark.maker;
  return {};
}

DeviceMaker maker_of_call(std::string_view call) {
  for (const Mark& mark : calls)
    if (call.starts_with(mark.text) && call.size() > mark.text.size() && is_upper(call[mark.text.size()]))
      return mark.maker;
  return {};
}

}  // namespace kdiag::adapters
