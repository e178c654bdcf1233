// SPDX-License-Identifier: Apache-2.0
// Writes traces of PyTorch's profiler for the growth shapes.
#pragma once

#include <string>

namespace kdiag::growth {

/// Times in us.
class Trace {
 public:
  void kernel(double start, double dur, const std::string& name = "k", long device = 0, long stream = 7,
              long correlation = 0) {
    event("kernel", name, device, stream, start, dur,
          R"("device":)" + number(device) + R"(,"stream":)" + number(stream) + R"(,"correlation":)" +
              number(correlation));
  }
  void copy(double start, double dur, long correlation) {
    event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 0, 7, start, dur,
          R"("device":0,"stream":7,"bytes":4096,"correlation":)" + number(correlation));
  }
  void call(double start, double dur, long correlation, const std::string& name = "cudaLaunchKernel", long thread = 1) {
    event("cuda_runtime", name, 1, thread, start, dur, R"("correlation":)" + number(correlation));
  }
  void op(double start, double dur, long id, const std::string& name = "aten::mm", long thread = 1) {
    event("cpu_op", name, 1, thread, start, dur, R"("External id":)" + number(id));
  }
  void python(double start, double dur, long id, long parent, const std::string& name) {
    event("python_function", name, 1, 1, start, dur,
          R"("Python id":)" + number(id) + R"(,"Python parent id":)" + number(parent));
  }
  void range(double start, double dur, const std::string& name, long thread = 1) {
    event("user_annotation", name, 1, thread, start, dur, "");
  }
  void step(long index, double start, double dur) { range(start, dur, "ProfilerStep#" + number(index)); }
  /// Any complete event.
  void event(const std::string& category, const std::string& name, long process, long thread, double start, double dur,
             const std::string& arguments) {
    raw(R"("ph":"X","cat":")" + category + R"(","name":")" + name + R"(","pid":)" + number(process) + R"(,"tid":)" +
        number(thread) + R"(,"ts":)" + number(start) + R"(,"dur":)" + number(dur) + R"(,"args":{)" + arguments + "}");
  }
  /// The members of an event as they are.
  void raw(const std::string& members) {
    out_ += out_.empty() ? "{" : ",\n{";
    out_ += members + "}";
  }
  std::string take() {
    return R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA A100"}],"traceEvents":[)" + out_ + "\n]}";
  }

  static std::string number(long value) { return std::to_string(value); }
  static std::string number(double value) {
    std::string text = std::to_string(value);  // six digits after the point
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }

 private:
  std::string out_;
};

}  // namespace kdiag::growth
