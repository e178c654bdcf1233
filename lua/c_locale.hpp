// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <locale.h>

namespace kdiag {

/// While it lives, this thread writes and compares texts as the C locale does: Lua asks the locale which character
/// stands between the digits of a number and which of two texts is less, and what a rule finds must not depend on what
/// its host has set.
class CLocale {
 public:
  CLocale() : before_(uselocale(c())) {}
  ~CLocale() { uselocale(before_); }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  /// Null, which changes nothing, where there is no memory for it.
  static locale_t c() {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
    return locale;
  }

  locale_t before_;
};

}  // namespace kdiag
