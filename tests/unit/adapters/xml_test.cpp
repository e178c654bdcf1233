// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "adapters/text/xml_scanner.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using adapters::XmlScanner;

namespace {

/// Bytes handed out in small pieces.
class XmlPieces : public Input {
 public:
  XmlPieces(std::string text, std::size_t piece) : text_(std::move(text)), piece_(piece) {}
  std::string_view name() const override { return "pieces"; }
  const Head& head() const override { return head_; }
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min({piece_, buffer.size(), text_.size() - at_});
    std::copy_n(text_.data() + at_, size, buffer.data());
    at_ += size;
    return size;
  }

 private:
  std::string text_;
  std::size_t piece_, at_ = 0;
  Head head_;
};

/// "+a", "text", "-a"; "!" at the end when the input ends within a tag.
std::vector<std::string> pieces_of(const std::string& text, std::size_t piece) {
  XmlPieces input(text, piece);
  XmlScanner xml(input);
  std::vector<std::string> out;
  for (;;) switch (xml.next()) {
      case XmlScanner::Piece::open: out.push_back("+" + std::string(xml.value()) + xml.attribute("id")); break;
      case XmlScanner::Piece::text: out.emplace_back(xml.value()); break;
      case XmlScanner::Piece::close: out.push_back("-" + std::string(xml.value())); break;
      case XmlScanner::Piece::end:
        if (xml.truncated()) out.emplace_back("!");
        return out;
    }
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("XML: elements, texts and what stands between", "[adapters][xml]") {
  const std::size_t piece = GENERATE(1, 2, 3, 7, 1000);
  CAPTURE(piece);
  CHECK(
      pieces_of("<?xml version=\"1.0\"?>\n<!-- <a> > --><!DOCTYPE a [ <!ELEMENT a (b)> ]>\n<a id=\"1&amp;2\" x=\"3\">\n"
                "  one &lt; two\n <b/></a>\n",
                piece) == Strings{"+a1&2", "one < two", "+b", "-b", "-a"});
  CHECK(pieces_of("<a>x</a><a>y</a>", piece) == Strings{"+a", "x", "-a", "+a", "y", "-a"});
  CHECK(pieces_of("", piece).empty());
  CHECK(pieces_of("no tags", piece).empty());
  CHECK(pieces_of("<a><b", piece) == Strings{"+a", "!"});
  CHECK(pieces_of("<a><!-- never closed", piece) == Strings{"+a", "!"});
  CHECK(pieces_of("<a><", piece) == Strings{"+a", "!"});
}

TEST_CASE("XML: long documents are read in bounded memory", "[adapters][xml]") {
  std::string text = "<log>";
  for (int i = 0; i < 20'000; ++i) text += "<gpu>" + std::to_string(i) + "</gpu>\n";
  const Strings pieces = pieces_of(text + "</log>", 4096);
  REQUIRE(pieces.size() == 60'002);
  CHECK(pieces[59'999] == "19999");
  CHECK(pieces_of("<a>" + std::string(3'000'000, 'x'), 1 << 16).back() == "!");
}
