// SPDX-License-Identifier: Apache-2.0
// A gate for CI: fails when a trace shows a severe fault that is not known yet. Known faults stand in a file, one
// fingerprint a line; fingerprints stay the same from run to run.
//     gate trace.json known.txt            exit code 1: new faults, which are printed
//     gate trace.json known.txt --accept   writes the faults there are as known ones
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include <kdiag/kdiag.hpp>

namespace {

constexpr kdiag::Severity severe = kdiag::Severity::high;

std::set<std::string> read_lines(const std::string& path) {
  std::set<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.insert(line.substr(0, line.find(' ')));
  return lines;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: gate TRACE KNOWN [--accept]\n";
    return 2;
  }
  const bool accept = argc > 3 && std::string(argv[3]) == "--accept";
  const auto facts = kdiag::load_trace(argv[1]);
  const auto rules = kdiag::builtin_rules();
  if (!facts || !rules) {
    std::cerr << kdiag::render(facts ? rules.error() : facts.error());
    return 2;
  }
  const kdiag::Report report = kdiag::diagnose(*facts, *rules);
  if (accept) {
    std::ofstream file(argv[2]);
    for (const kdiag::Finding& finding : report.findings)
      if (finding.severity >= severe) file << finding.fingerprint << ' ' << finding.rule << '\n';
    return file ? 0 : 2;
  }
  const std::set<std::string> known = read_lines(argv[2]);
  int faults = 0;
  for (const kdiag::Finding& finding : report.findings) {
    if (finding.severity < severe || known.count(finding.fingerprint) > 0) continue;
    std::cout << finding.rule << " (" << kdiag::name_of(finding.severity) << "): " << finding.title << '\n';
    ++faults;
  }
  return faults == 0 ? 0 : 1;
}
