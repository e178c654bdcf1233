// SPDX-License-Identifier: Apache-2.0
// The one place that knows which Catch2 this is.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
