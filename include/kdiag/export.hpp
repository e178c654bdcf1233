// SPDX-License-Identifier: Apache-2.0
// Marks what the library exports; everything else is hidden.
#pragma once

#if defined(KDIAG_STATIC)
#define KDIAG_API
#else
#define KDIAG_API __attribute__((visibility("default")))
#endif
