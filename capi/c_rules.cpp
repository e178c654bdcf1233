// SPDX-License-Identifier: Apache-2.0
// The C interface: rules, functions of the host for them, and what helps to write them.
#include <kdiag/file_reader.hpp>
#include <kdiag/host_function.hpp>

#include "capi/c_handles.hpp"
#include "dsl/yaml_tree.hpp"
#include "engine/language/host_functions.hpp"
#include "engine/ruleset/rule_set.hpp"

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

}  // namespace

void kdiag_rules::list() const {
  listed_.call([this] {
    std::vector<kdiag::RuleEntry> found = kdiag::list_rules(rules);
    std::vector<std::string> joined_tags;
    for (const kdiag::RuleEntry& entry : found) joined_tags.push_back(joined(entry.tags));
    entries_ = std::move(found);
    tags_ = std::move(joined_tags);
  });
}

const std::vector<kdiag::RuleEntry>& kdiag_rules::entries() const {
  list();
  return entries_;
}

const std::vector<std::string>& kdiag_rules::tags() const {
  list();
  return tags_;
}

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

/// What a host gives of a file, and why it could not be kept.
struct GivenText {
  std::string text;
  std::exception_ptr failure;

  /// A kdiag_write_fn. A text that is too large for a rule file is not kept to its end: it is refused anyway.
  static int append(void* sink, const char* bytes, std::size_t size) {
    auto& given = *static_cast<GivenText*>(sink);
    try {
      if (given.text.size() <= most_yaml_bytes) given.text.append(view_of(bytes, size));
      return 1;
    } catch (...) {
      given.failure = std::current_exception();
      return 0;
    }
  }
};

Shared<FileReader> file_reader_of(const kdiag_rule_options& options) {
  return std::make_shared<const FileReader>(
      FileReader{.read = [read = options.read_file, user = options.read_file_user](const std::string& path) {
        GivenText given;
        const bool there = read(user, path.c_str(), GivenText::append, &given) != 0;
        if (given.failure) std::rethrow_exception(given.failure);
        return there ? std::optional(std::move(given.text)) : std::nullopt;
      }});
}

/// What a project file says of the rules that are loaded.
void take_project(const kdiag_rule_options& options, RuleOptions& out) {
  if (options.project == nullptr) return;
  const Project& project = options.project->project;
  const ProjectSettings& settings = project.settings();
  out.builtin = out.builtin && settings.builtin.value_or(true);
  out.incubating = out.incubating || settings.incubating.value_or(false);
  const std::vector<std::string> inputs = read_names(options.inputs, options.input_count);
  out.settings = project.rules_for(inputs, options.facts == nullptr ? nullptr : &options.facts->facts);
}

RuleOptions read_rule_options(const kdiag_rule_options& options) {
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
  if (options.lua_no_wall != 0) out.lua_limits.wall_ms = 0;
  out.imports_outside = options.imports_outside != 0;
  if (options.read_file != nullptr) out.files = file_reader_of(options);
  out.select = read_names(options.select, options.select_count);
  out.ignore = read_names(options.ignore, options.ignore_count);
  take_project(options, out);
  return out;
}

template <class Load>
kdiag_status make_rules(kdiag_context* context, const kdiag_rule_options* options, kdiag_rules** rules, Load load) {
  return make_handle(context, rules, [&] {
    const kdiag_rule_options given = read_options(options);
    RuleOptions chosen = read_rule_options(given);
    chosen.threads = context->threads;
    chosen.cancel = &context->stop;
    ContextLog log(*context);
    if (context->log != nullptr) chosen.log = &log;
    Result<RuleSet> loaded = load(chosen, given.project);
    if (loaded) context->diagnostics = loaded->warnings();
    return loaded;
  });
}

/// Makes diagnostics of a set those of the context.
kdiag_status show_diagnostics(kdiag_context* context, const kdiag_rules* rules,
                              const Diagnostics& (RuleSet::*which)() const) {
  return guarded(context, [&]() -> kdiag_status {
    context->diagnostics = (rules_in(rules).*which)();
    return KDIAG_OK;
  });
}

}  // namespace

int kdiag_context_is_calling(const kdiag_context* context) {
  return context != nullptr && calling_host() == &context->stop ? 1 : 0;
}

kdiag_status kdiag_rules_load(kdiag_context* context, const char* name, const char* text, size_t size,
                              kdiag_rules** rules) {
  return kdiag_rules_load_text(context, name, text, size, nullptr, rules);
}
kdiag_status kdiag_rules_load_text(kdiag_context* context, const char* name, const char* text, size_t size,
                                   const kdiag_rule_options* options, kdiag_rules** rules) {
  return make_rules(context, options, rules, [&](const RuleOptions& rule_options, const kdiag_project*) {
    return load_rules_text(required_name(name), view_of(text, size), rule_options);
  });
}
kdiag_status kdiag_rules_load_paths(kdiag_context* context, const char* const* paths, size_t count,
                                    const kdiag_rule_options* options, kdiag_rules** rules) {
  return make_rules(context, options, rules, [&](const RuleOptions& rule_options, const kdiag_project* project) {
    std::vector<std::string> files;
    if (project != nullptr) files = project->project.settings().rules;
    for (std::string& path : read_names(paths, count)) files.push_back(std::move(path));
    return load_rules(files, rule_options);
  });
}
kdiag_rules* kdiag_rules_retain(kdiag_rules* rules) { return retain(rules); }
void kdiag_rules_free(kdiag_rules* rules) { release(rules); }

