// SPDX-License-Identifier: Apache-2.0
// Operations and bytes of real traces, against the tables that TraceLens makes of the same files (GEMM, CONV_fwd,
// SDPA_fwd, Normalization, UnaryElementwise, BinaryElementwise and Reduce_fwd of its performance report: all of their
// rows). Its GFLOPS are 10^9 operations, its MB 2^20
// bytes.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/derive/work/work_summary.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

/// A row of TraceLens's tables: an operator with its input sizes, how many calls launch work, operations and bytes.
/// 0 where its table has a figure that is judged elsewhere.
struct Counted {
  std::string name;
  std::string shapes;
  int calls;
  double gflop;
  double mib;
};

const std::string bert = "gaunernst_bert-small-uncased__1016001.json.gz";
const std::string qwen = "Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz";
const std::string vit = "Falconsai_nsfw_image_detection__1016002.json.gz";

const std::vector<std::pair<std::string, std::vector<Counted>>> tables{
    {bert,
     {{"aten::addmm", "[[512],[141,512],[512,512],[],[]]", 17, 0.0739968, 0.7763671875},
      {"aten::addmm", "[[30522],[141,512],[512,30522],[],[]]", 1, 4.41119205, 38.211021423339844},
      {"aten::addmm", "[[512],[141,2048],[2048,512],[],[]]", 4, 0.295770624, 2.689453125},
      {"aten::addmm", "[[2048],[141,512],[512,2048],[],[]]", 4, 0.2959872, 2.6923828125},
      {"aten::_scaled_dot_product_flash_attention", "[[1,8,141,64],[1,8,141,64],[1,8,141,64],[],[],[],[]]", 4,
       0.040716288, 0.55078125},
      {"aten::_flash_attention_forward", "[[1,141,8,64],[1,141,8,64],[1,141,8,64],[],[],[],[],[],[],[],[],[],[],[],[]]",
       4, 0.040716288, 0.55078125},
      {"aten::add", "[[1,141,512],[1,141,512],[]]", 9, 0, 0.4130859375},
      {"aten::add_", "[[1,141,512],[1,141,512],[]]", 1, 0, 0.4130859375}}},
    {qwen,
     {{"aten::mm", "[[8944,1024],[1024,2816]]", 48, 51.581550592, 71.0078125},
      {"aten::addmm", "[[1024],[8944,1024],[1024,1024],[],[]]", 72, 18.766086144, 36.939453125},
      {"aten::mm", "[[8944,2816],[2816,1024]]", 24, 51.581550592, 71.0078125},
      {"aten::mm", "[[8944,1024],[1024,1024]]", 24, 18.756927488, 36.9375},
      {"aten::bmm", "[[1,32,1],[1,1,559]]", 1, 3.5776e-05, 0.07049179077148438},
      {"aten::_scaled_dot_product_flash_attention", "[[16,16,559,64],[16,16,559,64],[16,16,559,64],[],[],[],[]]", 24, 0,
       69.875},
      {"aten::add", "[[16,16,559,64],[16,16,559,64],[]]", 48, 0, 52.40625},
      {"aten::mul", "[[16,559,1024],[16,559,1]]", 49, 0, 69.90911865234375},
      {"aten::mul", "[[16,16,559,64],[1,1,559,64]]", 96, 0, 35.0057373046875},
      {"aten::mul", "[[1024],[16,559,1024]]", 49, 0, 34.939453125},
      {"aten::mul", "[[16,559,2816],[16,559,2816]]", 24, 0, 144.1171875},
      {"aten::add", "[[16,559,1024],[16,559,1024],[]]", 48, 0, 52.40625},
      {"aten::add", "[[16,559,1],[],[]]", 49, 0, 0.06824493408203125},
      {"aten::copy_", "[[16,16,559,64],[16,16,559,64],[]]", 72, 0, 34.9375},
      {"aten::copy_", "[[16,559,1024],[16,559,1024],[]]", 98, 0, 52.40625},  // 49 to float, and 49 back
      {"aten::copy_", "[[16,559,16,64],[16,559,16,64],[]]", 24, 0, 34.9375},
      {"aten::copy_", "[[1,559,64],[1,559,64],[]]", 2, 0, 0.2047119140625},
      {"aten::copy_", "[[1,1,559],[1,1,559],[]]", 1, 0, 0.006397247314453125},
      {"aten::pow", "[[16,559,1024],[]]", 49, 0, 69.875},
      {"aten::silu", "[[16,559,2816]]", 24, 0, 96.078125},
      {"aten::neg", "[[16,16,559,32]]", 48, 0, 17.46875},
      {"aten::rsqrt", "[[16,559,1]]", 49, 0, 0.0682373046875},
      // Of one result there; 8944 rows have as many means, 0.098 % more.
      {"aten::mean", "[[16,559,1024],[],[],[]]", 49, 0, 34.937503814697266}}},
    {vit,
     {{"aten::convolution", "[[4,3,224,224],[768,3,16,16],[768],[],[],[],[],[],[]]", 1, 0.924844032, 3.421875},
      {"aten::addmm", "[[768],[788,768],[768,768],[],[]]", 48, 0.930167808, 3.43505859375},
      {"aten::addmm", "[[3072],[788,768],[768,3072],[],[]]", 12, 3.720671232, 10.27734375},
      {"aten::addmm", "[[768],[788,3072],[3072,768],[],[]]", 12, 3.71885568, 10.27294921875},
      {"aten::addmm", "[[768],[4,768],[768,768],[],[]]", 1, 0.004721664, 1.13818359375},
      {"aten::_scaled_dot_product_flash_attention", "[[4,12,197,64],[4,12,197,64],[4,12,197,64],[],[],[],[]]", 12,
       0.476884992, 4.6171875},
      {"aten::add", "[[4,197,768],[4,197,768],[]]", 24, 0, 3.462890625},
      {"aten::add_", "[[4,768,14,14],[1,768,1,1],[]]", 1, 0, 2.29833984375},
      {"aten::add", "[[4,197,768],[1,197,768],[]]", 1, 0, 2.59716796875}}},
};

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\n') out += c;
  return out;
}

