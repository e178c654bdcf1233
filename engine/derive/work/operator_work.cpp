// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/operator_work.hpp"

#include "engine/derive/work/formulas.hpp"

namespace kdiag::work {
namespace {

const NamedFormula* find_row(std::string_view name) {
  for (const auto formulas : {matrix_formulas(), convolution_formulas(), attention_formulas(), pointwise_formulas(),
                              row_formulas(), list_formulas()})
    for (const NamedFormula& known : formulas)
      if (known.name == name) return &known;
  return nullptr;
}

}  // namespace

WorkFormula find_formula(std::string_view name) {
  if (const NamedFormula* known = find_row(name)) return known->formula;
  if (const WorkFormula fused = find_triton_formula(name)) return fused;
  if (!name.ends_with('_')) return nullptr;
  const NamedFormula* known = find_row(name.substr(0, name.size() - 1));
  return known == nullptr ? nullptr : known->in_place;
}

Work work_by(WorkFormula formula, const RecordedInputs& inputs) {
  Work work = formula(inputs);
  for (const Input& input : inputs.first(inputs.size()))
    if (input.type != nullptr && input.type->category == Category::complex) work.flops = {};
  return work;
}

Work operator_work(std::string_view name, const RecordedTexts& texts) {
  const WorkFormula formula = find_formula(name);
  return formula == nullptr ? Work{} : work_by(formula, RecordedInputs(texts));
}

}  // namespace kdiag::work
