// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/slurm_jobs.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <kdiag/fleet.hpp>

#include "cli/command.hpp"
#include "cli/command_docs.hpp"

namespace kdiag::cli {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

std::string this_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? "kdiag" : program.string();
}

struct Jobs {
  std::string summarize, judge, submit;
};

Jobs jobs_of(const Options& options, std::size_t parts) {
  const std::string folder = absolute(options.slurm), kdiag = shell_quoted(this_program());
  std::string summarize = kdiag + " summarize --into " + shell_quoted(folder + "/summaries");
  std::string traces;
  for (const std::string& path : options.files) traces += " " + shell_quoted(absolute(path));
  const std::string count = std::to_string(parts);
  Jobs jobs;
  jobs.summarize =
      "#!/bin/sh\n# Each task summarises its part of the ranks; summaries that are there are kept.\nexec " + summarize +
      " --part \"$SLURM_ARRAY_TASK_ID/" + count + "\"" + traces + "\n";
  jobs.judge =
      "#!/bin/sh\n# What a task left undone is summarised here first. The exit code says what is missing all the "
      "same.\n" +
      summarize + traces + "\nmissing=$?\n" + kdiag + " fleet " + shell_quoted(folder + "/summaries") + " --output " +
      shell_quoted(folder + "/report.txt") + "\njudged=$?\n[ $missing -eq 0 ] || exit $missing\nexit $judged\n";
  jobs.submit =
      "#!/bin/sh\n# Submits both jobs; arguments go to sbatch, as --partition=cpu. To be run again where something "
      "failed.\n"
      "set -e\ncd " +
      shell_quoted(folder) + "\narray=$(sbatch --parsable --job-name=kdiag-summarize --requeue --array=0-" +
      std::to_string(parts - 1) +
      " --output=logs/summarize-%a.log \"$@\" summarize.sh)\n"
      "sbatch --job-name=kdiag-judge --dependency=\"afterany:${array%%;*}\" --output=logs/judge.log \"$@\" judge.sh\n";
  return jobs;
}

}  // namespace

int write_slurm_jobs(Options& options) {
  const FleetMembers found = fleet_members(options.files);
  const auto traces = static_cast<std::size_t>(std::count_if(
      found.members.begin(), found.members.end(), [](const FleetMember& member) { return !member.inputs.empty(); }));
  if (traces == 0 || traces < found.members.size()) {
    complain(options, traces == 0 ? "there is no trace to summarise; `kdiag fleet` judges summaries without Slurm"
                                  : "some of these are summaries; give the traces, or judge all without --slurm");
    return exit_code::usage;
  }
  const Jobs jobs = jobs_of(options, std::min<std::size_t>(traces, options.chunks));
  std::error_code error;
  for (const char* inner : {"/logs", "/summaries"}) fs::create_directories(options.slurm + inner, error);
  for (const auto& [name, text] : {std::pair("/summarize.sh", &jobs.summarize), std::pair("/judge.sh", &jobs.judge),
                                   std::pair("/submit.sh", &jobs.submit)})
    if (const std::optional<std::string> failed = write_output(*text, options.slurm + name)) {
      complain(options, *failed);
      return exit_code::usage;
    }
  const std::string submit = options.slurm + "/submit.sh";
  if (options.submit) {
    ::execl("/bin/sh", "sh", submit.c_str(), static_cast<char*>(nullptr));
    complain(options, std::string("/bin/sh cannot be run: ") + std::strerror(errno));
    return exit_code::usage;
  }
  return print(options, options.quiet ? std::string() : "sh " + shell_quoted(submit) + "\n", exit_code::ok);
}

}  // namespace kdiag::cli