/// The calls of an operator with these sizes, and what each of them has to do.
struct Calls {
  int count = 0;
  double flops = 0;
  double bytes = 0;
};

Calls calls_of(const Facts& facts, const std::string& name, const std::string& shapes) {
  const FactStore& store = *facts.loaded().runs.at(0).store;
  Calls calls;
  for (std::size_t op = 0; op < store.rows(table("ops")); ++op) {
    if (store.text(column("ops.name"), op) != name) continue;
    if (without_blanks(store.text(column("ops.shapes"), op)) != shapes) continue;
    ++calls.count;
    calls.flops = store.real(column("ops.flops"), op);
    const std::int64_t bytes = store.integer(column("ops.bytes_moved"), op);
    calls.bytes = bytes == absent_integer ? 0 : static_cast<double>(bytes);
  }
  return calls;
}

constexpr double mib = 1048576.0;
// What is added to a product is one more operation for each element of the result there; here it is the first term of
// the sum, as PyTorch's counter has it. A depth of 512 makes that 0.098 %.
constexpr double tolerance = 0.001;

}  // namespace

TEST_CASE("operators take the operations and bytes that TraceLens finds in the same traces", "[shared][work]") {
  const std::string device = GENERATE("h100", "mi300");
  for (const auto& [trace, rows] : tables) {
    const Facts facts = load_facts(shared_trace("tracelens/traces/" + device + "/" + trace));
    for (const Counted& row : rows) {
      CAPTURE(device, trace, row.name, row.shapes);
      const Calls calls = calls_of(facts, row.name, row.shapes);
      // Recorded on an MI300X, attention is the same operator; how often each runs is the model's.
      CHECK(calls.count == row.calls);
      if (row.gflop > 0) CHECK(std::abs(calls.flops / (row.gflop * 1e9) - 1) < tolerance);
      CHECK(std::abs(calls.bytes / (row.mib * mib) - 1) < tolerance);
    }
  }
}

