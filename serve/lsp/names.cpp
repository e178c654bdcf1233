// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/names.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include <kdiag/tools.hpp>

#include "serve/lsp/check_document.hpp"
#include "serve/lsp/file_uri.hpp"
#include "serve/lsp/to_json.hpp"
#include "serve/rpc/request_error.hpp"

namespace kdiag::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 500;              // beside a document (judgement)
constexpr std::uintmax_t most_file_bytes = 1 << 20;  // of a file of rules, docs/language.md

/// Whether only the file, and in it the rule or define around it, can name it.
bool is_local(NameKind kind) { return kind == NameKind::let || kind == NameKind::argument; }

bool same_name(const NameUse& a, const NameUse& b) {
  if (a.kind != b.kind || a.name != b.name) return false;
  if (is_local(a.kind)) return a.owner == b.owner;
  return a.kind != NameKind::param || a.owner == b.owner || a.owner.empty() || b.owner.empty();
}

void add_folder(const fs::path& folder, std::set<std::string>& paths) {
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (const fs::directory_iterator end; !error && at != end && paths.size() < most_files; at.increment(error)) {
    std::error_code unknown;
    if (at->path().extension() == ".yaml" && at->is_regular_file(unknown) && at->file_size(unknown) <= most_file_bytes)
      paths.insert(at->path().string());
  }
}

