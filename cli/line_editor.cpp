// SPDX-License-Identifier: Apache-2.0
#include "cli/line_editor.hpp"

#include <algorithm>
#include <clocale>
#include <cstdio>

#if KDIAG_HAS_LIBEDIT
#include <histedit.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif
#else
#include <cerrno>
#endif

namespace kdiag::cli {

#if KDIAG_HAS_LIBEDIT

namespace {
constexpr int most_history = 1000;       // lines
constexpr std::size_t most_listed = 60;  // words that completion shows; more of them help nobody (judgement)
}  // namespace

struct LineEditor::State {
  std::string prompt, file;
  Complete complete;
  EditLine* editor = nullptr;
  History* history = nullptr;

  static State& of(EditLine* editor) {
    State* state = nullptr;
    el_get(editor, EL_CLIENTDATA, &state);
    return *state;
  }
  static char* show_prompt(EditLine* editor) { return of(editor).prompt.data(); }

  /// Tab: what all candidates begin with, and when that is nothing new, the candidates.
  static unsigned char tab(EditLine* editor, int) {
    State& state = of(editor);
    const LineInfo* info = el_line(editor);
    const std::string_view line(info->buffer, static_cast<std::size_t>(info->lastchar - info->buffer));
    const auto cursor = static_cast<std::size_t>(info->cursor - info->buffer);
    const Completion found = state.complete(line, cursor);
    if (found.words.empty()) return CC_ERROR;
    std::string common = found.words.front();
    for (const std::string& word : found.words)
      common.resize(static_cast<std::size_t>(
          std::mismatch(common.begin(), common.end(), word.begin(), word.end()).first - common.begin()));
    const std::size_t typed = cursor - found.begin;
    if (common.size() > typed) {
      el_insertstr(editor, common.c_str() + typed);
      return CC_REFRESH;
    }
    if (found.words.size() == 1) return CC_ERROR;
    std::fputc('\n', stdout);
    for (std::size_t i = 0; i < std::min(found.words.size(), most_listed); ++i)
      std::fprintf(stdout, "%s%s", i > 0 ? "  " : "", found.words[i].c_str());
    std::fputs(found.words.size() > most_listed ? "  ...\n" : "\n", stdout);
    std::fflush(stdout);
    return CC_REDISPLAY;
  }
};

LineEditor::LineEditor(std::string prompt, std::string history, Complete complete) : state_(std::make_unique<State>()) {
  std::setlocale(LC_CTYPE, "");  // characters of several bytes are edited as one
  state_->prompt = std::move(prompt);
  state_->file = std::move(history);
  state_->complete = std::move(complete);
  state_->editor = el_init("kdiag", stdin, stdout, stderr);
  state_->history = history_init();
  HistEvent event;
  ::history(state_->history, &event, H_SETSIZE, most_history);
  ::history(state_->history, &event, H_SETUNIQUE, 1);
  if (!state_->file.empty()) ::history(state_->history, &event, H_LOAD, state_->file.c_str());
  EditLine* editor = state_->editor;
  el_set(editor, EL_CLIENTDATA, state_.get());
  el_set(editor, EL_PROMPT, &State::show_prompt);
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, ::history, state_->history);
  {
#ifdef __SANITIZE_ADDRESS__
    const __lsan::ScopedDisabler kept_for_ever;  // libedit copies both texts and frees neither
#endif
    el_set(editor, EL_ADDFN, "kdiag-complete", "complete a name", &State::tab);
  }
  el_set(editor, EL_BIND, "^I", "kdiag-complete", nullptr);
  el_source(editor, nullptr);  // ~/.editrc
}

LineEditor::~LineEditor() {
  HistEvent event;
  if (!state_->file.empty()) ::history(state_->history, &event, H_SAVE, state_->file.c_str());
  history_end(state_->history);
  el_end(state_->editor);
}

std::optional<std::string> LineEditor::next() {
  int length = 0;
  const char* read = el_gets(state_->editor, &length);
  if (read == nullptr || length <= 0) {
    std::fputc('\n', stdout);
    std::fflush(stdout);
    if (length == 0) return std::nullopt;
    el_reset(state_->editor);  // a signal
    return std::string();
  }
  std::string line(read, static_cast<std::size_t>(length));
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  if (line.find_first_not_of(" \t") != std::string::npos) {
    HistEvent event;
    ::history(state_->history, &event, H_ENTER, line.c_str());
  }
  return line;
}

#else

struct LineEditor::State {
  std::string prompt;
};

LineEditor::LineEditor(std::string prompt, std::string, Complete) : state_(std::make_unique<State>()) {
  state_->prompt = std::move(prompt);
}

LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::next() {
  std::fputs(state_->prompt.c_str(), stdout);
  std::fflush(stdout);
  std::string line;
  for (int c = 0; (c = std::getc(stdin)) != '\n';) {
    if (c != EOF) {
      line += static_cast<char>(c);
      continue;
    }
    std::fputc('\n', stdout);
    const bool cancelled = std::ferror(stdin) != 0 && errno == EINTR;
    std::clearerr(stdin);
    if (cancelled) return std::string();
    return line.empty() ? std::nullopt : std::optional(std::move(line));
  }
  return line;
}

#endif

}  // namespace kdiag::cli
