//===- BlasLaunch.cpp - launches that cuBLAS computes ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/BlasLaunch.h"

#include "runtime/device/cuda/Blas.h"
#include "runtime/space/HostSpace.h"

using namespace kern::runtime;

Status kern::runtime::launchProduct(
    const std::shared_ptr<cuda::Context> &context, CUstream stream,
    const MatrixProduct &product, const std::string *function,
    const std::function<std::byte *(const MatrixProduct::Matrix &)>
        &addressOf) {
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status;
  Status status = context->resource<cuda::Blas>().multiply(
      context, product,
      {addressOf(product.left), addressOf(product.right),
       addressOf(product.result)},
      stream);
  if (status)
    context->noteLaunch(function);
  return status;
}

std::optional<BlasLaunch> BlasLaunch::of(const Launch &launch) {
  if (!cuda::Blas::asked() || launch.function->kind == FunctionKind::Ufunc ||
      !launch.disjoint || hasMask(launch.operands))
    return std::nullopt;
  // Where there is no nest, the launch by our own kernel reports why.
  auto nest = launch.loop->nest();
  if (!nest)
    return std::nullopt;
  Expected<NestExtents> extents =
      extentsOf(**nest, launch.layout.count(),
                dimensionLookup(*launch.function, launch.dims));
  if (!extents)
    return std::nullopt;
  std::optional<MatrixProduct> product =
      matrixProduct(**nest, *extents, launch.layout, launch.operands);
  return product ? std::optional(BlasLaunch(std::move(*product)))
                 : std::nullopt;
}

void BlasLaunch::describe(kern_call_report &report) const {
  bool isBatch = product.batches.front().count > 1;
  copyText(report.kernel,
           isBatch ? "cublasGemmStridedBatchedEx" : "cublasGemmEx");
  copyText(report.form, "cuBLAS");
  report.grid = unsigned(product.batches.size());
}

Status BlasLaunch::run(const std::shared_ptr<cuda::Context> &context,
                       CUstream stream, const Launch &launch,
                       kern_call_report &report) const {
  Status status = launchProduct(context, stream, product,
                                context->intern(launch.function->name),
                                [&](const MatrixProduct::Matrix &matrix) {
                                  return launch.operands[matrix.operand].data;
                                });
  if (!status)
    return status.error().in(launch.function->name);
  describe(report);
  return {};
}

LaunchTemplate BlasLaunch::prepare(cuda::Context &context,
                                   const Launch &launch) const {
  LaunchTemplate prepared;
  prepared.name = context.intern(launch.function->name);
  prepared.product = std::make_shared<const MatrixProduct>(product);
  describe(prepared.report);
  return prepared;
}
