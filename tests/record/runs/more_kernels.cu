// SPDX-License-Identifier: Apache-2.0
// Kernels of which each has one limit, or none, for Nsight Compute.
#include <cstdio>

#include <cuda_runtime.h>

constexpr int n = 1 << 24;

__device__ int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

struct Particle {
  float x, y, z, vx, vy, vz, mass, charge, pad[8];
};

// One field of structures of 64 bytes: most of each sector is fetched in vain.
__global__ void structures(const Particle* from, float* to) {
  if (index() < n / 4) to[index()] = from[index()].mass * 2;
}

// 192 KB of shared memory for a block of 128 threads: one block on a multiprocessor.
__global__ void large_shared(const float* from, float* to) {
  extern __shared__ float buffer[];
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    const int at = (index() + k * 1048583) % n;
    buffer[threadIdx.x + k * 128] = from[at];
    sum += sinf(buffer[threadIdx.x + k * 128]);
  }
  to[index()] = sum;
}

// Each load needs the one before.
__global__ void chase(const int* next, int* to) {
  int at = index() * 97 % n;
  for (int k = 0; k < 64; ++k) at = next[at];
  to[index()] = at;
}

// Healthy: a sum that streams from memory.
__global__ void stream_sum(const float4* from, float* to) {
  float sum = 0;
  for (int i = index(); i < n; i += gridDim.x * blockDim.x) {
    const float4 v = from[i];
    sum += v.x + v.y + v.z + v.w;
  }
  for (int lane = 16; lane; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(to, sum);
}

// Columns of a tile of 32 x 32 numbers without padding.
__global__ void transpose_conflicts(const float* from, float* to) {
  __shared__ float tile[32][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y, width = 4096;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = from[(y + j) * width + x];
  __syncthreads();
  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) to[(v + j) * width + u] = tile[threadIdx.x][threadIdx.y + j];
}

// Products in double precision.
__global__ void doubles(const float* from, float* to) {
  double a = from[index() % n], b = a + 1;
  for (int k = 0; k < 1000; ++k) a = a * b + 0.5, b = b * 0.999 + a * 1e-9;
  to[index()] = static_cast<float>(a + b);
}

// A wave of blocks, and one more block of the same length.
__global__ void tail(const float* from, float* to) {
  float a = from[index()];
  for (int k = 0; k < 20000; ++k) a = a * 0.999f + 0.5f;
  to[index()] = a;
}

// Everybody counts in the same few bins of shared memory.
__global__ void histogram(const float* from, int* to) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = index(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[static_cast<int>(from[i] * 3.0f) & 255], 1);
  __syncthreads();
  atomicAdd(to + threadIdx.x, bins[threadIdx.x]);
}

#define CHECK(call) if (const cudaError_t error = (call)) { std::printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); return 1; }

int main() {
  float *from, *to;
  int *next, *counts;
  CHECK(cudaMalloc(&from, sizeof(float4) * n));
  CHECK(cudaMalloc(&to, sizeof(float) * n));
  CHECK(cudaMalloc(&next, sizeof(int) * n));
  CHECK(cudaMalloc(&counts, sizeof(int) * n));
  CHECK(cudaMemset(from, 0, sizeof(float4) * n));
  int* order = new int[n];
  unsigned long long state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    order[i] = static_cast<int>((state >> 33) % n);
  }
  CHECK(cudaMemcpy(next, order, sizeof(int) * n, cudaMemcpyHostToDevice));
  int multiprocessors;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  structures<<<n / 4 / 256, 256>>>(reinterpret_cast<const Particle*>(from), to);
  CHECK(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 192 << 10));
  large_shared<<<n / 16 / 128, 128, 192 << 10>>>(from, to);
  chase<<<multiprocessors * 2, 128>>>(next, counts);
  stream_sum<<<multiprocessors * 8, 256>>>(reinterpret_cast<const float4*>(from), to);
  transpose_conflicts<<<dim3(128, 128), dim3(32, 8)>>>(from, to);
  doubles<<<n / 16 / 256, 256>>>(from, to);
  CHECK(cudaFuncSetAttribute(tail, cudaFuncAttributeMaxDynamicSharedMemorySize, 120 << 10));
  tail<<<multiprocessors + 1, 1024, 120 << 10>>>(from, to);
  histogram<<<multiprocessors * 8, 256>>>(from, counts);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGetLastError());
  return 0;
}
