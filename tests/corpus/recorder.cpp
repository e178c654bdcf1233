// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/recorder.hpp"

#include <cmath>

#include "tests/corpus/kineto_writer.hpp"
#include "tests/corpus/nsys_writer.hpp"

namespace kdiag::corpus {

std::int64_t Clock::operator()(std::int64_t time) const {
  return time + offset + std::llround(static_cast<double>(time) * drift);
}

std::unique_ptr<Recorder> make_recorder(const Recording& recording) {
  if (recording.tool == Tool::nsys) return std::make_unique<NsysWriter>(recording);
  return std::make_unique<KinetoWriter>(recording);
}

}  // namespace kdiag::corpus
