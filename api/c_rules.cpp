// SPDX-License-Identifier: Apache-2.0
// The C interface: rules, functions of the host for them, and what helps to write them.
#include <kdiag/host_function.hpp>
#include <kdiag/rule_tests.hpp>

#include "api/c_handles.hpp"
#include "api/reading.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

/// A function of the host behind the struct of C.
Shared<HostFunction> to_function(const kdiag_function& given) {
  require(given.call != nullptr && given.result != nullptr, "a function has no result or nothing to call");
  HostFunction out;
  out.name = required_name(given.name);
  out.parameters = read_names(given.parameters, given.parameter_count);
  out.result = given.result;
  if (given.doc != nullptr) out.doc = given.doc;
  out.call = [call = given.call, user = given.user](std::span<const FunctionValue> arguments) {
    std::vector<kdiag_value> values;
    for (const FunctionValue& argument : arguments) {
      kdiag_value value{};
      value.type = static_cast<int>(argument.index());  // the constants stand in the order of the variant
      value.text = string_of({});
      if (const auto* number = std::get_if<double>(&argument)) value.number = *number;
      else if (const auto* truth = std::get_if<bool>(&argument)) value.boolean = *truth ? 1 : 0;
      else value.text = string_of(std::get<std::string>(argument));
      values.push_back(value);
    }
    kdiag_value result{};
    std::optional<FunctionValue> out;
    if (call(user, values.data(), values.size(), &result) == 0) return out;
    if (result.type == KDIAG_VALUE_NUMBER) out = result.number;
    else if (result.type == KDIAG_VALUE_BOOLEAN) out = result.boolean != 0;
    else if (result.type == KDIAG_VALUE_TEXT && result.text.data != nullptr)
      out = std::string(result.text.data, result.text.size);
    return out;
  };
  return std::make_shared<const HostFunction>(std::move(out));
}

RuleOptions read_rule_options(const kdiag_rule_options* given) {
  const kdiag_rule_options options = read_options(given);
  RuleOptions out;
  out.builtin = options.without_builtin == 0;
  out.incubating = options.incubating != 0;
  for (const std::string& setting : read_names(options.set, options.set_count)) {
    const std::size_t equals = setting.find('=');
    require(equals != std::string::npos, "a setting is not of the form rule.param=value");
    out.set.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  require(options.functions != nullptr || options.function_count == 0, "an array of functions is NULL");
  for (std::size_t i = 0; i < options.function_count; ++i) {
    require(options.functions[i] != nullptr, "a function is NULL");
    out.functions.push_back(to_function(read_options(options.functions[i])));
  }
  out.lua = options.without_lua == 0;
  const auto limit = [](std::uint64_t& place, std::uint64_t stated) {
    if (stated > 0) place = stated;
  };
  limit(out.lua_limits.instructions, options.lua_instructions);
  limit(out.lua_limits.memory_bytes, options.lua_memory_bytes);
  limit(out.lua_limits.output_bytes, options.lua_output_bytes);
  limit(out.lua_limits.wall_ms, options.lua_wall_ms);
  return out;
}

template <class Load>
kdiag_status make_rules(kdiag_context* context, const kdiag_rule_options* options, kdiag_rules** rules, Load load) {
  return make_handle(context, rules, [&] {
    RuleOptions chosen = read_rule_options(options);
    chosen.threads = context->threads;
    Result<RuleSet> loaded = load(chosen);
    if (loaded) {
      context->diagnostics = loaded->warnings();
      if (context->log != nullptr)
        for (const Diagnostic& warning : loaded->warnings())  // the callback may use the context
          context->log(context->log_user, KDIAG_LEVEL_WARNING, warning.id.c_str(), render(warning).c_str());
    }
    return loaded;
  });
}

const RuleSet& rules_in(const kdiag_rules* rules) {
  require(rules != nullptr, "the rules are NULL");
  return rules->rules;
}

}  // namespace

kdiag_status kdiag_rules_load(kdiag_context* context, const char* name, const char* text, size_t size,
                              kdiag_rules** rules) {
  return kdiag_rules_load_text(context, name, text, size, nullptr, rules);
}
kdiag_status kdiag_rules_load_text(kdiag_context* context, const char* name, const char* text, size_t size,
                                   const kdiag_rule_options* options, kdiag_rules** rules) {
  return make_rules(context, options, rules, [&](const RuleOptions& rule_options) {
    return load_rules_text(required_name(name), view_of(text, size), rule_options);
  });
}
kdiag_status kdiag_rules_load_paths(kdiag_context* context, const char* const* paths, size_t count,
                                    const kdiag_rule_options* options, kdiag_rules** rules) {
  return make_rules(context, options, rules, [&](const RuleOptions& rule_options) {
    return load_rules(read_names(paths, count), rule_options);
  });
}
kdiag_rules* kdiag_rules_retain(kdiag_rules* rules) { return retain(rules); }
void kdiag_rules_free(kdiag_rules* rules) { release(rules); }

