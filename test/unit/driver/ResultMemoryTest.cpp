//===- ResultMemoryTest.cpp - a caller's memory for results ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kern_allocator, by every way that a call can take: planned and remembered,
// converted, masked, of a gufunc with moved axes; and kern_resolve, which must
// say what such calls do.
//
//===----------------------------------------------------------------------===//
#include "kern/options.h"

#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

const kern_device cpu = {kDLCPU, 0};

/// Memory for results, and a record of the requests.
struct Pool {
  struct Asked {
    size_t result;
    std::vector<int64_t> shape, strides;
    DLDataType type;
  };
  std::vector<Asked> asked;
  alignas(64) std::array<std::byte, 4096> memory = {};
  size_t used = 0;
  size_t misalignment = 0;
  bool isEmpty = false;

  static void *allocate(void *context, size_t result, const DLTensor *form) {
    Pool &pool = *static_cast<Pool *>(context);
    EXPECT_EQ(form->data, nullptr);
    pool.asked.push_back({result,
                          {form->shape, form->shape + form->ndim},
                          {form->strides, form->strides + form->ndim},
                          form->dtype});
    if (pool.isEmpty)
      return nullptr;
    std::byte *at = pool.memory.data() + pool.used + pool.misalignment;
    pool.used += 512;
    return at;
  }
  template <typename T> const T *result(size_t i) const {
    return reinterpret_cast<const T *>(memory.data() + 512 * i);
  }
};

class ResultMemory : public testing::Test {
protected:
  void SetUp() override {
    const char *text = "ufunc add(x: T, y: T) -> T where T in (f32, f64):\n"
                       "    return x + y\n"
                       "ufunc two(x: f64) -> (f64, i32):\n"
                       "    return -x, i32(x)\n"
                       "gufunc twice(v: T[n]) -> (w: T[n]) where T in (f64,):\n"
                       "    for i in prange(n):\n"
                       "        w[i] = 2 * v[i]\n"
                       "gufunc ones(n: dim) -> (w: f64[n]):\n"
                       "    for i in prange(n):\n"
                       "        w[i] = 1\n";
    ASSERT_EQ(kern_compile_source(text, std::strlen(text), "a.kern", &module),
              KERN_OK)
        << kern_last_error();
    std::iota(numbers.begin(), numbers.end(), 1);
    request.call.size = sizeof request;
    request.call.has_device = 1;
    request.call.device = cpu;
    request.allocator = &allocator;
  }
  void TearDown() override { kern_module_release(module); }

  kern_function *find(const char *name) {
    kern_function *function = nullptr;
    EXPECT_EQ(kern_module_find(module, name, &function), KERN_OK);
    return function;
  }
  DLTensor array(std::vector<int64_t> &shape, int64_t *strides = nullptr) {
    return {
        numbers.data(), cpu, int(shape.size()), {kDLFloat, 64, 1}, shape.data(),
        strides,        0};
  }
  static kern_value valueOf(const DLTensor &tensor) {
    kern_value value = {};
    value.kind = KERN_VALUE_ARRAY;
    value.as.array = &tensor;
    return value;
  }
  kern_status call(const char *name, std::vector<kern_value> values,
                   size_t outputs) {
    kern_function *function = find(name);
    return kern_call(function, values.data(), values.size(), nullptr, nullptr,
                     outputs, &request.call, nullptr);
  }

  kern_module *module = nullptr;
  std::array<double, 64> numbers;
  Pool pool;
  kern_allocator allocator = {&pool, Pool::allocate};
  kern_call_request request = {};
};

TEST_F(ResultMemory, EveryCallAsksAnew) {
  std::vector<int64_t> shape = {2, 3};
  DLTensor x = array(shape);
  for (size_t i = 0; i < 3; ++i) { // planned, then remembered
    ASSERT_EQ(call("add", {valueOf(x), valueOf(x)}, 1), KERN_OK)
        << kern_last_error();
    ASSERT_EQ(pool.asked.size(), i + 1);
    EXPECT_EQ(pool.asked[i].shape, shape);
    EXPECT_EQ(pool.asked[i].strides, (std::vector<int64_t>{3, 1}));
    for (size_t k = 0; k < 6; ++k)
      EXPECT_EQ(pool.result<double>(i)[k], 2 * numbers[k]);
  }
}

TEST_F(ResultMemory, FormsAreThoseOfNewArrays) {
  std::vector<int64_t> shape = {2, 3}, strides = {1, 2};
  DLTensor x = array(shape, strides.data());
  ASSERT_EQ(call("two", {valueOf(x)}, 2), KERN_OK) << kern_last_error();
  ASSERT_EQ(pool.asked.size(), 2u);
  EXPECT_EQ(pool.asked[0].strides, strides); // order K
  EXPECT_EQ(pool.asked[1].result, 1u);
  EXPECT_EQ(pool.asked[1].type.bits, 32);
  for (size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(pool.result<double>(0)[k], -numbers[k]);
    EXPECT_EQ(pool.result<int32_t>(1)[k], int32_t(numbers[k]));
  }
  request.order = KERN_ORDER_C;
  ASSERT_EQ(call("two", {valueOf(x)}, 2), KERN_OK);
  EXPECT_EQ(pool.asked[2].strides, (std::vector<int64_t>{3, 1}));
}

TEST_F(ResultMemory, MaskedResultsAreCleared) {
  std::vector<int64_t> shape = {4};
  bool truths[] = {true, false, true, false};
  DLTensor mask = {truths,       cpu,     1, {KERN_DL_BOOL, 8, 1},
                   shape.data(), nullptr, 0};
  request.where = &mask;
  pool.memory.fill(std::byte(0xff));
  DLTensor x = array(shape);
  ASSERT_EQ(call("add", {valueOf(x), valueOf(x)}, 1), KERN_OK)
      << kern_last_error();
  for (size_t k = 0; k < 4; ++k)
    EXPECT_EQ(pool.result<double>(0)[k], truths[k] ? 2 * numbers[k] : 0);
}