TEST_CASE("causal attention has the pairs below its diagonal", "[shared][work]") {
  const Facts facts = load_facts(shared_trace("tracelens/traces/h100/" + qwen));
  const Calls calls = calls_of(facts, "aten::_scaled_dot_product_flash_attention",
                               "[[16,16,559,64],[16,16,559,64],[16,16,559,64],[],[],[],[]]");
  // TraceLens takes half of all pairs: 10.239 GFLOP. Of 559 x 559 the diagonal and what is below it are
  // 559 x 560 / 2, one part in 559 more: each query sees itself.
  CHECK(calls.flops == 4.0 * 64 * 16 * 16 * (559.0 * 560 / 2));
  CHECK(std::abs(calls.flops / 10.239377408e9 - 560.0 / 559) < 1e-9);
}

TEST_CASE("norms read and write what they have", "[shared][work]") {
  const Facts facts =
      load_facts(shared_trace("tracelens/traces/perf_model/normalization/normalization_layer_test.json.gz"));
  const auto bytes = [&](const std::string& name, const std::string& shapes) {
    return calls_of(facts, name, shapes).bytes;
  };
  // 1.00037 MB in TraceLens's table. It counts running statistics also where there are none, which is 0.02 % here.
  for (const auto& [name, shapes] : {std::pair{"aten::batch_norm", "[[8,16,32,32],[16],[16],[16],[16],[],[],[],[]]"},
                                     {"aten::native_group_norm", "[[8,16,32,32],[16],[16],[],[],[],[],[]]"}}) {
    CAPTURE(name);
    CHECK(std::abs(bytes(name, shapes) / (1.0003662109375 * mib) - 1) < tolerance);
  }
  // 1.375 MB there: two more tensors as large as the weight, for running statistics that a layer norm does not have.
  // Input, weight, bias and result are 1.125 MB.
  CHECK(bytes("aten::native_layer_norm", "[[8,16,32,32],[],[16,32,32],[16,32,32],[]]") == 1.125 * mib);
  // 1.75 MB there, with the bias, which no gradient needs; without the mean and deviation of each of the 8 rows.
  CHECK(bytes("aten::native_layer_norm_backward",
              "[[8,16,32,32],[8,16,32,32],[],[8,1,1,1],[8,1,1,1],[16,32,32],[16,32,32],[]]") ==
        (1.75 - 0.0625) * mib + 2 * 8 * 4);
}

TEST_CASE("layer norms of models have no running statistics", "[shared][work]") {
  const std::string device = GENERATE("h100", "mi300");
  const auto [trace, shapes, mib_there, rows, width, calls] =
      GENERATE(table<std::string, std::string, double, int, int, int>({
          {bert, "[[1,141,512],[],[512],[512],[]]", 0.28125, 141, 512, 10},
          {vit, "[[4,197,768],[],[768],[768],[]]", 2.3173828125, 4 * 197, 768, 25},
      }));
  CAPTURE(device, trace);
  const Facts facts = load_facts(shared_trace("tracelens/traces/" + device + "/" + trace));
  const Calls norm = calls_of(facts, "aten::native_layer_norm", shapes);
  CHECK(norm.count == calls);
  // Input and result, weight and bias, of 2 bytes a value. There a mean and a variance of 4 bytes for each channel,
  // too.
  CHECK(norm.bytes == 2.0 * (2 * rows * width + 2 * width));
  CHECK(norm.bytes + 2.0 * 4 * width == mib_there * mib);
}

