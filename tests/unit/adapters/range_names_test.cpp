// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/range_names.hpp"

#include <string>

#include "adapters/names/torch_ops.hpp"
#include "tests/catch.hpp"

using namespace kdiag::adapters;

TEST_CASE("names that count iterations are steps", "[adapters][names]") {
  const auto number = [](std::string_view name) {
    const auto step = parse_step_name(name);
    return step ? step->number : -1;
  };
  CHECK(number("iter 12") == 12);
  CHECK(number("step_3") == 3);
  CHECK(number("ProfilerStep#7") == 7);
  CHECK(number("Iteration 0005") == 5);
  CHECK(number("iteration10") == 10);
  CHECK(number("batch[4]") == 4);
  CHECK(number("train step: 9 ") == 9);
  CHECK(parse_step_name("train_iter_8")->family == "train_iter_");
  for (std::string_view other : {"epoch 1", "step", "7", "", "Optimizer.step#SGD 1", "layer 3", "batch_size 32",
                                 "step 99999999999999999999", "iter 1.5"}) {
    CAPTURE(other);
    CHECK(number(other) == -1);
  }
}

TEST_CASE("names of ranges say what kind they are", "[adapters][names]") {
  for (std::string_view name : {"enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "Data loading",
                                "load_data", "[pl]_EvaluationLoop.val_dataloader_next", "LoadBatch 3", "trainLoadData",
                                "my load data", "load_dataset", "Loading data", "reloadable: load batch", "LOAD_DATA"})
    CHECK(range_kind(name) == "data_loading");
  for (std::string_view name : {"nccl:all_reduce", "NCCL:ncclAllReduce", "gloo:broadcast"})
    CHECK(range_kind(name) == "communication");
  for (std::string_view name : {"forward", "load checkpoint", "data", "reload", "ncclAllReduce", "reload_database",
                                "upload data", "load_database", "download batch 3", "l"})
    CHECK(range_kind(name) == "user");
}

TEST_CASE("PyTorch's marks are operators", "[adapters][names]") {
  using kdiag::adapters::parse_torch_op;
  const auto op = parse_torch_op("aten::addmm, seq = 12, op_id = 7, sizes = [[2, 3], [3, 4]], input_op_ids = [(5,0)]");
  REQUIRE(op);
  CHECK(op->name == "aten::addmm");
  CHECK(op->shapes == "[[2, 3], [3, 4]]");
  CHECK(parse_torch_op("aten::item")->name == "aten::item");
  CHECK(parse_torch_op("aten::relu, sizes = [[8]]")->shapes == "[[8]]");
  CHECK(parse_torch_op("AddmmBackward0, seq = 5")->name == "AddmmBackward0");
  CHECK_FALSE(parse_torch_op("forward, first layer"));
  CHECK_FALSE(parse_torch_op(""));
}