TEST_F(ResultMemory, AxesAreTheCallers) {
  std::vector<int64_t> shape = {3, 2};
  int64_t first[] = {0};
  kern_axes axis = {first, 1};
  request.axis = &axis;
  DLTensor v = array(shape);
  ASSERT_EQ(call("twice", {valueOf(v)}, 1), KERN_OK) << kern_last_error();
  ASSERT_EQ(pool.asked.size(), 1u);
  EXPECT_EQ(pool.asked[0].shape, shape);
  const Pool::Asked &form = pool.asked[0];
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t k = 0; k < 2; ++k)
      EXPECT_EQ(
          pool.result<double>(0)[i * form.strides[0] + k * form.strides[1]],
          2 * numbers[size_t(i * 2 + k)]);
}

TEST_F(ResultMemory, GivenOutputsAskForNothing) {
  std::vector<int64_t> shape = {3};
  std::array<double, 3> out;
  DLTensor x = array(shape);
  DLTensor result = x;
  result.data = out.data();
  const DLTensor *outputs[] = {&result};
  kern_value values[] = {valueOf(x), valueOf(x)};
  ASSERT_EQ(kern_call(find("add"), values, 2, outputs, nullptr, 1,
                      &request.call, nullptr),
            KERN_OK);
  EXPECT_TRUE(pool.asked.empty());
  EXPECT_EQ(out[2], 6);
}

TEST_F(ResultMemory, FailuresNameTheResult) {
  std::vector<int64_t> shape = {3};
  DLTensor x = array(shape);
  std::vector<kern_value> values = {valueOf(x), valueOf(x)};
  pool.isEmpty = true;
  EXPECT_EQ(call("add", values, 1), KERN_ERROR_MEMORY);
  EXPECT_STREQ(kern_last_error(), "`add`: the allocator gave no memory, for "
                                  "result 1 of shape (3,)");
  pool.isEmpty = false;
  pool.misalignment = 8;
  EXPECT_EQ(call("add", values, 1), KERN_ERROR_ARGUMENT);
  EXPECT_NE(std::strstr(kern_last_error(), "16 bytes"), nullptr);
  pool.misalignment = 0;
  allocator.allocate = nullptr;
  EXPECT_EQ(call("add", values, 1), KERN_ERROR_ARGUMENT);
  allocator.allocate = Pool::allocate;
  EXPECT_EQ(call("add", values, 1), KERN_OK);
}

TEST_F(ResultMemory, ResolveSaysTypesAndShapes) {
  std::vector<int64_t> shape = {2, 3}, other = {3};
  DLTensor x = array(shape), y = array(other);
  x.data = nullptr;
  y.data = nullptr;
  y.dtype.bits = 32;
  kern_value values[] = {valueOf(x), valueOf(y)};
  int types[2] = {};
  kern_result_form form = {};
  request.allocator = nullptr;
  ASSERT_EQ(kern_resolve(find("add"), values, 2, nullptr, 1, &request.call,
                         types, &form),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(types[0], KERN_F64);
  EXPECT_EQ(types[1], KERN_F64);
  EXPECT_EQ(form.dtype, KERN_F64);
  ASSERT_EQ(form.ndim, 2);
  EXPECT_EQ(form.shape[0], 2);
  EXPECT_EQ(form.shape[1], 3);
}

TEST_F(ResultMemory, ResolveReadsNoElement) {
  std::vector<int64_t> shape = {};
  DLTensor x = array(shape);
  x.data = nullptr; // an array of one element is else read as a number
  kern_value values[] = {valueOf(x)};
  kern_result_form forms[2] = {};
  ASSERT_EQ(
      kern_resolve(find("two"), values, 1, nullptr, 2, nullptr, nullptr, forms),
      KERN_OK)
      << kern_last_error();
  EXPECT_EQ(forms[0].ndim, 0);
  EXPECT_EQ(forms[1].dtype, KERN_I32);
}

TEST_F(ResultMemory, ResolveTakesDimensionsAsNumbers) {
  kern_value n = {};
  n.kind = KERN_VALUE_WEAK_INT;
  n.as.integer = 5;
  int type = 0;
  kern_result_form form = {};
  ASSERT_EQ(
      kern_resolve(find("ones"), &n, 1, nullptr, 1, nullptr, &type, &form),
      KERN_OK)
      << kern_last_error();
  EXPECT_EQ(type, KERN_ANY_DTYPE);
  EXPECT_EQ(form.shape[0], 5);
  std::vector<int64_t> shape = {};
  DLTensor x = array(shape);
  kern_value value = valueOf(x);
  EXPECT_EQ(
      kern_resolve(find("ones"), &value, 1, nullptr, 1, nullptr, &type, &form),
      KERN_ERROR_ARGUMENT);
}

TEST_F(ResultMemory, ResolveFailsAsCallsDo) {
  std::vector<int64_t> two = {2}, three = {3};
  DLTensor x = array(two), y = array(three);
  kern_value values[] = {valueOf(x), valueOf(y)};
  kern_result_form form = {};
  form.ndim = 7;
  EXPECT_EQ(
      kern_resolve(find("add"), values, 2, nullptr, 1, nullptr, nullptr, &form),
      KERN_ERROR_SHAPE);
  EXPECT_EQ(form.ndim, 7);
  x.dtype = {kDLComplex, 128, 1};
  x.shape = three.data();
  EXPECT_EQ(
      kern_resolve(find("add"), values, 2, nullptr, 1, nullptr, nullptr, &form),
      KERN_ERROR_TYPE);
}

} // namespace
