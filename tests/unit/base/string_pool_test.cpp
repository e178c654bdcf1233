// SPDX-License-Identifier: Apache-2.0
#include "base/string_pool.hpp"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("equal texts have one id, in order of first appearance", "[base][string_pool]") {
  StringPool pool;
  CHECK(pool.find("a") == absent_index);
  CHECK(pool.intern("a") == 0);
  CHECK(pool.intern("") == 1);
  CHECK(pool.intern("a") == 0);
  CHECK(pool.intern(std::string_view("a\0b", 3)) == 2);
  CHECK(pool.find("") == 1);
  CHECK(pool[2] == std::string_view("a\0b", 3));
  CHECK(pool[1].empty());
  CHECK(pool[absent_index].empty());
  CHECK(pool.size() == 3);
  CHECK(pool.bytes() == 4);
}

TEST_CASE("a closed pool knows its texts, and takes others when it is open again", "[base][string_pool]") {
  StringPool pool;
  std::vector<std::string> texts;
  for (int i = 0; i < 32; ++i) pool.intern(texts.emplace_back(std::to_string(i)));  // its slots are half full
  {
    const StringPool::Closed closed(pool);
    const char* const place = pool[31].data();
    for (std::uint32_t id = 0; id < 32; ++id) CHECK(pool.intern(texts[id]) == id);
    CHECK(pool[31].data() == place);
  }
  CHECK(pool.intern("new") == 32);
}

TEST_CASE("texts of all lengths stay where they are while a pool grows", "[base][string_pool]") {
  std::mt19937 random(7);
  StringPool pool;
  std::map<std::string, std::uint32_t> ids;
  std::map<std::uint32_t, const char*> places;
  for (int i = 0; i < 5000; ++i) {
    std::string text(random() % (i % 100 == 0 ? 100'000 : 40), static_cast<char>('a' + random() % 3));
    text += std::to_string(random() % 3000);
    const auto [known, added] = ids.emplace(text, static_cast<std::uint32_t>(ids.size()));
    REQUIRE(pool.intern(text) == known->second);
    if (added) places[known->second] = pool[known->second].data();
  }
  for (const auto& [text, id] : ids) {
    REQUIRE(pool.find(text) == id);
    REQUIRE(pool[id] == text);
    REQUIRE(pool[id].data() == places[id]);
  }
  StringPool moved = std::move(pool);
  CHECK(moved[0].data() == places[0]);
  CHECK(moved.size() == ids.size());
}

TEST_CASE("a pool goes on behind the texts of another", "[base][string_pool]") {
  const auto base = std::make_shared<StringPool>();
  base->intern("a");
  base->intern("b");
  StringPool pool(base);
  CHECK(pool.intern("b") == 1);
  CHECK(pool.intern("c") == 2);
  CHECK(pool.find("a") == 0);
  CHECK(pool[1] == "b");
  CHECK(pool[2] == "c");
  CHECK(pool.size() == 3);

  StringPool other;
  other.intern("c");
  other.intern("d");
  CHECK(other.intern_all(pool) == std::vector<std::uint32_t>{2, 3, 0});
  CHECK(other.size() == 4);
}
