//===- FormRemarks.cpp - remarks on the forms of kernels ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/Kernels.h"

#include "runtime/error/Counted.h"
#include "llvm/ADT/StringExtras.h"

namespace kern::compiler {

using runtime::Form;
using runtime::KernelInfo;

static std::string describe(const KernelInfo &kernel) {
  std::string text(name(kernel.form));
  switch (kernel.form) {
  case Form::Contiguous:
    return text + " (" + runtime::counted(kernel.elements, "element") +
           " a thread, " + runtime::counted(kernel.alignment, "byte") +
           " at a time)";
  case Form::General:
    text += kernel.sharedExtents.empty()
                ? " (one thread for each loop element)"
                : " (up to 1024 threads share a loop element)";
    break;
  case Form::Inner:
  case Form::Tiled:
  case Form::Strided:
  case Form::Streamed:
    break;
  }
  return text;
}

std::string describeForms(std::span<const KernelInfo> kernels) {
  std::vector<std::string> forms;
  for (Form form : runtime::allForms)
    for (const KernelInfo &kernel : kernels)
      if (kernel.form == form && !kernel.disjoint)
        forms.push_back(describe(kernel));
  return llvm::join(forms, ", ");
}

} // namespace kern::compiler