TEST_CASE("a server's decoding has the products that its trace holds as operators", "[shared][work]") {
  const Facts facts = load_facts(shared_trace("tracelens/traces/inference/vllm_decode_full/graph_execution.json.gz"));
  const Calls head = calls_of(facts, "aten::mm", "[[32,2880],[2880,201088]]");
  CHECK(head.count == 1);
  CHECK(std::abs(head.flops / 37.06454016e9 - 1) < tolerance);
  CHECK(std::abs(head.bytes / (1117.05859375 * mib) - 1) < tolerance);
  // Other rows of that table are of a second recording, made while the graph was captured, which nobody has here:
  // kernels of a replayed graph have no operators.
  CHECK(real_of(facts, "count(ops where name == \"aten::addmm\")") == 0);
}

TEST_CASE("ResNet-50 has the operations of the literature, forward and backward", "[shared][work]") {
  const Facts facts = load_facts(
      shared_trace("kineto/tb_plugin/samples/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz"));
  // Six steps of 32 images, 53 convolutions each. By the literature a forward pass at 224 x 224 takes 4.09 GFLOP an
  // image in multiply-adds (He et al. 2016, table 1: 3.8 without projections; torchvision's documentation: 4.09), twice
  // as many operations; the gradient of the weights takes as much, and that of the input, but for the first layer
  // (0.236 GFLOP), which nobody asks for. Traces of 2021 have no strides: forward operators have the sizes of their
  // gradients.
  const FactStore& store = *facts.loaded().runs.at(0).store;
  const auto gflop_per_image = [&](std::string_view name, int calls) {
    double flops = 0;
    for (std::size_t op = 0; op < store.rows(table("ops")); ++op) {
      if (store.text(column("ops.name"), op) != name) continue;
      --calls;
      flops += store.real(column("ops.flops"), op);
    }
    CAPTURE(name);
    CHECK(calls == 0);
    return flops / 6 / 32 / 1e9;
  };
  constexpr double forward = 2 * 4.09, first_layer = 0.236;
  CHECK(gflop_per_image("aten::cudnn_convolution", 6 * 53) == Approx(forward).epsilon(0.05));
  CHECK(gflop_per_image("aten::cudnn_convolution_backward_weight", 6 * 53) == Approx(forward).epsilon(0.05));
  CHECK(gflop_per_image("aten::cudnn_convolution_backward_input", 6 * 52) ==
        Approx(forward - first_layer).epsilon(0.05));
  const std::vector<WorkEntry> work = summarise_work(store);
  REQUIRE(work.size() == 1);
  CHECK(work[0].flops / 6 / 32 / 1e9 == Approx(3 * forward - first_layer).epsilon(0.05));
  CHECK(work[0].known_share > 0.99);
}

TEST_CASE("utilization of a forward pass follows from its operators", "[shared][work]") {
  const Facts facts = load_facts(shared_trace("tracelens/traces/h100/" + qwen));
  // Qwen1.5-0.5B has 464 M parameters, of which 156 M are the embedding; the others are in 24 layers. A forward pass
  // takes two operations for each of them and each token (Kaplan et al. 2020, table 1), and attention.
  const double tokens = 16.0 * 559;
  const double layers = 24.0 * (4.0 * 1024 * 1024 + 3.0 * 1024 * 2816);
  const double attention = 24.0 * 4 * 64 * 16 * 16 * (559.0 * 560 / 2);
  const double operations = real_of(facts, "sum(outermost(ops where flops is known), flops)");
  CHECK(std::abs(operations / (2 * layers * tokens + attention) - 1) < 0.05);
  const double peak = real_of(facts, "max(devices, peak_bf16)");
  CHECK(peak == 989.4e12);
}

