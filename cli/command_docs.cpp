// SPDX-License-Identifier: Apache-2.0
#include "cli/command_docs.hpp"

#include <functional>
#include <vector>

#include <CLI/CLI.hpp>

namespace kdiag::cli {
namespace {

void collect(const CLI::App& app, const std::string& path, std::vector<VerbEntry>& verbs) {
  verbs.push_back({path, &app});
  for (const CLI::App* verb : app.get_subcommands({}))
    collect(*verb, path.empty() ? verb->get_name() : path + " " + verb->get_name(), verbs);
}

/// "--steps" of an option; empty for an argument.
std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? std::string() : "--" + option.get_lnames().front();
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// --- Manual page ----------------------------------------------------------------------------------------------------

/// Text as roff shows it.
std::string roff(const std::string& text) {
  std::string out = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return replaced(replaced(out, "\n.", "\n\\&."), "\n'", "\n\\&'");
}

std::string man_options(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = long_name(*option);
    const std::string type = option->get_items_expected_max() > 0 ? option->get_type_name() : std::string();
    out += ".TP\n";
    if (!name.empty()) out += "\\fB" + roff(name) + "\\fR" + (type.empty() ? "" : " \\fI" + roff(type) + "\\fR") + "\n";
    else out += "\\fI" + roff(type) + "\\fR\n";
    out += roff(option->get_description()) + "\n";
  }
  return out;
}

/// Lines of examples and the like, which keep their form.
std::string man_footer(const CLI::App& app) {
  const std::string footer = app.get_footer();
  return footer.empty() ? footer : ".PP\n.nf\n" + roff(footer) + "\n.fi\n";
}

std::string man_page(const CLI::App& app) {
  std::string out = ".\\\" Made of the command's own definition.\n.TH KDIAG 1\n.SH NAME\nkdiag \\- ";
  out += "finds out why an accelerator workload is slow\n.SH SYNOPSIS\n";
  for (const VerbEntry& verb : verbs_of(app))
    out += ".br\n\\fBkdiag" + (verb.path.empty() ? "" : " " + roff(verb.path)) +
           "\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n";
  out += ".SH DESCRIPTION\n" + roff(app.get_description()) + "\n.SH OPTIONS\n" + man_options(app) + man_footer(app);
  out += ".SH VERBS\n";
  for (const VerbEntry& verb : verbs_of(app)) {
    if (verb.path.empty()) continue;
    out += ".SS kdiag " + roff(verb.path) + "\n" + roff(verb.app->get_description()) + ".\n";
    out += man_options(*verb.app) + man_footer(*verb.app);
  }
  return out;
}

// --- Completion -----------------------------------------------------------------------------------------------------

/// Calls `use` with each word that can follow a verb, and what it means.
void for_each_word(const CLI::App& app, const std::function<void(const std::string&, const std::string&)>& use) {
  for (const CLI::App* verb : app.get_subcommands({})) use(verb->get_name(), verb->get_description());
  for (const CLI::Option* option : app.get_options())
    if (const std::string name = long_name(*option); !name.empty()) use(name, option->get_description());
}

/// Lines of a shell's `case` that follow the words of verbs.
std::string verb_cases(const CLI::App& app) {
  std::string out;
  for (const VerbEntry& verb : verbs_of(app))
    if (!verb.path.empty()) out += "      ' " + verb.path + "') verb=' " + verb.path + "' ;;\n";
  return out;
}

std::string bash_completion(const CLI::App& app) {
  std::string out =
      "# bash completion of kdiag, made of the command's own definition.\n_kdiag() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} verb= words= word\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n    case \"$verb $word\" in\n";
  out += verb_cases(app) + "    esac\n  done\n  case $verb in\n";
  for (const VerbEntry& verb : verbs_of(app)) {
    out += "    " + shell_quoted(verb.path.empty() ? "" : " " + verb.path) + ") words='";
    for_each_word(*verb.app, [&](const std::string& word, const std::string&) { out += word + " "; });
    out += "' ;;\n";
  }
  return out +
         "  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\"; compgen -f -- \"$cur\")\n}\n"
         "complete -o filenames -F _kdiag kdiag\n";
}

std::string zsh_completion(const CLI::App& app) {
  std::string out =
      "#compdef kdiag\n# Made of the command's own definition.\n"
      "local verb= word\nlocal -a known\nfor word in ${words[2,CURRENT-1]}; do\n    case \"$verb $word\" in\n";
  out += verb_cases(app) + "    esac\ndone\ncase $verb in\n";
  for (const VerbEntry& verb : verbs_of(app)) {
    out += "  " + shell_quoted(verb.path.empty() ? "" : " " + verb.path) + ") known=(\n";
    for_each_word(*verb.app, [&](const std::string& word, const std::string& help) {
      out += "    " + shell_quoted(replaced(word, ":", "\\:") + ":" + help) + "\n";
    });
    out += "  ) ;;\n";
  }
  return out + "esac\n_describe kdiag known\n_files\n";
}

std::string fish_completion(const CLI::App& app) {
  std::string out = "# fish completion of kdiag, made of the command's own definition.\n";
  for (const VerbEntry& verb : verbs_of(app)) {
    std::string when = "__fish_use_subcommand";
    if (!verb.path.empty()) when = "__fish_seen_subcommand_from " + verb.path.substr(verb.path.rfind(' ') + 1);
    for_each_word(*verb.app, [&](const std::string& word, const std::string& help) {
      const std::string what = word.starts_with("--") ? "-l " + word.substr(2) : "-a " + word;
      out += "complete -c kdiag -n " + shell_quoted(when) + " " + what + " -d " + shell_quoted(help) + "\n";
    });
  }
  return out;
}

}  // namespace

std::string shell_quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::vector<VerbEntry> verbs_of(const CLI::App& app) {
  std::vector<VerbEntry> verbs;
  collect(app, "", verbs);
  return verbs;
}

std::optional<std::string> command_document(const CLI::App& app, std::string_view kind) {
  if (kind == "man") return man_page(app);
  if (kind == "bash") return bash_completion(app);
  if (kind == "zsh") return zsh_completion(app);
  if (kind == "fish") return fish_completion(app);
  return {};
}

}  // namespace kdiag::cli
