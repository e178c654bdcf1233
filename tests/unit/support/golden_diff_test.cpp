// SPDX-License-Identifier: Apache-2.0
// What a golden test prints when it fails.
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using kdiag::tests::first_difference;

TEST_CASE("equal texts have no difference", "[support]") {
  CHECK(first_difference("", "").empty());
  CHECK(first_difference("a\nb\n", "a\nb\n").empty());
}

TEST_CASE("a difference shows the lines of both texts and three lines around them", "[support]") {
  CHECK(first_difference("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "@@ line 5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(first_difference("a\nb\n", "a\nb\nc\n") == "@@ line 3 @@\n a\n b\n+c\n");
  CHECK(first_difference("a\na\n", "a\n") == "@@ line 2 @@\n a\n-a\n");
}

TEST_CASE("a difference says where the last newline is missing and how many lines it leaves out", "[support]") {
  CHECK(first_difference("a\n", "a") == "@@ line 1 @@\n-a\n+a\n\\ no newline at the end\n");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "x\n";
  CHECK(first_difference("", many).ends_with("+... 40 more lines\n"));
}
