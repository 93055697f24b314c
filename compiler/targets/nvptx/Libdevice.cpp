//===- Libdevice.cpp - the device library ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Libdevice.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstddef>

// KERN_LIBDEVICE_PATH is libdevice.10.bc of the toolkit that Kern is built
// with.
asm(".section .rodata.kern_libdevice, \"a\", @progbits\n"
    ".balign 16\n"
    ".globl kern_libdevice_begin\n.hidden kern_libdevice_begin\n"
    "kern_libdevice_begin:\n"
    ".incbin \"" KERN_LIBDEVICE_PATH "\"\n"
    ".globl kern_libdevice_end\n.hidden kern_libdevice_end\n"
    "kern_libdevice_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char kern_libdevice_begin[];
extern "C" const char kern_libdevice_end[];

using namespace kern;

static Error internal(llvm::Error error) {
  return {KERN_ERROR_INTERNAL,
          "libdevice: " + llvm::toString(std::move(error))};
}

/// What libdevice may ask by `__nvvm_reflect`.
static unsigned answer(llvm::StringRef question, unsigned computeCapability) {
  if (question == "__CUDA_PREC_SQRT" || question == "__CUDA_PREC_DIV")
    return 1;
  if (question == "__CUDA_ARCH")
    return computeCapability * 10;
  return 0; // __CUDA_FTZ and what is not known
}

/// The string constant that a call of `__nvvm_reflect` names.
static llvm::StringRef questionOf(const llvm::CallInst &call) {
  auto *global = llvm::dyn_cast<llvm::GlobalVariable>(
      call.getArgOperand(0)->stripPointerCasts());
  auto *data =
      global && global->hasInitializer()
          ? llvm::dyn_cast<llvm::ConstantDataArray>(global->getInitializer())
          : nullptr;
  return data && data->isCString() ? data->getAsCString() : "";
}

static void resolveReflect(llvm::Module &module, unsigned computeCapability) {
  llvm::Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(reflect->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call)
      continue;
    call->replaceAllUsesWith(llvm::ConstantInt::get(
        call->getType(), answer(questionOf(*call), computeCapability)));
    call->eraseFromParent();
  }
  if (reflect->use_empty())
    reflect->eraseFromParent();
}

Status kern::nvptx::linkLibdevice(llvm::Module &module,
                                  unsigned computeCapability) {
  llvm::SmallPtrSet<llvm::Function *, 16> own;
  bool isNeeded = false;
  for (llvm::Function &function : module) {
    own.insert(&function);
    isNeeded |= function.isDeclaration() && !function.use_empty() &&
                function.getName().starts_with("__nv_");
  }
  if (!isNeeded)
    return {};
  llvm::MemoryBufferRef bitcode(
      llvm::StringRef(kern_libdevice_begin,
                      kern_libdevice_end - kern_libdevice_begin),
      "libdevice");
  auto library = llvm::getLazyBitcodeModule(bitcode, module.getContext(),
                                            /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return internal(library.takeError());
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library),
                                llvm::Linker::LinkOnlyNeeded))
    return Error{KERN_ERROR_INTERNAL, "libdevice: linking failed"};
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with("__"))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  resolveReflect(module, computeCapability);
  return {};
}
