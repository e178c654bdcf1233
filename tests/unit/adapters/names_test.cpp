// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include "adapters/names/api_names.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/names/work_names.hpp"
#include "adapters/rows/python_frames.hpp"
#include "base/names/function_name.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using namespace kdiag::adapters;

TEST_CASE("call names lose what profilers and toolkits append", "[adapters][names]") {
  CHECK(base_call_name("cudaLaunchKernel_v7000") == "cudaLaunchKernel");
  CHECK(base_call_name("cudaMemcpyAsync_ptsz") == "cudaMemcpyAsync");
  CHECK(base_call_name("cudaLaunchKernel_v7000_ptsz") == "cudaLaunchKernel");
  CHECK(base_call_name("cuMemcpyHtoD_v2") == "cuMemcpyHtoD_v2");
  CHECK(base_call_name("_v7000").empty());
}

TEST_CASE("calls of the runtime are told from other names", "[adapters][names]") {
  for (const char* name : {"cudaLaunchKernel", "cuMemcpyHtoD_v2", "hipDeviceSynchronize", "cuCtxSynchronize"}) {
    CAPTURE(name);
    CHECK(is_runtime_call(name));
  }
  for (const char* name : {"cuBLAS", "cuDNN", "cudaGraph replay", "current", "hip", "cudaX", "hipsterNames", ""}) {
    CAPTURE(name);
    CHECK_FALSE(is_runtime_call(name));
  }
}

TEST_CASE("kernels and transfers are told from operators, calls and functions of a program", "[adapters][names]") {
  for (const char* name :
       {"void at::native::vectorized_elementwise_kernel<4, float>(int, float)", "ampere_sgemm_128x64_nn",
        "Cijk_Ailk_Bljk_BBS_BH_MT256x128x64", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclArgs)"}) {
    CAPTURE(name);
    CHECK(names_kernel(name));
    CHECK_FALSE(names_transfer(name));
  }
  for (const char* name : {"[MEMCPY] HtoD", "Memcpy DtoH (Device -> Pageable)", "CopyHostToDevice", "[CUDA memset]"}) {
    CAPTURE(name);
    CHECK(names_transfer(name));
    CHECK_FALSE(names_kernel(name));
  }
  for (const char* name : {"MatMul", "aten::copy_", "cudaMemcpyAsync", "cuMemcpyHtoD_v2", "hipMemsetAsync", "forward",
                           "void render::draw<int>(int)", "copy files"}) {
    CAPTURE(name);
    CHECK_FALSE(names_kernel(name));
    CHECK_FALSE(names_transfer(name));
  }
}

TEST_CASE("calls that put work on a device are known by name", "[adapters][names]") {
  for (const char* name :
       {"cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernelEx", "cudaGraphLaunch", "hipExtModuleLaunchKernel",
        "cnInvokeKernel", "cudaMemcpyAsync", "hipMemcpyWithStream", "cudaMemset", "cuMemsetD32Async",
        "urEnqueueKernelLaunch", "cudaMemPrefetchAsync", "hsa_amd_memory_async_copy"}) {
    CAPTURE(name);
    CHECK(is_launch_call(name));
  }
  for (const char* name : {"cudaMalloc", "cudaFree", "cudaStreamSynchronize", "cudaEventRecord", "cudaLaunchHostFunc",
                           "cudaStreamIsCapturing", "cudaMemGetInfo"}) {
    CAPTURE(name);
    CHECK_FALSE(is_launch_call(name));
  }
}

TEST_CASE("calls that block the host are known by name", "[adapters][names]") {
  for (const char* name :
       {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cuCtxSynchronize",
        "hipDeviceSynchronize", "cnrtQueueSync", "cnrtSyncDevice", "aclrtSynchronizeStream", "cudaMemcpy",
        "cuMemcpyDtoH_v2", "hipMemcpyWithStream", "aclrtMemcpy", "cudaMemcpy2D", "zeEventHostSynchronize",
        "cnrtNotifierWait", "BlockHostUntilReady", "hsa_signal_wait_scacquire"}) {
    CAPTURE(name);
    CHECK(is_blocking_call(name));
  }
  for (const char* name : {"cudaMemcpyAsync", "cudaEventQuery", "cudaStreamQuery", "cudaStreamWaitEvent",
                           "cudaStreamIsCapturing", "cudaMalloc", "cudaFree", "cudaLaunchKernel", "cudaMemset",
                           "zeCommandListAppendMemoryCopy", "cnrtQueueWaitNotifier"}) {
    CAPTURE(name);
    CHECK_FALSE(is_blocking_call(name));
  }
}

