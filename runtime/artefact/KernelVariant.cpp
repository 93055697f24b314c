//===- KernelVariant.cpp - which kernel of a loop -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/KernelVariant.h"

using namespace kern::runtime;

std::optional<Form> kern::runtime::moreGeneral(Form form) {
  switch (form) {
  case Form::Contiguous:
  case Form::Inner:
  case Form::Tiled:
    return Form::Strided;
  case Form::Streamed:
    return Form::Contiguous;
  case Form::Strided:
  case Form::General:
    break;
  }
  return std::nullopt;
}

std::optional<size_t>
kern::runtime::bestKernel(std::span<const KernelInfo> kernels,
                          KernelVariant wanted) {
  for (std::optional<Form> form = wanted.form; form;
       form = moreGeneral(*form)) {
    std::optional<size_t> found;
    for (size_t i = 0; i < kernels.size(); ++i) {
      const KernelInfo &kernel = kernels[i];
      if (kernel.form != *form || (kernel.disjoint && !wanted.disjoint))
        continue;
      if (!found || kernel.disjoint)
        found = i;
    }
    if (found)
      return found;
  }
  return std::nullopt;
}
