// SPDX-License-Identifier: Apache-2.0
// Mistakes of a program that embeds kdiag: each is an error or an empty answer, none a crash or an exception.
#include <kdiag/columns.hpp>
#include <kdiag/compare.hpp>
#include <kdiag/facts_builder.hpp>
#include <kdiag/host_adapter.hpp>
#include <kdiag/input.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/examples.hpp"

using namespace kdiag;
using kdiag::tests::item_storm;
using kdiag::tests::loss_reads;

namespace {

constexpr std::string_view table_text = "Kernel Latency Tensor DRAM\ngemm | 5 0.1 0.2\n";
const std::string trainer_map = std::string(KDIAG_SOURCE_DIR) + "/examples/maps/trainer_log.yaml";

/// A path that the system would read as the one before its NUL.
std::string with_nul(const std::string& path) { return path + std::string("\0.old", 5); }

template <class T>
std::string error_of(const Result<T>& result) {
  return result ? "no error" : render(result.error());
}

/// Notes what no table of notes has.
class Noter final : public HostAdapter {
 public:
  std::string_view id() const override { return "noter"; }
  int sniff(const Head&) const noexcept override { return 100; }
  Status read(Input&, FactSink& sink) const override {
    sink.note("K999", "detail");
    Batch batch;
    batch.add(table("kernels"));
    sink.submit(0, std::move(batch));
    return ok_status();
  }
};

/// Certain of everything, and then of no use.
class Thrower final : public HostAdapter {
 public:
  enum class Where { id, read };
  explicit Thrower(Where where) : where_(where) {}
  std::string_view id() const override {
    if (where_ == Where::id) throw std::runtime_error("no name");
    return "thrower";
  }
  int sniff(const Head&) const noexcept override { return 100; }
  Status read(Input&, FactSink&) const override { throw 42; }

 private:
  Where where_;
};

std::string load_by(const HostAdapter* adapter) {
  LoadOptions options;
  options.adapters = {adapter};
  return error_of(load_trace("x", std::span<const char>(table_text), options));
}

Facts some_facts() { return *load_trace("x", std::span<const char>(table_text)); }

/// Keeps what it is told, and throws when that is wanted.
class KeepingLog final : public Log {
 public:
  explicit KeepingLog(bool throws = false) : throws_(throws) {}
  void tell(Level level, std::string_view id, std::string_view text) override {
    told.push_back(std::to_string(static_cast<int>(level)) + " " + std::string(id) + " " + std::string(text));
    if (throws_) throw std::runtime_error("the disk is full");
  }
  std::vector<std::string> told;

 private:
  bool throws_;
};

}  // namespace

TEST_CASE("adapters of a host that are null or throw are errors of the input", "[api][host]") {
  CHECK(load_by(nullptr).starts_with("error[K762]: an adapter of the host is null"));
  const Thrower nameless(Thrower::Where::id), broken(Thrower::Where::read);
  CHECK(load_by(&nameless).starts_with("x: error[K762]: an adapter of the host failed: no name"));
  CHECK(load_by(&broken).starts_with("x: error[K762]: the adapter 'thrower' of the host failed: it threw what"));
  const Noter noter;
  CHECK(load_by(&noter).starts_with("x: error[K762]: the adapter 'noter' of the host failed: there is no note 'K999'"));
  const std::string paths[] = {item_storm};
  LoadOptions options;
  options.adapters = {nullptr};
  CHECK(error_of(load_sides(paths, paths, options)).find("K762") != std::string::npos);
  CHECK(error_of(export_facts(
                     paths, [](std::string_view) { return true; }, options))
            .find("K762") != std::string::npos);
}

TEST_CASE("facts have nothing of what there is not", "[api][host]") {
  const Facts facts = some_facts();
  for (const std::size_t run : {std::size_t{0}, std::size_t{1}, ~std::size_t{0}}) {
    CHECK_FALSE(row_count(facts, run, TableId{}));
    CHECK_FALSE(row_count(facts, run, TableId{9999}));
    CHECK(std::holds_alternative<std::monostate>(column_values(facts, run, ColumnId{})));
    CHECK(column_provider(facts, run, ColumnId{}).empty());
    CHECK(text_of(facts, run, absent_index).empty());
    CHECK(text_of(facts, run, 1'000'000).empty());
    CHECK((text_count(facts, run) > 0) == (run == 0));
    CHECK(row_count(facts, run, table("kernels")).has_value() == (run == 0));
  }
  CHECK(std::holds_alternative<std::monostate>(column_values(facts, 1, column("kernels.dur"))));
  CHECK(column_provider(facts, 1, column("kernels.dur")).empty());
}