size_t kdiag_rules_count(const kdiag_rules* rules) { return rules == nullptr ? 0 : rules->rules.loaded().rules.size(); }

kdiag_status kdiag_rules_get(const kdiag_rules* rules, size_t index, kdiag_rule_info* out) {
  if (rules == nullptr) return KDIAG_ERROR_ARGUMENT;
  try {
    static_cast<void>(rules->entries());
  } catch (...) {
    return handle_exception(nullptr);
  }
  return write_element(rules->entries(), index, out, [&](kdiag_rule_info& info, const RuleEntry& entry) {
    info.id = string_of(entry.id);
    info.status = string_of(entry.status);
    info.role = string_of(entry.role);
    info.subject = string_of(entry.subject);
    info.summary = string_of(entry.summary);
    info.pack = string_of(entry.pack);
    info.file = string_of(entry.file);
    info.line = entry.line;
    info.tags = string_of(rules->tags()[index]);
  });
}

size_t kdiag_rules_judged(const kdiag_rules* rules) { return rules == nullptr ? 0 : rules->rules.size(); }
kdiag_status kdiag_rules_warnings(kdiag_context* context, const kdiag_rules* rules) {
  return show_diagnostics(context, rules, &RuleSet::warnings);
}
kdiag_status kdiag_rules_style(kdiag_context* context, const kdiag_rules* rules) {
  return show_diagnostics(context, rules, &RuleSet::style);
}

kdiag_status kdiag_rules_describe(kdiag_context* context, const kdiag_rules* rules, const char* rule,
                                  kdiag_text** text) {
  return make_handle(context, text, [&] { return describe_rule(rules_in(rules), required_name(rule)); });
}
kdiag_status kdiag_rules_page(kdiag_context* context, const kdiag_rules* rules, const char* rule,
                              kdiag_text** markdown) {
  return make_handle(context, markdown, [&] { return rule_page(rules_in(rules), required_name(rule)); });
}

kdiag_status kdiag_rules_index(kdiag_context* context, const kdiag_rules* rules, kdiag_text** markdown) {
  return make_handle(context, markdown, [&]() -> Result<std::string> { return rule_index(rules_in(rules)); });
}
kdiag_status kdiag_rules_source(kdiag_context* context, const kdiag_rules* rules, const char* rule, kdiag_text** text) {
  return make_handle(context, text, [&]() -> Result<std::string> {
    Result<RuleSource> source = rule_source(rules_in(rules), required_name(rule));
    if (!source) return std::move(source.error());
    return std::move(source->text);
  });
}
kdiag_status kdiag_rules_list(kdiag_context* context, const kdiag_rules* rules, const size_t* indexes, size_t count,
                              int format, kdiag_text** text) {
  return make_handle(context, text, [&]() -> Result<std::string> {
    static_cast<void>(rules_in(rules));
    std::vector<RuleEntry> chosen;
    for (std::size_t i = 0; indexes != nullptr && i < count; ++i) {
      require(indexes[i] < rules->entries().size(), "there is no rule of that index");
      chosen.push_back(rules->entries()[indexes[i]]);
    }
    const std::vector<RuleEntry>& listed = indexes == nullptr ? rules->entries() : chosen;
    switch (format) {
      case KDIAG_FORMAT_TEXT: return to_text(listed);
      case KDIAG_FORMAT_JSON: return to_json(listed);
      default: throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "lists of rules have no such format"};
    }
  });
}

// --- For tools ------------------------------------------------------------------------------------------------------

kdiag_status kdiag_file_kind(kdiag_context* context, const char* path, int* kind) {
  return guarded(context, [&]() -> kdiag_status {
    require(kind != nullptr, "there is no place for the result");
    *kind = static_cast<int>(file_kind(std::string(required_name(path))));  // in the order of the constants
    return KDIAG_OK;
  });
}
kdiag_status kdiag_rules_format(kdiag_context* context, const char* name, const char* text, size_t size,
                                kdiag_text** formatted) {
  return make_handle(context, formatted,
                     [&] { return format_rules(required_name(name), view_of(text, size), &context->stop); });
}
kdiag_status kdiag_rules_skeleton(kdiag_context* context, const char* id, kdiag_text** text) {
  return make_handle(context, text, [&] { return rule_skeleton(required_name(id)); });
}
kdiag_status kdiag_rules_cut_test(kdiag_context* context, const kdiag_facts* facts, const kdiag_rules* rules,
                                  const char* rule, kdiag_text** yaml) {
  return kdiag_rules_cut_test_with(context, facts, nullptr, rules, rule, yaml);
}
kdiag_status kdiag_rules_cut_test_with(kdiag_context* context, const kdiag_facts* facts, const kdiag_facts* baseline,
                                       const kdiag_rules* rules, const char* rule, kdiag_text** yaml) {
  return make_handle(context, yaml, [&] {
    return cut_test(facts_in(facts), rules_in(rules), required_name(rule),
                    {.cancel = &context->stop, .baseline = baseline_in(baseline)});
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
