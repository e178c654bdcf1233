// SPDX-License-Identifier: Apache-2.0
#include "tests/support/comma_locale.hpp"

#include <clocale>
#include <cstdlib>

namespace kdiag::tests {
namespace {

bool set_any() {
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "ru_RU.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) return true;
  return false;
}

bool make(const std::string& folder) {
  const std::string command = "localedef -i de_DE -f UTF-8 " + folder + "/de_DE.UTF-8 >/dev/null 2>&1";
  return std::system(command.c_str()) == 0 && ::setenv("LOCPATH", folder.c_str(), 1) == 0;
}

}  // namespace

CommaLocale::CommaLocale() : before_(std::setlocale(LC_ALL, nullptr)), set_(set_any()) {
  if (!set_) set_ = make(made_.path()) && set_any();
}

CommaLocale::~CommaLocale() {
  std::setlocale(LC_ALL, before_.c_str());
  ::unsetenv("LOCPATH");
}

}  // namespace kdiag::tests
