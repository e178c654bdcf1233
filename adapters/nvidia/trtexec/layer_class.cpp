// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/trtexec/layer_class.hpp"

#include <cstddef>
#include <string>

namespace kdiag::adapters::trtexec {
namespace {

struct Sign {
  std::string_view text, kind;
};
// The first that the names of the nodes hold: convolutions and products are fused with what stands behind them. A
// foreign node is a part of the model that another compiler made, of whatever nodes.
constexpr Sign signs[] = {
    {"ForeignNode", "other"},
    {"Conv", "conv"},
    {"conv", "conv"},
    {"Convolution", "conv"},
    {"convolution", "conv"},
    {"MatMul", "gemm"},
    {"Gemm", "gemm"},
    {"FullyConnected", "gemm"},
    {"Attention", "attention"},
    {"mha", "attention"},
    {"Softmax", "norm"},
    {"Norm", "norm"},
    {"Normalization", "norm"},
    {"Pool", "reduce"},
    {"Reduce", "reduce"},
    {"QuantizeLinear", "elementwise"},
    {"DequantizeLinear", "elementwise"},
    {"PWN", "elementwise"},
    {"Relu", "elementwise"},
    {"ElementWise", "elementwise"},
};

/// Whether a name holds a word, which no small letter goes on: "Conv_9", "convTranspose", but not "convert".
bool holds(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1)) {
    const std::size_t next = at + word.size();
    if (next >= name.size() || name[next] < 'a' || name[next] > 'z') return true;
  }
  return false;
}

/// The name with the last part of each path in it: "Conv + PWN(Sigmoid)" of "/stem/conv/Conv + PWN(/stem/act/Sigmoid)".
/// The modules before it may be called after any work.
std::string without_modules(std::string_view name) {
  constexpr std::string_view separators = " +,()[]{}";
  std::string out;
  std::size_t begin = 0;  // of the path that is being read
  for (const char c : name) {
    if (c == '/') {
      out.resize(begin);
      continue;
    }
    out.push_back(c);
    if (separators.find(c) != separators.npos) begin = out.size();
  }
  return out;
}

}  // namespace

std::string_view layer_class(std::string_view name) {
  if (name.ends_with(" copy") || name.starts_with("Reformatting CopyNode")) return "copy";
  const std::string nodes = without_modules(name);
  for (const Sign& sign : signs)
    if (holds(nodes, sign.text)) return sign.kind;
  return "other";
}

}  // namespace kdiag::adapters::trtexec
