//===- Library.cpp - Kern's own functions as bitcode ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Library.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

// KERN_LIBRARY_PATH is the bitcode of this folder's other sources.
asm(".section .rodata.kern_library, \"a\", @progbits\n"
    ".balign 16\n"
    ".globl kern_library_begin\n.hidden kern_library_begin\n"
    "kern_library_begin:\n"
    ".incbin \"" KERN_LIBRARY_PATH "\"\n"
    ".globl kern_library_end\n.hidden kern_library_end\n"
    "kern_library_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char kern_library_begin[];
extern "C" const char kern_library_end[];

using namespace kern::compiler;
using namespace kern::runtime;

std::optional<library::ElementaryFunction>
library::ElementaryFunction::ofSymbol(llvm::StringRef symbol) {
  if (!symbol.consume_front("kern."))
    return std::nullopt;
  const bool isFast = symbol.consume_front("fast.");
  std::optional<DType> half;
  if (symbol.consume_front("f16."))
    half = DType::F16;
  else if (symbol.consume_front("bf16."))
    half = DType::BF16;
  auto [name, typeName] = symbol.rsplit('.');
  std::optional<DType> type = parseDType(typeName);
  if (!type)
    return std::nullopt;
  return ElementaryFunction{name, *type, isFast, half};
}

llvm::StringRef library::symbol(const library::ElementaryFunction &function) {
  llvm::SmallString<32> wanted = function.name;
  wanted += ".";
  wanted += runtime::name(function.type);
  return llvm::StringSwitch<llvm::StringRef>(wanted)
#define KERN_LIBRARY(NAME, TYPE) .Case(#NAME "." #TYPE, "kern_" #NAME "_" #TYPE)
#include "compiler/library/Functions.def"
      .Default("");
}

static Error internal(const llvm::Twine &message) {
  return {KERN_ERROR_INTERNAL, ("Kern's library: " + message).str()};
}

/// Removes the attributes of the target for which the bitcode was made.
static void makeOwn(llvm::Function &function) {
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setComdat(nullptr);
  function.addFnAttr(library::functionAttribute);
  for (const char *attribute : {"target-cpu", "target-features", "tune-cpu"})
    function.removeFnAttr(attribute);
}

/// Renames "kern_exp_f64" to the target's symbol for exp of f64.
static Status nameForTarget(llvm::Function &function,
                            library::FunctionTable functions) {
  llvm::StringRef name = function.getName();
  name.consume_front("kern_");
  auto [elementary, typeName] = name.rsplit('_');
  std::optional<DType> type = parseDType(typeName);
  llvm::StringRef symbol = type ? functions({elementary, *type}) : "";
  if (symbol.empty())
    return internal("the target has no " + elementary + " of " + typeName);
  if (llvm::Function *known = function.getParent()->getFunction(symbol)) {
    function.replaceAllUsesWith(known);
    function.eraseFromParent();
  } else {
    function.setName(symbol);
    function.removeFnAttr("target-features");
  }
  return {};
}

Status library::link(llvm::Module &module, library::FunctionTable functions) {
  llvm::SmallPtrSet<llvm::GlobalValue *, 16> own;
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isDeclaration())
      own.insert(&global);
  bool isNeeded = false;
  for (llvm::Function &function : module) {
    if (!function.isDeclaration())
      own.insert(&function);
    else
      isNeeded |= function.getName().starts_with("kern_");
  }
  if (!isNeeded)
    return {};
  llvm::MemoryBufferRef bitcode(
      llvm::StringRef(kern_library_begin,
                      kern_library_end - kern_library_begin),
      "Kern's library");
  auto library = llvm::getLazyBitcodeModule(bitcode, module.getContext(),
                                            /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return internal(llvm::toString(library.takeError()));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*library),
                                llvm::Linker::LinkOnlyNeeded))
    return internal("linking failed");
  for (llvm::GlobalVariable &global : module.globals())
    if (!global.isDeclaration() && !global.hasLocalLinkage() &&
        !own.contains(&global))
      global.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration()) {
      if (!own.contains(&function))
        makeOwn(function);
    } else if (function.getName().starts_with("kern_")) {
      if (Status status = nameForTarget(function, functions); !status)
        return status;
    }
  }
  return {};
}
