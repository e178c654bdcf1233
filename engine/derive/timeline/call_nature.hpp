// SPDX-License-Identifier: Apache-2.0
// What a runtime call does to the host, as far as its name tells.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

enum class CallNature : std::uint8_t {
  allocation,     ///< allocates, releases or registers memory
  compile,        ///< compiles or links code
  load,           ///< loads code that was compiled before
  copy,           ///< copies
  fill,           ///< sets memory to a value
  begin_capture,  ///< from here on the thread's launches are recorded into a graph
  end_capture,
  combined,  ///< plans and launches an operator in one call (aclnn of Ascend)
  ask,       ///< only asks or marks something
  other,
};

/// Of calls of CUDA, HIP, CNRT, ACL and alike: cudaMalloc, hipFree, cnrtHostMalloc, aclrtMallocHost, cuModuleLoadData,
/// nvrtcCompileProgram, aclopCompile, hipMemcpyAsync, cudaStreamBeginCapture, ... Each name is looked at once.
class CallNatures {
 public:
  explicit CallNatures(const FactStore& store) : store_(store), known_(store.strings.size(), unseen) {}

  /// `call` is a row of `api`; `other` where it has no name.
  CallNature of(std::uint32_t call);

 private:
  static constexpr std::uint8_t unseen = 0xFF;

  const FactStore& store_;
  std::vector<std::uint8_t> known_;  ///< by string id
};

}  // namespace kdiag
