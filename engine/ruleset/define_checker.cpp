// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "engine/language/free_names.hpp"
#include "engine/language/functions.hpp"
#include "engine/ruleset/dependency_order.hpp"
#include "engine/ruleset/rule_checker.hpp"

namespace kdiag {
namespace {

/// What a define may rest on: its own parameters are no other defines.
std::set<std::string> names_in(const Define* define) {
  std::set<std::string> names = free_names(define->value.tree, true, [](std::string_view) { return ExprPtr(); });
  for (const Param& param : define->params) names.erase(param.name);
  return names;
}

/// What a name already means in every expression; empty when it is free.
std::string_view meaning_of(std::string_view name) {
  if (find_table(name).valid()) return "a table";
  if (find_function(name) != nullptr) return "a function";
  if (subject_kind(name)) return "a subject";
  return name == "all" ? "a word of the language" : "";
}

class DefineChecker {
 public:
  DefineChecker(LoadedRules& out, CheckNotes& notes) : out_(out), notes_(notes) {}
  void check();

 private:
  void check_define(const Define& define, std::uint32_t slot, bool builtin);
  static bool has_stated_type(const Define& define, const Plan& plan);

  LoadedRules& out_;
  CheckNotes& notes_;
};

void DefineChecker::check() {
  struct Named {
    std::string name;
    Span name_span;
    const Define* define;
    bool builtin;
  };
  std::vector<Named> items;
  for (const auto& file : out_.files)
    for (const Define& define : file->defines) {
      const auto first =
          std::find_if(items.begin(), items.end(), [&](const Named& d) { return d.name == define.name; });
      if (first != items.end()) {
        Diagnostic error =
            make_error(error_id::defined_twice, define.name_span, "'" + define.name + "' is defined twice");
        error.labels.push_back({first->name_span, "first here"});
        notes_.diagnostics.push_back(std::move(error));
      } else if (const std::string_view taken = meaning_of(define.name); !taken.empty()) {
        notes_.diagnostics.push_back(make_error(error_id::taken_name, define.name_span,
                                                "a define cannot be called '" + define.name + "'",
                                                "this is " + std::string(taken), "give it a name of its own"));
      } else {
        items.push_back({define.name, define.name_span, &define, file->builtin});
      }
    }
  out_.library.defines.resize(items.size());
  in_dependency_order(
      items, "define", "", notes_.diagnostics, [](const Named& item) { return names_in(item.define); },
      [&](std::size_t i, bool good) {
        const Define& define = *items[i].define;
        const auto slot = static_cast<std::uint32_t>(i);
        if (good) check_define(define, slot, items[i].builtin);
        else if (define.params.empty()) out_.defines->values[define.name] = {Type{}, slot};
        else out_.defines->formulas[define.name] = nullptr;
      });
}

void DefineChecker::check_define(const Define& define, std::uint32_t slot, bool builtin) {
  UsedNames used;
  CheckScope scope;
  scope.proven = builtin;
  scope.subject = SubjectKind::device;
  scope.defines = out_.defines.get();
  scope.context = "define " + define.name;
  scope.used = &used;
  const bool formula = !define.params.empty();
  // A test checks those of built-in packs. Where a user's version stands for such a pack, all are read whole, there is
  // no completion, and a formula may name what that version lacks.
  if (formula && builtin && out_.completion) {
    out_.defines->formulas[define.name] = &define;
    return;
  }
  PlanPtr plan = formula ? check_formula(define, scope, notes_.diagnostics)
                         : check_expression(define.value, scope, notes_.diagnostics);
  notes_.used_defines.merge(used.defines);
  if (plan && !has_stated_type(define, *plan)) {
    notes_.diagnostics.push_back(expression_error(error_id::wrong_type, define.value,
                                                  "define '" + define.name + "' says it is " + define.type,
                                                  describe(plan->type), scope.context));
    plan = nullptr;
  }
  if (!formula) {
    out_.defines->values[define.name] = {plan ? plan->type : Type{}, slot};
    out_.library.defines[slot] = std::move(plan);
    return;
  }
  out_.defines->formulas[define.name] = plan ? &define : nullptr;
  if (!plan) return;
  for (const Param& param : define.params)
    if (!used.arguments.count(param.name))
      notes_.warnings.push_back(
          unused_warning(param.name_span, "parameter '" + param.name + "' is never used", scope.context));
}

bool DefineChecker::has_stated_type(const Define& define, const Plan& plan) {
  if (define.type.empty()) return true;
  if (define.type == "intervals") return plan.type.is(Kind::intervals);
  if (define.type == "table") return plan.type.is(Kind::table);
  if (define.type == "bool") return plan.type.is(Kind::boolean);
  if (define.type == "string") return plan.type.is(Kind::text);
  return plan.type.numeric() && dimension_named(define.type) == plan.type.dimension;
}

}  // namespace

void check_defines(LoadedRules& out, CheckNotes& notes) { DefineChecker(out, notes).check(); }

}  // namespace kdiag
