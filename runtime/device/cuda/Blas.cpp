//===- Blas.cpp - products of matrices by cuBLAS --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/Blas.h"

#include "runtime/device/cuda/Memory.h"

#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

using namespace kern::runtime;
using namespace kern::runtime::cuda;

// As cublas_api.h and library_types.h have them, which a build does not need.
// The functions' enumerations are ints.
namespace {
constexpr int success = 0, noMemory = 3;
constexpr int asItIs = 0, asTransposed = 1;
constexpr int defaultAlgorithm = -1;
/// CUBLAS_DEFAULT_MATH, with sums of halves in f32 between a sum's parts too.
constexpr int mathMode = 16;

int dataType(DType type) {
  switch (type) {
  case DType::F16:
    return 2;
  case DType::BF16:
    return 14;
  case DType::F64:
    return 1;
  case DType::C64:
    return 4;
  case DType::C128:
    return 5;
  default:
    return 0; // f32
  }
}

int computeType(DType type) {
  constexpr int inF32 = 68, inF64 = 70;
  return type == DType::F64 || type == DType::C128 ? inF64 : inF32;
}

/// A number of the type in which a product is computed.
struct Scalar {
  Scalar(DType type, double value) {
    if (computeType(type) == computeType(DType::F64))
      wide[0] = value;
    else
      narrow[0] = float(value);
  }
  union {
    double wide[2] = {0, 0}; // the second one is the imaginary part
    float narrow[2];
  };
};
} // namespace

#define KERN_BLAS_FUNCTIONS(X)                                                 \
  X(create, "cublasCreate_v2", int(void **))                                   \
  X(destroy, "cublasDestroy_v2", int(void *))                                  \
  X(setStream, "cublasSetStream_v2", int(void *, CUstream))                    \
  X(setWorkspace, "cublasSetWorkspace_v2", int(void *, void *, size_t))        \
  X(setMathMode, "cublasSetMathMode", int(void *, int))                        \
  X(gemm, "cublasGemmEx",                                                      \
    int(void *, int, int, int, int, int, const void *, const void *, int, int, \
        const void *, int, int, const void *, void *, int, int, int, int))     \
  X(gemmBatch, "cublasGemmStridedBatchedEx",                                   \
    int(void *, int, int, int, int, int, const void *, const void *, int, int, \
        long long, const void *, int, int, long long, const void *, void *,    \
        int, int, long long, int, int, int))

struct cuda::BlasFunctions {
#define KERN_BLAS_MEMBER(member, symbol, ...)                                  \
  std::add_pointer_t<__VA_ARGS__> member = nullptr;
  KERN_BLAS_FUNCTIONS(KERN_BLAS_MEMBER)
#undef KERN_BLAS_MEMBER
};

/// The newest library that is installed, or `file`. Never closed, as it has
/// exit handlers.
static Expected<void *> openLibrary(const std::string &file) {
  std::vector<std::string> names = {file};
  if (file.empty())
    names = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
             "libcublas.so"};
  std::string reason;
  for (const std::string &name : names) {
    if (void *library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    if (reason.empty())
      if (const char *text = ::dlerror())
        reason = text;
  }
  return Error(ErrorCode::cublas_missing, {reason});
}

static Expected<std::unique_ptr<BlasFunctions>>
loadFunctions(const std::string &file) {
  Expected<void *> library = openLibrary(file);
  if (!library)
    return library.error();
  auto out = std::make_unique<BlasFunctions>();
  const char *missing = nullptr;
#define KERN_BLAS_LOAD(member, symbol, ...)                                    \
  out->member =                                                                \
      reinterpret_cast<decltype(out->member)>(::dlsym(*library, symbol));      \
  if (!out->member && !missing)                                                \
    missing = symbol;
  KERN_BLAS_FUNCTIONS(KERN_BLAS_LOAD)
#undef KERN_BLAS_LOAD
  if (missing)
    return Error(ErrorCode::cublas_too_old, {missing});
  return out;
}

static Status checkBlas(int status, const char *call) {
  if (status == success)
    return {};
  return Error(status == noMemory ? ErrorCode::cublas_out_of_memory
                                  : ErrorCode::cublas_call,
               {call, status});
}

std::optional<std::string> Blas::asked() {
  const char *setting = std::getenv("KERN_CUBLAS");
  std::string_view text = setting ? setting : "";
  if (text.empty() || text == "0")
    return std::nullopt;
  return std::string(text == "1" ? "" : text);
}

Blas::Blas(Context &) {}

Blas::~Blas() {
  if (handle)
    functions->destroy(handle);
}

Status Blas::open(Context &context) {
  if (handle)
    return {};
  auto loaded = loadFunctions(asked().value_or(""));
  if (!loaded)
    return loaded.error();
  functions = std::move(*loaded);
  CaptureUndisturbed undisturbed(context.driver()); // it allocates memory
  if (Status status = checkBlas(functions->create(&handle), "cublasCreate");
      !status)
    return status;
  return checkBlas(functions->setMathMode(handle, mathMode),
                   "cublasSetMathMode");
}

/// What NVIDIA recommends.
static size_t workspaceBytes(const Context &context) {
  return context.computeCapability() >= 90 ? size_t(32) << 20 : size_t(4) << 20;
}

Status Blas::multiply(const std::shared_ptr<Context> &context,
                      const MatrixProduct &product,
                      const std::array<std::byte *, 3> &addresses,
                      CUstream stream) {
  std::lock_guard lock(mutex);
  if (Status status = open(*context); !status)
    return status;
  // Calls on several streams must not share a workspace: their results would
  // depend on which one gets it.
  size_t bytes = workspaceBytes(*context);
  Expected<Buffer> workspace = allocateOrdered(context, bytes, stream);
  if (!workspace)
    return workspace.error();
  // Setting a stream resets the workspace.
  if (Status status =
          checkBlas(functions->setStream(handle, stream), "cublasSetStream");
      !status)
    return status;
  if (Status status =
          checkBlas(functions->setWorkspace(handle, workspace->data(), bytes),
                    "cublasSetWorkspace");
      !status)
    return status;
  const Scalar one(product.element, 1), zero(product.element, 0);
  const int type = dataType(product.element), stored = dataType(product.stored),
            compute = computeType(product.element);
  auto form = [](const MatrixProduct::Matrix &matrix) {
    return matrix.isTransposed ? asTransposed : asItIs;
  };
  const auto &[left, right, result] =
      std::tie(product.left, product.right, product.result);
  const int rows = int(product.rows), columns = int(product.columns),
            depth = int(product.depth);
  for (const MatrixProduct::Batch &batch : product.batches) {
    const std::byte *a = addresses[0] + batch.offsets[0],
                    *b = addresses[1] + batch.offsets[1];
    std::byte *c = addresses[2] + batch.offsets[2];
    Status status =
        batch.count == 1
            ? checkBlas(functions->gemm(
                            handle, form(left), form(right), rows, columns,
                            depth, &one, a, type, int(left.leading), b, type,
                            int(right.leading), &zero, c, stored,
                            int(result.leading), compute, defaultAlgorithm),
                        "cublasGemmEx")
            : checkBlas(functions->gemmBatch(
                            handle, form(left), form(right), rows, columns,
                            depth, &one, a, type, int(left.leading), left.apart,
                            b, type, int(right.leading), right.apart, &zero, c,
                            stored, int(result.leading), result.apart,
                            int(batch.count), compute, defaultAlgorithm),
                        "cublasGemmStridedBatchedEx");
    if (!status)
      return status;
  }
  return {};
}
