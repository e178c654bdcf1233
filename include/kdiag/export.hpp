// SPDX-License-Identifier: Apache-2.0
// Marks what the library exports; everything else is hidden. A static library exports the C interface alone, so that a
// program can offer it to plug-ins and scripts in its own process (linked with -rdynamic).
#pragma once

#define KDIAG_C_API __attribute__((visibility("default")))
#if defined(KDIAG_STATIC)
#define KDIAG_API
#else
#define KDIAG_API KDIAG_C_API
#endif
