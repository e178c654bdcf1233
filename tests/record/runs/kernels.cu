// SPDX-License-Identifier: Apache-2.0
// One healthy kernel and eight with a defect each, which their names say, for Nsight Compute.
#include <cstdio>

#include <cuda_runtime.h>

constexpr int n = 1 << 24;

__device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void copy_good(const float* from, float* to) {
  if (index() < n) to[index()] = from[index()] * 2;
}

__global__ void copy_strided(const float* from, float* to) {
  const long at = (index() * 32L) % n + (index() * 32L) / n;
  if (index() < n) to[at] = from[at] * 2;
}

__global__ void bank_conflicts(const float* from, float* to) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const long at = blockIdx.x * 1024L + y * 32 + x;
  tile[y][x] = from[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[x][(y + k) % 32];
  to[at] = sum;
}

__global__ void few_blocks(const float* from, float* to) {
  float sum = 0;
  for (int i = threadIdx.x; i < n / 8; i += blockDim.x) sum += from[i];
  to[index()] = sum;
}

__global__ void divergent(const float* from, float* to) {
  float value = from[index() % n];
  for (int k = 0; k < index() % 32 * 40; ++k) value = sinf(value) + 1;
  if (index() < n) to[index()] = value;
}

__global__ void compute_fp32(const float* from, float* to) {
  float a = from[index() % n], b = a;
  for (int k = 0; k < 2000; ++k) {
    a = a * 1.0001f + b;
    b = b * 0.9999f + a;
  }
  if (index() < n) to[index()] = a + b;
}

__global__ void compute_fp64(const float* from, float* to) {
  double value = from[index() % n];
  for (int k = 0; k < 200; ++k) value = value * 1.0001 + 0.5;
  if (index() < n) to[index()] = static_cast<float>(value);
}

__global__ void atomics(const float* from, float* to) { atomicAdd(to + (index() & 7), from[index() % n]); }

__global__ void spills(const float* from, float* to) {
  float values[200];
  for (int k = 0; k < 200; ++k) values[k] = from[(index() + k) % n];
  for (int k = 0; k < 200; ++k) values[(k * 7 + index()) % 200] += values[k];
  float sum = 0;
  for (int k = 0; k < 200; ++k) sum += values[k];
  if (index() < n) to[index()] = sum;
}

int main() {
  float *from = nullptr, *to = nullptr;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMemset(from, 1, n * sizeof(float));
  copy_good<<<n / 256, 256>>>(from, to);
  copy_strided<<<n / 256, 256>>>(from, to);
  bank_conflicts<<<n / 1024, dim3(32, 32)>>>(from, to);
  few_blocks<<<4, 256>>>(from, to);
  divergent<<<n / 1024, 256>>>(from, to);
  compute_fp32<<<n / 1024, 256>>>(from, to);
  compute_fp64<<<n / 1024, 256>>>(from, to);
  atomics<<<n / 1024, 256>>>(from, to);
  spills<<<n / 4096, 256>>>(from, to);
  cudaDeviceSynchronize();
  const cudaError_t error = cudaGetLastError();
  std::puts(cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
