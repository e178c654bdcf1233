// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/once.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("what is done once is not done again", "[base][once]") {
  Once once;
  int made = 0;
  for (int i = 0; i < 3; ++i) once.call([&] { ++made; });
  CHECK(made == 1);
}

TEST_CASE("what threw is done again, until it ends well", "[base][once]") {
  Once once;
  int tried = 0;
  const auto make = [&] {
    if (++tried < 3) throw std::runtime_error("not yet");
  };
  CHECK_THROWS_AS(once.call(make), std::runtime_error);
  CHECK_THROWS_AS(once.call(make), std::runtime_error);
  CHECK_NOTHROW(once.call(make));
  CHECK_NOTHROW(once.call(make));
  CHECK(tried == 3);
}

TEST_CASE("threads that come together do it once, and all see it done", "[base][once][threads]") {
  constexpr int threads = 2;
  for (int round = 0; round < 200; ++round) {
    Once once;
    int made = 0;  // no atomic: the threads that did not make it must see it nonetheless
    std::atomic<int> ready = 0, seen = 0;
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i)
      running.emplace_back([&] {
        ++ready;
        while (ready < threads) std::this_thread::yield();
        once.call([&] { ++made; });
        seen += made;
      });
    for (std::thread& thread : running) thread.join();
    REQUIRE(made == 1);
    REQUIRE(seen == threads);
  }
}

TEST_CASE("a thread that waited does what the other could not", "[base][once][threads]") {
  Once once;
  std::atomic<bool> making = false;
  std::atomic<int> made = 0;
  std::thread second;
  CHECK_THROWS_AS(once.call([&] {
    second = std::thread([&] {
      making = true;
      once.call([&] { ++made; });
    });
    while (!making) std::this_thread::yield();
    throw std::runtime_error("no memory");
  }),
                  std::runtime_error);
  second.join();
  once.call([&] { ++made; });
  CHECK(made == 1);
}
