// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/operator_works.hpp"

#include <algorithm>
#include <iterator>

namespace kdiag::work {

const Work* OperatorWorks::of(std::size_t op) {
  if (names_.empty() || id(0, op) == absent_index) return nullptr;
  const WorkFormula formula = formula_of(names_[op]);
  if (formula == nullptr) return nullptr;
  const auto [found, added] = works_.try_emplace(Key{names_[op], id(0, op), id(1, op), id(2, op), id(3, op)});
  if (added) {
    const RecordedTexts texts{text(0, op), text(1, op), text(2, op), text(3, op)};
    found->second = work_by(formula, RecordedInputs(texts));
  }
  return &found->second;
}

WorkFormula OperatorWorks::formula_of(std::uint32_t name) {
  const auto [found, added] = formulas_.try_emplace(name);
  if (added) found->second = find_formula(store_.strings[name]);
  return found->second;
}

ConvolutionLinks::ConvolutionLinks(const FactStore& store, OperatorWorks& works) {
  const auto names = store.indices(column("ops.name"));
  const std::uint32_t both[] = {store.strings.find("aten::convolution_backward"),
                                store.strings.find("aten::cudnn_convolution_backward")};
  for (std::uint32_t op = 0; op < names.size(); ++op) {
    if (names[op] == absent_index || std::find(std::begin(both), std::end(both), names[op]) == std::end(both)) continue;
    const Work* work = works.of(op);
    if (work == nullptr || !work->of_each_gradient.known()) continue;
    const std::uint32_t outer = store.index(column("ops.parent"), op);
    for (const std::uint32_t of : {op, outer})
      if (of != absent_index)
        if (const std::uint32_t forward = store.index(column("ops.forward"), of); forward != absent_index)
          whole_.try_emplace(forward, work);
    parts_.emplace(op, work);
  }
  if (parts_.empty()) return;
  const std::uint32_t weights = store.strings.find("aten::cudnn_convolution_backward_weight");
  for (std::uint32_t op = 0; op < names.size(); ++op)
    if (weights != absent_index && names[op] == weights)
      if (const auto of = parts_.find(store.index(column("ops.parent"), op)); of != parts_.end())
        whole_.try_emplace(op, of->second);
}

Work ConvolutionLinks::complete(std::uint32_t op, const Work* own) const {
  Work work = own == nullptr ? Work{} : *own;
  const auto of = whole_.find(op);
  if (of == whole_.end() || work.flops.known()) return work;
  work.flops = of->second->of_each_gradient;
  work.arithmetic = of->second->arithmetic;
  work.multiplies = true;
  work.most_saved = of->second->most_saved;
  return work;
}

}  // namespace kdiag::work
