// SPDX-License-Identifier: Apache-2.0
#include "base/escape.hpp"

#include <string>

#include "base/utf8.hpp"
#include "tests/catch.hpp"

namespace kdiag::report {

TEST_CASE("terminals see control and reordering characters as escapes", "[report][escape]") {
  CHECK(visible("a\x1b[2Jb") == "a\\x1b[2Jb");
  CHECK(visible("a\tb\nc") == "a\\x09b\\x0ac");
  CHECK(visible("\xc2\x9b"
                "31m") == "\\x9b31m");  // the one-character form of ESC [
  CHECK(visible("\xe2\x80\xae") == "\\u202e");
  CHECK(visible("\xf3\xa0\x80\x81") == "\\u0e0001");
  CHECK(visible("\xff\xc3(") == "\\xff\\xc3(");
  CHECK(visible("größe 🔥") == "größe 🔥");
  CHECK(visible(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("running text keeps its spaces only", "[report][escape]") {
  CHECK(flowing("a\nb\tc\r\nd\x07") == "a b c  d\\x07");
}

TEST_CASE("ill-formed UTF-8 is seen byte by byte", "[report][escape]") {
  for (const char* broken :
       {"\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82", "\x80"}) {
    CAPTURE(broken);
    CHECK_FALSE(code_point_at(broken, 0).valid);
    CHECK(code_point_at(broken, 0).length == 1);
  }
  CHECK(count_code_points("a\xe2\x82\xac\xff") == 3);
}

TEST_CASE("Markdown shows names as they are", "[report][escape]") {
  CHECK(markdown("<b>*x*</b>") == "&lt;b&gt;\\*x\\*&lt;/b&gt;");
  CHECK(markdown("a_b _c_ [l](u) `d` |") == "a_b \\_c\\_ \\[l\\](u) \\`d\\` \\|");
  CHECK(markdown("@all #1 # 1") == "@<!-- -->all \\#<!-- -->1 \\# 1");
  CHECK(markdown("https://a.b www.a.b ftp://a") == "https:<!-- -->//a.b www<!-- -->.a.b ftp:<!-- -->//a");
  CHECK(markdown("http: //a ww.a wwww std::f c:/d") == "http: //a ww.a wwww std::f c:/d");
  CHECK(markdown("1. one") == "1\\. one");
  CHECK(markdown("6.29 s") == "6.29 s");
  CHECK(markdown("- item") == "\\- item");
  CHECK(markdown("    indented") == "indented");
  CHECK(markdown("") == "");
}

TEST_CASE("sources of a rule are links, whatever stands around them", "[report][escape]") {
  CHECK(markdown_reference("https://a.b/c_d?e=(f)") == "<https://a.b/c_d?e=(f)>");
  CHECK(markdown_reference("CUDA, *one* (https://a.b/c), p. 3") == "CUDA, \\*one\\* (<https://a.b/c>), p. 3");
  CHECK(markdown_reference("http://a.b (x)") == "<http://a.b> (x)");
  CHECK(markdown_reference("see https://a.b") == "see https:<!-- -->//a.b");
  CHECK(markdown_reference("https://a.b/<script>") == "https:<!-- -->//a.b/&lt;script&gt;");
  CHECK(markdown_reference("https://a.b/\x1b[2J") == "https:<!-- -->//a.b/\\\\x1b\\[2J");
  CHECK(markdown_reference("javascript:alert(1)") == "javascript:alert(1)");
  CHECK(markdown_reference("a paper") == "a paper");
  CHECK(web_address("see https://a.b.").size() == 11);
  CHECK(web_address("a paper").empty());
}

TEST_CASE("code spans hold any backticks, and bars inside tables", "[report][escape]") {
  CHECK(markdown_code("a|b") == "`a|b`");
  CHECK(markdown_code("a`b") == "`` a`b ``");
  CHECK(markdown_code("") == "` `");
  CHECK(markdown_code_cell("gemm") == "`gemm`");
  CHECK(markdown_code_cell("a\\|`b") == "<code>a\\\\\\|\\`b</code>");
}

TEST_CASE("JSON strings are valid UTF-8 and quiet on a terminal", "[report][escape]") {
  const auto json = [](std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
  };
  CHECK(json("a\"b\\c\nd\te\x01") == "\"a\\\"b\\\\c\\nd\\te\\u0001\"");
  CHECK(json("\xff") == "\"\xef\xbf\xbd\"");
  CHECK(json("\xe2\x80\xae") == "\"\\u202e\"");
  CHECK(json("\xf3\xa0\x80\x81") == "\"\\udb40\\udc01\"");
  CHECK(json("µ") == "\"µ\"");
}

TEST_CASE("texts in XML hold no markup and nothing that XML cannot hold", "[report][escape]") {
  CHECK(xml("a < b && c > \"d\"") == "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
  CHECK(xml("two\nlines") == "two\nlines");
  CHECK(xml("\x1b[31m\t\r") == "\\x1b[31m\\x09\\x0d");
  CHECK(xml(std::string_view("\0", 1)) == "\\x00");
  CHECK(xml("\xff µ ]]>") == "\\xff µ ]]&gt;");
  CHECK(xml("\xef\xbf\xbe\xef\xbf\xbf") == "\\ufffe\\uffff");
}

TEST_CASE("paths become URI references", "[report][escape]") {
  CHECK(path_to_uri("src/my model.py") == "src/my%20model.py");
  CHECK(path_to_uri("/home/a#b.py") == "file:///home/a%23b.py");
  CHECK(path_to_uri("C:\\a\\b.py") == "file:///C:/a/b.py");
  CHECK(path_to_uri("aten:x") == "aten%3Ax");
  CHECK(path_to_uri("\xc3\xa9") == "%C3%A9");
}

TEST_CASE("long names lose their middle", "[report][escape]") {
  CHECK(shorten_middle("abcdefghij", 10) == "abcdefghij");
  CHECK(shorten_middle("abcdefghij", 7) == "abcd…ij");
  CHECK(count_code_points(shorten_middle("ααααααααααααα", 6)) == 6);
}

}  // namespace kdiag::report