TEST_CASE("a kernel's class is guessed from its function's name", "[adapters][names]") {
  const std::string_view name_and_class[][2] = {
      {"ampere_fp16_s16816gemm_fp16_128x128_ldg8_relu_f2f_stages_32x5_tn", "gemm"},
      {"Cijk_Alik_Bljk_BBS_BH_MT256x192x64_MI16x16x1_SN", "gemm"},
      {"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm>(Params)", "gemm"},
      {"Kernel", "gemm"},
      {"kernel(float*, unsigned long)", "other"},
      {"void kernel(float *)", "other"},
      {"kernel2(float *)", "other"},
      {"void Kernel2(float *)", "other"},
      {"trans_TransData_0", "copy"},
      {"aclnnForeachAddListV2_ForeachAddList_ForeachAddList", "optimizer"},
      {"void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<Copy>>>(Params)", "attention"},
      {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits>(Params)", "attention"},
      {"fmha_cutlassF_f32_aligned_64x64_rf_sm80(Params)", "attention"},
      {"void cutlass_cudnn_infer::Kernel<cutlass_tensorop_f16_s16816fprop>(Params)", "conv"},
      {"volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1", "conv"},
      {"sm80_xmma_wgrad_implicit_gemm_indexed_f16f16", "conv"},
      {"void implicit_convolve_sgemm<float, float>(int)", "conv"},
      {"void cudnn::ops::nchwToNhwcKernel<__half>(Params)", "copy"},
      {"void cudnn::ops::convertTensor_kernel<float>(float)", "copy"},
      {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>(float*)", "copy"},
      {"void at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)>(int)",
       "copy"},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)", "memset"},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)", "elementwise"},
      {"triton_poi_fused_add_0", "elementwise"},
      {"cupy_sqrt__float32_float32", "elementwise"},
      {"cupy_copy__float32_float64", "copy"},
      {"cupy_sum", "other"},
      {"triton_red_fused_mean_1", "reduce"},
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, MeanOps>>(ReduceOp)", "reduce"},
      {"softmax_warp_forward", "reduce"},
      {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float>(int)", "norm"},
      {"void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>(Params)", "norm"},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<2>>(Meta)", "optimizer"},
      {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", "communication"},
      {"void vllm::cross_device_reduce_1stage<__half, 8>(RankData*)", "communication"},
      {"indexSelectLargeIndex", "other"},
      {"", "other"},
      // parts of other words
      {"void cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::NumericArrayConverter<float>>>(Params)", "gemm"},
      {"void fbgemm_gpu::(anonymous namespace)::_compute_FP8_quantize_cuda_kernel<float>(float const*)", "elementwise"},
      {"void fbgemm_gpu::_offsets_range_cuda_kernel<int>(long, long)", "other"},
      {"ampere_igemm_int8_128x128_ldg4_nn", "gemm"},
      // convolutions and what cuDNN and MIOpen put around them
      {"igemm_wrw_gtcx2_nhwc_bf16_bx0_ex1_bt256x128x16", "conv"},
      {"void fft2d_r2c_32x32<float, false, 5u, true>(float2*, float const*)", "conv"},
      {"void cudnn::cnn::im2col4d_kernel<float, long>(cudnn::cnn::im2col4d_params)", "conv"},
      {"cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)", "conv"},
      {"cask_cudnn::computeBOffsetsKernel(cask_cudnn::ComputeBOffsetsParams)", "conv"},
      {"void cutlass__5x_cudnn::Kernel<cutlass_tensorop_bf16_s16816fprop_optimized_bf16_256x64_32x4>(Params)", "conv"},
      {"_ZN17cutlass__5x_cudnn6KernelI66cutlass_tensorop_s16...", "conv"},
      {"_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS_9transform10PermuteRowEEEE",
       "conv"},
      // what a return type and a mangled name hide
      {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __half>(Params)", "gemm"},
      {"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePassIfEEEEEEvDpT1_", "norm"},
      {"_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16EEvPS3_PS4_i", "elementwise"},
      {"void at::native::<unnamed>::vectorized_layer_norm_kernel<float>(int)", "norm"},
      // poolings, gradients, norms
      {"void at::native::(anonymous namespace)::adaptive_average_pool<float>(float const*)", "other"},
      {"aclnnAdaptiveAvgPool2dBackward_AdaptiveAvgPool3dGradAiCore_AdaptiveAvgPool3dGrad", "other"},
      {"AdaptiveAvgPool3dGrad", "other"},
      {"MaxPoolGradWithArgmaxV14", "other"},
      {"void at::native::(anonymous namespace)::ComputeFusedParamsCUDAKernel<float>(long)", "norm"},
      // CANN: the operator is the last word, in graphs with a number
      {"aclnnAdaptiveAvgPool2d_TransposeAiCore_Transpose", "copy"},
      {"aclnnReduceSum_CastAiCore_Cast", "elementwise"},
      {"aclnnMuls_MulAiCore_Mul", "elementwise"},
      {"aclnnSigmoidBackward_SigmoidGradAiCore_SigmoidGrad", "elementwise"},
      {"trans_Cast_5", "elementwise"},
      {"trans_TransData_27_MemSet", "memset"},
      {"RealDiv139", "elementwise"},
      {"ZerosLike46", "memset"},
      {"aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore_varlen", "attention"},
      {"add(int, float *, float *)", "other"},
      // cnnl
      {"void MLUUnionXKernelGepdot<float, float, float, float, float, float>(void*, void*)", "gemm"},
      {"void MLUUnion1KernelGepp<float, float, float, float>(void*, void*)", "gemm"},
      {"MLUUnion1ConvForwardGeppAnt_float_float_float_float(void const*)", "conv"},
      {"void MLUBlockKernel3StagePipelineTransformFast<float, float, float, float>(char*)", "elementwise"},
      {"MLUUnion1KernelCopy(void*, void*, unsigned long, int)", "copy"},
      {"void concatHigh<ConcatInfo16>(ConcatInfo16, char*, unsigned int, unsigned int)", "copy"},
      // caches of attention
      {"void vllm::reshape_and_cache_flash_kernel<__hip_bfloat16, __hip_bfloat16>(__hip_bfloat16 const*)", "copy"},
      {"void at::native::vectorized_elementwise_kernel<4, "
       "at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)>",
       "copy"},
  };
  KernelClasses remembered;
  for (const auto& [name, kind] : name_and_class) {
    CAPTURE(name);
    CHECK(kernel_class(name) == kind);
    CHECK(remembered(name) == kind);
    CHECK(remembered(name) == kind);
  }
}

TEST_CASE("a kernel's function is named without types and arguments", "[adapters][names]") {
  CHECK(function_name("void at::native::(anonymous namespace)::fill<float, (int)4>(float*)") == "at::native::::fill");
  CHECK(function_name("std::enable_if<true, void>::type internal::gemvx::kernel<int>(int)") ==
        "internal::gemvx::kernel");
  CHECK(function_name("foo<int> (int)") == "foo");
  CHECK(function_name("foo<int> [clone .kd]") == "foo [clone .kd]");
  CHECK(function_name("two words") == "two words");
  CHECK(function_name("_ZN5aiter24add_rmsnorm_quant_kernelIDF16bLi256EEEvPT0_") == "aiter::add_rmsnorm_quant_kernel");
  CHECK(function_name("_Z10vector_addPfS_S_i") == "vector_add");
  CHECK(function_name("_ZN999999999999999999999999f") == "_ZN999999999999999999999999f");
  CHECK(function_name("_ZN9shortName") == "shortName");
  CHECK(base_function_name("void at::native::elementwise<float>(int)") == "elementwise");
  CHECK(base_function_name("gemm") == "gemm");
  CHECK(function_name("_ZN90short") == "_ZN90short");
  CHECK(function_name("a>b<c").size() == 3);
  CHECK(function_name("").empty());
}

TEST_CASE("names of kernels as a person says them", "[adapters][names]") {
  CHECK(spoken_name("void cutlass::Kernel2<cutlass_75_tensorop_s1688gemm_nn_align1>(Params)") ==
        "cutlass_75_tensorop_s1688gemm_nn_align1");
  CHECK(
      spoken_name("void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<Main<1, 2>, Rest> > >(P)") ==
      "flash::FlashAttnFwdSm90");
  CHECK(spoken_name("void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, "
                    "at::native::binary_internal::MulFunctor<float> >, std::array<char*, 2ul> >(int)") ==
        "vectorized_elementwise_kernel<MulFunctor>");
  CHECK(spoken_name("void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda("
                    "at::TensorIteratorBase&)::{lambda()#3}, std::array<char*, 2ul> >(int)") ==
        "unrolled_elementwise_kernel<direct_copy_kernel_cuda>");
  CHECK(spoken_name("void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl<at::native::(anonymous "
                    "namespace)::threshold_kernel_impl<float>(at::TensorIteratorBase&, float)::{lambda(float)#1}>("
                    "at::TensorIteratorBase&)::{lambda(int)#1}>(int)") == "elementwise_kernel<threshold_kernel_impl>");
  CHECK(spoken_name("void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 2>(float*)") ==
        "at::native::CatArrayBatchedCopy");
  CHECK(spoken_name("void (anonymous namespace)::softmax_warp_forward<float, float>(float*)") ==
        "softmax_warp_forward");
  CHECK(spoken_name("void cutlass::Kernel2<") == "cutlass::Kernel2");
  CHECK(spoken_name(
            "void Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<scatter_loop(Kokkos::View<"
            "int**>)::{lambda(int)#1}, Kokkos::RangePolicy<Kokkos::HIP> > >(int)") == "scatter_loop");
  CHECK(
      spoken_name("void Kokkos::Impl::cuda_parallel_launch_constant_memory<Kokkos::Impl::ParallelReduce<Kokkos::Impl::"
                  "ViewFill<Kokkos::View<int**>, int>, P> >(int)") == "Kokkos::Impl::ViewFill");
  CHECK(spoken_name(
            "void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::ParallelForAgent<thrust::"
            "cuda_cub::__fill::functor<thrust::device_ptr<int>, int>, long>, int>(int)") ==
        "thrust::cuda_cub::__fill::functor");
  // Neither types of data nor lambdas are names.
  CHECK(
      spoken_name(
          "void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__reduce::ReduceAgent<double*, double*, int>, "
          "double*>(int)") == "thrust::cuda_cub::__reduce::ReduceAgent");
  CHECK(spoken_name(
            "void Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<main::{lambda(int)#1}, P> "
            ">(int)") == "Kokkos::Impl::hip_parallel_launch_local_memory");
  CHECK(spoken_name("void Kokkos::Impl::hip_parallel_launch_local_memory<Kokkos::Impl::ParallelFor<int, P> >(int)") ==
        "Kokkos::Impl::hip_parallel_launch_local_memory");
  CHECK(spoken_name("void Kokkos::Impl::hip_parallel_launch_local_memory<") ==
        "Kokkos::Impl::hip_parallel_launch_local_memory");
  CHECK(spoken_name("void at::native::reduce_kernel<512, 1") == "at::native::reduce_kernel");
  CHECK(spoken_name("nvjet_sm90_tst_64x8") == "nvjet_sm90_tst_64x8");
  // Hostile depth: neither deep recursion nor a square of the whole.
  std::string nested = "void cutlass::Kernel2<";
  for (int i = 0; i < 20000; ++i) nested += "cutlass::Kernel2<";
  CHECK(spoken_name(nested).size() < nested.size());
  std::string scopes;
  for (int i = 0; i < 100000; ++i) scopes += "(anonymous namespace)::";
  CHECK(spoken_name(scopes + "f") == "f");
}

TEST_CASE("collectives have one name whoever states them", "[adapters][names]") {
  CHECK(collective_name("allreduce") == "all_reduce");
  CHECK(collective_name("_allgather_base") == "all_gather");
  CHECK(collective_name("_reduce_scatter_base") == "reduce_scatter");
  CHECK(collective_name("all_to_allv") == "all_to_all");
  CHECK(collective_name("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t") == "send_recv");
  CHECK(collective_name("send") == "send");
  CHECK(collective_name("barrier") == "barrier");
  CHECK(collective_name("Something_New") == "something_new");
  CHECK_FALSE(collective_name("ncclDevKernel_Generic_4").has_value());
  CHECK_FALSE(collective_name("ncclDevKernelDebug_Generic").has_value());
  CHECK_FALSE(collective_name("cncl::d2d_tnc").has_value());
  CHECK_FALSE(collective_name("wait").has_value());
  CHECK_FALSE(collective_name("").has_value());
}

TEST_CASE("collective kernels state algorithm and protocol", "[adapters][names]") {
  CHECK(collective_algorithm("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)") == "RING LL");
  CHECK(collective_algorithm("ncclDevKernel_ReduceScatter_Sum_bf16_NVLS_SIMPLE(ncclDevKernelArgsStorage<4096ul>)") ==
        "NVLS SIMPLE");
  CHECK(collective_algorithm("cross_device_reduce_1stage").empty());
}

TEST_CASE("element types have sizes", "[adapters][names]") {
  CHECK(element_bytes("Float") == 4);
  CHECK(element_bytes("BFloat16") == 2);
  CHECK(element_bytes("ncclInt64") == 8);
  CHECK(element_bytes("Float8_e4m3fn") == 1);
  CHECK_FALSE(element_bytes("Mystery").has_value());
}

TEST_CASE("copy names tell direction and memory", "[adapters][names]") {
  const auto check = [](std::string_view name, std::string_view kind, std::string_view src, std::string_view dst) {
    CAPTURE(name);
    const CopyName copy = parse_copy_name(name);
    CHECK(copy.kind == kind);
    CHECK(copy.src == src);
    CHECK(copy.dst == dst);
  };
  check("Memcpy HtoD (Pageable -> Device)", "h2d", "pageable", "device");
  check("Memcpy DtoH (Device -> Pinned)", "d2h", "device", "pinned");
  check("Memcpy HtoD (Host -> Device)", "h2d", "unknown", "device");
  check("Memcpy DtoD", "d2d", "device", "device");
  check("Memcpy HtoD", "h2d", "", "device");
  check("Memcpy PtoP (Device -> Device)", "p2p", "device", "device");
  check("Memcpy M2D", "h2d", "", "device");
  check("MEMORY_COPY_HOST_TO_DEVICE", "h2d", "", "device");
  check("MEMORY_COPY_DEVICE_TO_HOST", "d2h", "device", "");
  check("Memcpy (HtoD)", "h2d", "", "device");
  check("Memcpy (DtoH)", "d2h", "device", "");
  check("Memcpy", "", "", "");
}

TEST_CASE("makers of devices are known by model and by call", "[adapters][names]") {
  CHECK(maker_of_model("NVIDIA A100-SXM4-80GB").vendor == "nvidia");
  CHECK(maker_of_model("Tesla V100-DGXS-32GB").kind == "GPU");
  CHECK(maker_of_model("AMD Radeon Graphics").vendor == "amd");
  CHECK(maker_of_model("MLU370").kind == "MLU");
  CHECK(maker_of_model("Intel(R) Data Center GPU Max 1550").kind == "XPU");
  CHECK(maker_of_model("").vendor.empty());
  CHECK(maker_of_category("mtia_runtime").vendor == "meta");
  CHECK(maker_of_category("cuda_runtime").vendor.empty());
  CHECK(maker_of_call("cudaMalloc").vendor == "nvidia");
  CHECK(maker_of_call("cuLaunchKernel").vendor == "nvidia");
  CHECK(maker_of_call("hipMalloc").vendor == "amd");
  CHECK(maker_of_call("cnrtQueueSync").vendor == "cambricon");
  CHECK(maker_of_call("custom").vendor.empty());
}

TEST_CASE("frames are read from the profiler's texts", "[adapters][frames]") {
  const FrameName call = parse_frame("torch/nn/modules/linear.py(114): forward", "function");
  CHECK(call.file == "torch/nn/modules/linear.py");
  CHECK(call.line == 114);
  CHECK(call.function == "forward");
  CHECK(call.how == "function");
  CHECK(parse_frame("dir (x)/a.py(7): <lambda>", "line").file == "dir (x)/a.py");
  CHECK(parse_frame("nn.Module: Linear_0", "function").how == "module");
  CHECK(parse_frame("nn.Module: Linear_0", "function").function == "Linear_0");
  CHECK(parse_frame("<built-in method item of Tensor object at 0x7f00>", "function").function == "item");
  CHECK(parse_frame("<built-in function len>", "function").function == "len");
  CHECK(parse_frame("<Thing object at 0x7f00>", "function").function == "<Thing object");
  CHECK(parse_frame("a.py(x): f", "line").file.empty());
  CHECK(parse_frame("", "line").function.empty());
}

TEST_CASE("call paths give the innermost call at each instant", "[adapters][frames]") {
  CallPaths paths;
  const std::uint32_t main = paths.name("main.py(1): main");
  const std::uint32_t step = paths.name("main.py(5): step");
  std::vector<PythonCall> calls = {{60, 80, step}, {10, 40, step}, {0, 100, main}};
  const std::vector<std::int64_t> instants = {0, 10, 39, 40, 65, 100};
  const std::vector<std::uint32_t> at = paths.at(calls, instants);
  CHECK(at[0] == paths.path(CallPaths::none, main));
  CHECK(at[1] == paths.path(at[0], step));
  CHECK(at[2] == at[1]);
  CHECK(at[3] == at[0]);
  CHECK(at[4] == at[1]);  // the same path, once
  CHECK(at[5] == CallPaths::none);
}