size_t kdiag_rules_count(const kdiag_rules* rules) { return rules == nullptr ? 0 : rules->entries.size(); }

kdiag_status kdiag_rules_get(const kdiag_rules* rules, size_t index, kdiag_rule_info* out) {
  if (index >= kdiag_rules_count(rules)) return KDIAG_ERROR_ARGUMENT;
  const RuleEntry& entry = rules->entries[index];
  kdiag_rule_info info{};
  info.id = string_of(entry.id);
  info.status = string_of(entry.status);
  info.role = string_of(entry.role);
  info.subject = string_of(entry.subject);
  info.summary = string_of(entry.summary);
  info.pack = string_of(entry.pack);
  info.file = string_of(entry.file);
  info.line = entry.line;
  return write_info(info, out);
}

kdiag_status kdiag_rules_describe(kdiag_context* context, const kdiag_rules* rules, const char* rule,
                                  kdiag_text** text) {
  return make_handle(context, text, [&] { return describe_rule(rules_in(rules), required_name(rule)); });
}
kdiag_status kdiag_rules_page(kdiag_context* context, const kdiag_rules* rules, const char* rule,
                              kdiag_text** markdown) {
  return make_handle(context, markdown, [&] { return rule_page(rules_in(rules), required_name(rule)); });
}

// --- For tools ------------------------------------------------------------------------------------------------------

kdiag_status kdiag_rules_test(kdiag_context* context, const char* const* paths, size_t count, int format,
                              size_t* failed, kdiag_text** text) {
  return make_handle(context, text, [&]() -> Result<std::string> {
    RuleTestOptions options;
    options.cancel = &context->stop;
    const Result<RuleTestReport> report = test_rules(read_names(paths, count), options);
    if (!report) return report.error();
    if (context->stop) return load_error("K690", "the tests were interrupted");
    if (failed != nullptr) *failed = report->count(TestStatus::failed) + report->count(TestStatus::todo_passed);
    switch (format) {
      case KDIAG_FORMAT_TEXT: return to_text(*report);
      case KDIAG_FORMAT_JSON: return to_json(*report);
      case KDIAG_FORMAT_JUNIT: return to_junit(*report);
      default: throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "tests have no such format"};
    }
  });
}
kdiag_status kdiag_rules_format(kdiag_context* context, const char* name, const char* text, size_t size,
                                kdiag_text** formatted) {
  return make_handle(context, formatted, [&] { return format_rules(required_name(name), view_of(text, size)); });
}
kdiag_status kdiag_rules_skeleton(kdiag_context* context, const char* id, kdiag_text** text) {
  return make_handle(context, text, [&] { return rule_skeleton(required_name(id)); });
}
kdiag_status kdiag_rules_cut_test(kdiag_context* context, const kdiag_facts* facts, const kdiag_rules* rules,
                                  const char* rule, kdiag_text** yaml) {
  return make_handle(context, yaml, [&] {
    require(facts != nullptr, "the facts are NULL");
    return cut_test(facts->facts, rules_in(rules), required_name(rule));
  });
}
kdiag_status kdiag_query_complete(kdiag_context* context, const kdiag_rules* rules, const char* text, size_t cursor,
                                  size_t* begin, kdiag_text** words) {
  return make_handle(context, words, [&]() -> Result<std::string> {
    const QueryCompletion completion = complete_query(rules_in(rules), required_name(text), cursor);
    if (begin != nullptr) *begin = completion.begin;
    std::string lines;
    for (const std::string& word : completion.words) lines += word + "\n";
    return lines;
  });
}
kdiag_status kdiag_query_help(kdiag_context* context, const kdiag_rules* rules, const char* topic, kdiag_text** text) {
  return make_handle(context, text, [&]() -> Result<std::string> {
    return query_help(rules_in(rules), topic == nullptr ? "" : topic);
  });
}
kdiag_status kdiag_rule_schema(kdiag_context* context, kdiag_text** json) {
  return make_handle(context, json, []() -> Result<std::string> { return rule_schema(); });
}
kdiag_status kdiag_catalogue(kdiag_context* context, kdiag_text** markdown) {
  return make_handle(context, markdown, []() -> Result<std::string> { return catalogue_text(); });
}
kdiag_status kdiag_formats(kdiag_context* context, kdiag_text** text) {
  return make_handle(context, text, []() -> Result<std::string> { return formats_text(); });
}