TEST_CASE("BERT takes two operations for each parameter and token forward", "[shared][work]") {
  const Facts facts = load_facts(shared_trace("tracelens/traces/h100/" + bert));
  // BERT-small: 4 layers of width 512 with inner width 2048, and the head over 30,522 words; embeddings are looked up.
  // Kaplan et al. 2020, table 1: 2 N for each token of a forward pass, 6 N of a training step, and attention.
  const double tokens = 141;
  const double layers = 4 * (4.0 * 512 * 512 + 2.0 * 512 * 2048);
  const double head = 512.0 * 512 + 512.0 * 30522;
  const double attention = 4 * 4.0 * 64 * 8 * tokens * tokens;
  const double operations = real_of(facts, "sum(outermost(ops where flops is known), flops)");
  CHECK(operations / (2 * (layers + head) * tokens + attention) == Approx(1).epsilon(0.05));
}

TEST_CASE("the utilization of a step is a query, and that of the report where one step is all", "[shared][work]") {
  const Facts facts = load_facts(shared_trace("tracelens/traces/h100/" + qwen));
  const std::vector<WorkEntry> work = summarise_work(*facts.loaded().runs.at(0).store);
  REQUIRE(work.size() == 1);
  REQUIRE(work[0].peak_share);
  const double share = real_of(facts,
                               "max(ops where at_peak is known group by (step = step) select (share = sum(at_peak) / "
                               "max(step.dur)), share)");
  CHECK(share == Approx(*work[0].peak_share).epsilon(0.01));
  CHECK(real_of(facts, "max(steps, hfu)") == Approx(*work[0].peak_share).epsilon(0.01));
  CHECK(real_of(facts, "max(devices, hfu)") == Approx(*work[0].peak_share).epsilon(1e-9));
}

TEST_CASE("tiles that hipBLASLt names are those that were launched, rows are aligned as their strides are",
          "[shared][work]") {
  const Facts facts = load_facts(shared_trace("tracelens/traces/mi300/" + qwen));
  // 8944 rows in tiles of 128 (or 224) rows are 70 (or 40) tiles, whose last is 112 (or 208) rows full.
  CHECK(real_of(facts, "count(kernels where class == \"gemm\" and tile_loss is known)") == 169);
  CHECK(real_of(facts, "max(kernels where tile_loss is known, tile_loss)") == Approx(1 - 8944.0 / 8960));
  CHECK(real_of(facts, "min(kernels where alignment is known and op.name != \"aten::bmm\", alignment)") == 128);
}

TEST_CASE("efficiencies of real kernels are between nothing and what devices can be above their peak",
          "[shared][work]") {
  const std::string device = GENERATE("h100", "mi300");
  const Facts facts = load_facts(shared_trace("tracelens/traces/" + device + "/" + qwen));
  CHECK(real_of(facts, "min(kernels where compute_efficiency is known, compute_efficiency)") > 0);
  CHECK(real_of(facts, "max(kernels where compute_efficiency is known, compute_efficiency)") < 1.25);
  CHECK(real_of(facts, "2 * max(kernels where sparse_efficiency is known, sparse_efficiency)") ==
        Approx(real_of(facts, "max(kernels where sparse_efficiency is known, compute_efficiency)")));
  CHECK(real_of(facts, "min(kernels where above_attainable is known, above_attainable)") >= 0);
  CHECK(real_of(facts, "count(ops where flops is known and flops_how != \"shapes\")") == 0);
  CHECK(real_of(facts, "count(ops where flops is known and flops_how is not known)") == 0);
}

TEST_CASE("kernels that a compiler fused have a least time that they do not fall below", "[shared][work]") {
  const Facts facts = load_facts(shared_trace("tracelens/traces/torch_compile_triton/trace.json.gz"));
  // Each of the four touches two or three tensors of 8 x 4096 x 2048 or 8192 elements in bfloat16 at least.
  CHECK(real_of(facts, "count(kernels where name =~ /^triton/ and attainable is known)") == 4);
  CHECK(real_of(facts, "count(kernels where name =~ /^triton/ and attainable > dur)") == 0);
  CHECK(real_of(facts, "count(kernels where name =~ /^triton/ and bytes_moved is known)") == 0);
}
