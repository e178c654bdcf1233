// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/element_type.hpp"

namespace kdiag::work {
namespace {

// C++ names of c10/core/ScalarType.h, and the short names of exports.
constexpr ElementType element_types[] = {
    {"float", 4, Category::floating, Arithmetic::fp32},
    {"c10::BFloat16", 2, Category::floating, Arithmetic::bf16},
    {"c10::Half", 2, Category::floating, Arithmetic::fp16},
    {"double", 8, Category::floating, Arithmetic::fp64},
    {"long int", 8, Category::integer},
    {"int", 4, Category::integer},
    {"bool", 1, Category::boolean},
    {"unsigned char", 1, Category::integer, Arithmetic::int8},
    {"signed char", 1, Category::integer, Arithmetic::int8},
    {"short int", 2, Category::integer},
    {"short", 2, Category::integer},
    {"long", 8, Category::integer},
    {"long long", 8, Category::integer},
    {"c10::Float8_e4m3fn", 1, Category::floating, Arithmetic::fp8},
    {"c10::Float8_e5m2", 1, Category::floating, Arithmetic::fp8},
    {"c10::Float8_e4m3fnuz", 1, Category::floating, Arithmetic::fp8},
    {"c10::Float8_e5m2fnuz", 1, Category::floating, Arithmetic::fp8},
    {"c10::complex<float>", 8, Category::complex},
    {"c10::complex<double>", 16, Category::complex},
    {"float32", 4, Category::floating, Arithmetic::fp32},
    {"bfloat16", 2, Category::floating, Arithmetic::bf16},
    {"float16", 2, Category::floating, Arithmetic::fp16},
    {"float64", 8, Category::floating, Arithmetic::fp64},
    {"int64", 8, Category::integer},
    {"int32", 4, Category::integer},
    {"int8", 1, Category::integer, Arithmetic::int8},
    {"uint8", 1, Category::integer, Arithmetic::int8},
};

}  // namespace

const ElementType* find_element_type(std::string_view name) {
  for (const ElementType& type : element_types)
    if (type.name == name) return &type;
  return nullptr;
}

const ElementType* promoted(const ElementType& a, const ElementType& b) {
  if (a.category != b.category) return a.category > b.category ? &a : &b;
  if (a.bytes != b.bytes) return a.bytes > b.bytes ? &a : &b;
  if (a.name == b.name) return &a;
  const bool halves = a.category == Category::floating && a.bytes == 2;  // half and bfloat16 meet in float
  return halves ? find_element_type("float") : nullptr;
}

}  // namespace kdiag::work
