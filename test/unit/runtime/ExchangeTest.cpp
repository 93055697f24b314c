//===- ExchangeTest.cpp - tensors of DLPack 1 -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/exchange.h"
#include "HostCaller.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
struct Released {
  int count = 0;
};

/// A framework's tensor over `data`, whose deleter counts.
DLManagedTensorVersioned foreign(const DLTensor &tensor, Released &released) {
  DLManagedTensorVersioned out = {};
  out.version = {1, 3};
  out.manager_ctx = &released;
  out.deleter = [](DLManagedTensorVersioned *self) {
    ++static_cast<Released *>(self->manager_ctx)->count;
  };
  out.dl_tensor = tensor;
  return out;
}

class Exchange : public HostCaller {
protected:
  std::vector<float> numbers = {1, 2, 3};
  Tensor<float> tensor{numbers.data(), {3}};
  Released released;
  DLManagedTensorVersioned given = foreign(*tensor.get(), released);
  DLManagedTensor *array = nullptr;

  void refused(const char *what) {
    EXPECT_EQ(array, nullptr);
    EXPECT_EQ(released.count, 0) << "still the caller's";
    EXPECT_EQ(std::string(kern_last_error()), what);
  }
};
} // namespace

TEST_F(Exchange, TensorsGoIntoCalls) {
  ASSERT_EQ(kern_tensor_from_versioned(&given, 0, &array), KERN_OK);
  EXPECT_EQ(array->dl_tensor.data, numbers.data());
  ASSERT_EQ(call("add", {value(&array->dl_tensor), weak(1)}), KERN_OK);
  EXPECT_EQ(valuesOf<float>(result()), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(released.count, 0);
  array->deleter(array);
  EXPECT_EQ(released.count, 1);
}

TEST_F(Exchange, ReadOnlyTensorsAreNotWritten) {
  given.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  EXPECT_EQ(kern_tensor_from_versioned(&given, 1, &array), KERN_ERROR_ARGUMENT);
  refused("the tensor is read-only and was to be written to");
  ASSERT_EQ(kern_tensor_from_versioned(&given, 0, &array), KERN_OK) << "read";
  array->deleter(array);
  given.flags = DLPACK_FLAG_BITMASK_IS_COPIED;
  ASSERT_EQ(kern_tensor_from_versioned(&given, 1, &array), KERN_OK);
  ASSERT_EQ(
      call("add", {value(&array->dl_tensor), weak(1)}, {&array->dl_tensor}),
      KERN_OK);
  EXPECT_EQ(numbers, (std::vector<float>{2, 3, 4}));
  array->deleter(array);
  EXPECT_EQ(released.count, 2);
}

// Of other versions only `version` and `deleter` are where they are in this.
TEST_F(Exchange, OtherVersionsAreRefused) {
  given.version = {2, 1};
  EXPECT_EQ(kern_tensor_from_versioned(&given, 0, &array), KERN_ERROR_ARGUMENT);
  refused("the tensor is of DLPack 2.1; versions 1.x are known");
}

TEST_F(Exchange, ResultsGetAVersion) {
  ASSERT_EQ(call("add", {value(tensor.get()), weak(1)}), KERN_OK);
  DLManagedTensorVersioned *made = nullptr;
  ASSERT_EQ(kern_tensor_to_versioned(results[0].release(),
                                     DLPACK_FLAG_BITMASK_IS_COPIED, &made),
            KERN_OK);
  EXPECT_EQ(made->version.major, 1u);
  EXPECT_EQ(made->flags, uint64_t(DLPACK_FLAG_BITMASK_IS_COPIED));
  EXPECT_EQ(valuesOf<float>(made->dl_tensor), (std::vector<float>{2, 3, 4}));
  // And back: both containers end with the array.
  ASSERT_EQ(kern_tensor_from_versioned(made, 1, &array), KERN_OK);
  EXPECT_EQ(valuesOf<float>(array->dl_tensor), (std::vector<float>{2, 3, 4}));
  array->deleter(array); // leaks are found under a sanitizer
}

TEST_F(Exchange, UnknownFlagsAreRefused) {
  ASSERT_EQ(call("add", {value(tensor.get()), weak(1)}), KERN_OK);
  DLManagedTensorVersioned *made = nullptr;
  EXPECT_EQ(kern_tensor_to_versioned(results[0].get(), 8, &made),
            KERN_ERROR_ARGUMENT);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(std::string(kern_last_error()),
            "DLPack 1.0 does not know the flags 8");
}

TEST_F(Exchange, TensorsWithoutADeleter) {
  given.deleter = nullptr;
  ASSERT_EQ(kern_tensor_from_versioned(&given, 0, &array), KERN_OK);
  array->deleter(array);
}
