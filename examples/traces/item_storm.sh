#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes item_storm.json, a PyTorch (Kineto) trace made by hand: a training loop that reads its loss with
# loss.item() after every micro-batch, so the device idles while the host waits: item_storm.sh >item_storm.json
# item_storm.sh 40 makes each wait 40 us long instead of 640: the same program on a healthy node.
# item_storm.sh 640 fixed reads the loss once a step: the program, fixed.
set -euo pipefail
exec awk -v each="${1:-640}" -v fixed="${2:+1}" '
# Deterministic wobble in [0, n) so that the durations look like measured ones.
function wobble(n) { seed = (seed * 16807) % 2147483647; return n * seed / 2147483647 }
function event(category, name, thread, start, duration, args) {
  printf "%s\n{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",%s,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}}",
         separator, category, name, thread, start, duration, args
  separator = ","
}
function host(category, name, start, duration, args) { event(category, name, "\"pid\":4242,\"tid\":4242", start, duration, args) }
function device(category, name, start, duration, args) {
  event(category, name, "\"pid\":0,\"tid\":7", start, duration,
        "\"device\":0,\"stream\":7,\"correlation\":" correlation args)
}
function op(name, start, duration) { host("cpu_op", name, start, duration, "\"External id\":" ++external) }
function call(name, start, duration) {
  host("cuda_runtime", name, start, duration, "\"correlation\":" ++correlation ",\"External id\":" external)
}
function frame(place, start, duration, parent) {
  host("python_function", place, start, duration, "\"Python id\":" ++python ",\"Python parent id\":" parent)
  return python
}
function kernel(name, start, duration, grid, block) {
  device("kernel", name, start, duration, sprintf(",\"grid\":[%d,1,1],\"block\":[%d,1,1]", grid, block))
}
function micro_batch(t, parent, read,    gemm, relu, copied, wait, ready) {
  ready = t + 42 > free ? t + 42 : free + 2
  gemm = 250 + wobble(20); relu = 55 + wobble(6); wait = each + wobble(each * 60 / 640)
  frame("train.py(44): forward", t, 118, parent)
  op("aten::addmm", t + 4, 60)
  call("cudaLaunchKernel", t + 30, 8)
  kernel("ampere_sgemm_128x64_tn", ready, gemm, 864, 128)
  op("aten::relu", t + 72, 32)
  call("cudaLaunchKernel", t + 86, 6)
  kernel("void at::native::vectorized_elementwise_kernel<4, relu>(int)", ready + 2 + gemm, relu, 1024, 128)
  copied = free = ready + 4 + gemm + relu
  if (!read) return t + 124
  frame("train.py(57): log_loss", t + 124, copied + wait + 80 - t - 124, parent)
  op("aten::item", t + 130, copied + wait + 16 - t - 130)
  op("aten::_local_scalar_dense", t + 133, copied + wait + 12 - t - 133)
  call("cudaMemcpyAsync", t + 142, 18)
  device("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", copied, 2, ",\"bytes\":4,\"memory bandwidth (GB/s)\":0.002")
  call("cudaStreamSynchronize", t + 164, copied + wait - t - 164)
  return copied + wait + 90
}
function metadata(name, pid, args) {
  printf "%s\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":0,\"ts\":5000000,\"args\":{%s}}", separator, name, pid, args
  separator = ","
}
BEGIN {
  seed = 1
  printf "{\"schemaVersion\":1,\"displayTimeUnit\":\"ms\",\"baseTimeNanoseconds\":1700000000000000000,\n"
  printf "\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA A100-SXM4-80GB\",\"totalGlobalMem\":85031714816,"
  printf "\"computeMajor\":8,\"computeMinor\":0,\"maxThreadsPerBlock\":1024,\"warpSize\":32,\"numSms\":108}],\n"
  printf "\"traceEvents\":["
  metadata("process_name", 4242, "\"name\":\"python\"")
  metadata("process_name", 0, "\"name\":\"python\"")
  metadata("process_labels", 0, "\"labels\":\"GPU 0\"")
  start = 5000100
  for (step = 10; step < 16; step++) {
    first = start
    train_step = ++python  # its event follows, once its length is known
    for (i = 0; i < 3; i++) start = micro_batch(start + 6, train_step, !fixed || i == 2)
    host("python_function", "train.py(38): train_step", first + 2, start - first - 2,
         "\"Python id\":" train_step ",\"Python parent id\":null")
    host("user_annotation", "ProfilerStep#" step, first, start - first, "")
  }
  printf "\n]}\n"
}'