/// The open documents, and the YAML files of the folder of a document and of the tests beside it, by path.
std::map<std::string, std::string> texts_beside(const Session& session, const Document& document) {
  std::map<std::string, std::string> out;
  for (const auto& [uri, open] : session.documents.all()) out.emplace(open.path, open.text());
  if (!is_file(document.path)) return out;
  fs::path folder = fs::path(document.path).parent_path();
  if (folder.filename() == "tests") folder = folder.parent_path();
  std::set<std::string> paths;
  for (const fs::path& each : {folder, folder / "tests"}) add_folder(each, paths);
  for (const std::string& path : paths) {
    if (out.contains(path)) continue;
    std::ifstream file(path, std::ios::binary);
    out.emplace(path, std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return out;
}

/// All places of a name, those of the document first.
std::vector<NameUse> uses_of(Session& session, const Document& document, const NameUse& name,
                             const std::atomic<bool>& stop) {
  std::vector<NameUse> out;
  const auto add = [&](const std::string& path, const std::string& text) {
    const Names names = session.names.names_in(path, text, stop);
    for (const NameUse& use : *names)
      if (same_name(use, name)) out.push_back(use);
  };
  add(document.path, document.text());
  if (is_local(name.kind)) return out;
  for (const auto& [path, text] : texts_beside(session, document))
    if (path != document.path) add(path, text);
  return out;
}

NameUse name_of(Session& session, const Document& document, const Json& params, const std::atomic<bool>& stop) {
  auto name = name_at(session, document, session.offset_in(document, params), stop);
  if (!name) throw RequestError(ErrorCode::request_failed, "no name that a rule file declares stands here");
  return std::move(*name);
}

/// Refuses a name that expressions would hide: lets and parameters may be called as functions are, but who reads them
/// is misled.
void check_free(const RuleSet& rules, const std::string& name) {
  const std::vector<std::string> words = complete_query(rules, {}, 0).words;
  const auto taken = std::find_if(words.begin(), words.end(),
                                  [&](const std::string& word) { return word == name || word == name + "("; });
  if (taken == words.end()) return;
  const std::string what = taken->ends_with('(') ? "a function" : "a table, define or word of the language";
  throw RequestError(ErrorCode::request_failed, "'" + name + "' is the name of " + what);
}

/// Refuses a name by which the document would mean something else, or nothing.
void check_renamed(const Session& session, const Document& document, const std::map<std::string, std::string>& texts,
                   const std::atomic<bool>& stop) {
  Documents renamed = session.documents;
  for (const auto& [path, text] : texts) {
    const Document* open = renamed.find_path(path);
    if (open != nullptr) renamed.replace(std::string(open->uri), open->version, text);
    else renamed.open(uri_of(path), std::nullopt, text);
  }
  for (const Documents* documents : {&session.documents, static_cast<const Documents*>(&renamed)}) {
    const auto checked = check_document(*documents->find(document.uri), *documents, stop);
    if (!checked || !has_error(checked->mistakes)) continue;
    const auto first = std::find_if(checked->mistakes.begin(), checked->mistakes.end(),
                                    [](const Diagnostic& one) { return one.level == Level::error; });
    throw RequestError(ErrorCode::request_failed, documents == &renamed ? "the name does not fit: " + first->title
                                                                        : "the file has errors: " + first->title);
  }
}

int symbol_kind(NameKind kind) {
  switch (kind) {
    case NameKind::rule: return 5;       // class
    case NameKind::let: return 13;       // variable
    case NameKind::param: return 14;     // constant
    case NameKind::define: return 12;    // function
    case NameKind::argument: return 26;  // type parameter
    case NameKind::ladder: return 10;    // enum
  }
  return 13;
}

}  // namespace

std::optional<NameUse> name_at(Session& session, const Document& document, std::size_t offset,
                               const std::atomic<bool>& stop) {
  const Names names = session.names.names_in(document.path, document.text(), stop);
  for (const NameUse& use : *names) {
    const std::size_t sign = use.kind == NameKind::param && !use.declares ? 1 : 0;  // `$` belongs to it
    if (offset + sign >= use.span.offset && offset <= use.span.offset + use.span.length) return use;
  }
  return std::nullopt;
}

std::optional<NameUse> declaration_of(Session& session, const Document& document, const NameUse& name,
                                      const std::atomic<bool>& stop) {
  for (NameUse& use : uses_of(session, document, name, stop))
    if (use.declares) return std::move(use);
  return std::nullopt;
}

Json find_definition(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  const auto name = name_at(session, document, session.offset_in(document, params), stop);
  const auto found = name ? declaration_of(session, document, *name, stop) : std::nullopt;
  return found ? location_of(found->span, session.encoding) : Json();
}

Json find_references(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  const auto name = name_at(session, document, session.offset_in(document, params), stop);
  if (!name) return Json();
  const bool with_declaration = params.at("context").at("includeDeclaration").get<bool>();
  Json out = Json::array();
  for (const NameUse& use : uses_of(session, document, *name, stop))
    if (with_declaration || !use.declares) out.push_back(location_of(use.span, session.encoding));
  return out;
}

Json rename_everywhere(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  const auto new_name = params.at("newName").get<std::string>();
  const NameUse name = name_of(session, document, params, stop);
  const std::vector<NameUse> uses = uses_of(session, document, name, stop);
  if (std::none_of(uses.begin(), uses.end(), [](const NameUse& use) { return use.declares; }))
    throw RequestError(ErrorCode::request_failed, "'" + name.name + "' is declared in no file that is at hand");
  const Names names = session.names.names_in(document.path, document.text(), stop);
  for (const NameUse& other : *names)
    if (other.name == new_name)
      throw RequestError(ErrorCode::request_failed, "'" + new_name + "' is the name of something else here");
  check_free(session.rules_of(document), new_name);
  Json changes = Json::object();
  std::map<std::string, std::string> texts;
  for (auto use = uses.rbegin(); use != uses.rend(); ++use) {  // from the end, so that places stay what they are
    const Source& source = *use->span.source;
    const TextLines lines(source.text);
    changes[uri_of(source.name)].push_back(
        {{"range", range_of(lines, use->span.offset, use->span.length, session.encoding)}, {"newText", new_name}});
    std::string& text = texts.emplace(source.name, source.text).first->second;
    text.replace(use->span.offset, use->span.length, new_name);
  }
  check_renamed(session, document, texts, stop);
  return {{"changes", std::move(changes)}};
}

Json list_symbols(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  std::vector<NameUse> names = *session.names.names_in(document.path, document.text(), stop);
  std::erase_if(names, [](const NameUse& name) { return !name.declares; });
  Json out = Json::array();
  std::map<std::string, std::size_t> places;  // of rules and defines
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NameUse& name = names[i];
    const auto owner = name.owner.empty() ? places.end() : places.find(name.owner);
    std::size_t end = name.span.offset + name.span.length;
    if (name.owner.empty()) {  // up to the next one
      const auto next = std::find_if(names.begin() + static_cast<std::ptrdiff_t>(i) + 1, names.end(),
                                     [](const NameUse& later) { return later.owner.empty(); });
      end = next == names.end() ? document.text().size() : next->span.offset;
      places[name.name] = out.size();
    }
    Json symbol = {{"name", name.name},
                   {"kind", symbol_kind(name.kind)},
                   {"range", range_of(document.lines, name.span.offset, end - name.span.offset, session.encoding)},
                   {"selectionRange", range_of(document.lines, name.span.offset, name.span.length, session.encoding)}};
    if (!name.detail.empty()) symbol["detail"] = name.detail;
    if (owner == places.end()) out.push_back(std::move(symbol));
    else out[owner->second]["children"].push_back(std::move(symbol));
  }
  return out;
}

}  // namespace kdiag::serve