TEST_CASE("a path with a NUL byte is an error, not another file", "[api][host]") {
  CHECK(error_of(load_trace(with_nul(item_storm))).find("K610]: no such file: its path holds a NUL byte") !=
        std::string::npos);
  CHECK(error_of(load_trace(with_nul(item_storm) + "#1")).find("K610") != std::string::npos);
  CHECK(error_of(load_trace(with_nul(KDIAG_SOURCE_DIR "/examples/traces"))).find("K610") != std::string::npos);
  const std::string traces[] = {with_nul(item_storm)};
  CHECK(error_of(load_sides(traces, traces)).find("K610") != std::string::npos);
  CHECK(error_of(export_facts(traces, [](std::string_view) { return true; })).find("K610") != std::string::npos);
  CHECK(error_of(load_map(with_nul(trainer_map))).find("its path holds a NUL byte") != std::string::npos);
  const std::string rules = error_of(load_rules(with_nul(loss_reads)));
  CHECK(rules.find("its path holds a NUL byte") != std::string::npos);
  CHECK(rules.find("help: A path ends before its first NUL") != std::string::npos);
  for (const std::string& path : {with_nul(loss_reads), with_nul(KDIAG_SOURCE_DIR "/examples/rules")})
    CHECK(error_of(test_rules({&path, 1})).find("its path holds a NUL byte") != std::string::npos);
}

TEST_CASE("a folder without rule files is told to be one", "[api][host]") {
  const std::string rules = error_of(load_rules(KDIAG_SOURCE_DIR "/examples/traces"));
  CHECK(rules.find("error[K100]: cannot read the rule file: it is a folder without rule files") != std::string::npos);
  CHECK(rules.find("help: They begin with `kdiag: 1`") != std::string::npos);
}

TEST_CASE("an output that is missing or throws is the error of an export", "[api][host]") {
  const std::string paths[] = {item_storm};
  CHECK(error_of(export_facts(paths, {})).starts_with("error[K764]: there is no output"));
  int calls = 0;
  const auto full = [&calls](std::string_view) -> bool {
    ++calls;
    throw std::runtime_error("the disk is full");
  };
  CHECK(error_of(export_facts(paths, full)).starts_with("error[K764]: the output of the facts file failed: the disk"));
  CHECK(calls == 1);
  CHECK(error_of(export_facts(paths, [](std::string_view) -> bool { throw 42; })).find("K764") != std::string::npos);
}

TEST_CASE("a reader without a function is an input that cannot be read", "[api][host]") {
  const TraceInput input = TraceInput::callback("feed", {});
  CHECK(error_of(load_inputs({&input, 1})).starts_with("feed: error[K618]"));
}

TEST_CASE("a builder that was built has no rows", "[api][host]") {
  FactsBuilder builder("twice");
  const Row kernel = builder.rows().add("kernels");
  builder.rows().set(kernel, "dur", std::int64_t{5});
  REQUIRE(std::move(builder).build());
  CHECK(error_of(std::move(builder).build()).find("K695") != std::string::npos);  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("a host that logs is told the notes of inputs and the warnings of rules", "[api][host]") {
  const std::string cut = std::string(table_text) + "bad row\n";
  KeepingLog log;
  LoadOptions loading;
  loading.log = &log;
  REQUIRE(load_trace("table", std::span<const char>(cut), loading));
  REQUIRE_FALSE(log.told.empty());
  CHECK(log.told.front().starts_with("1 K603 table: records with a missing or malformed value"));

  log.told.clear();
  const std::string paths[] = {item_storm};
  REQUIRE(load_sides(paths, paths, loading));
  const std::size_t of_sides = log.told.size();
  log.told.clear();
  REQUIRE(load_trace(item_storm, loading));
  CHECK(of_sides == 2 * log.told.size());

  log.told.clear();
  CHECK_FALSE(load_trace("no/such/file", loading));
  CHECK(log.told.empty());

  RuleOptions of_rules;
  of_rules.log = &log;
  of_rules.builtin = false;
  constexpr std::string_view doubtful =
      "kdiag: 1\nrules:\n- {rule: t.a, title: t, when: count(kernels) > 1, x-unused: 1, let: {unused: 1}}\n";
  const auto rules = load_rules_text("r.yaml", doubtful, of_rules);
  REQUIRE(rules);
  REQUIRE_FALSE(rules->warnings().empty());
  REQUIRE(log.told.size() == rules->warnings().size());
  CHECK(log.told.front() == "1 " + rules->warnings().front().id + " " + render(rules->warnings().front()));
}

TEST_CASE("a log that throws is told no more, and the call does what it should", "[api][host]") {
  KeepingLog log(true);
  LoadOptions loading;
  loading.log = &log;
  CHECK(load_trace("table", std::span<const char>(std::string(table_text) + "bad\nworse\n"), loading));
  CHECK(log.told.size() == 1);
}
