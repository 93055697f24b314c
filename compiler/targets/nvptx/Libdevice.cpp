//===- Libdevice.cpp - the device library ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <iterator>

// tools/prepare-libdevice makes KERN_LIBDEVICE_PATH from the libdevice of the
// toolkit that Kern is built with.
asm(".section .rodata.kern_libdevice, \"a\", @progbits\n"
    ".balign 16\n"
    ".globl kern_libdevice\n.hidden kern_libdevice\n"
    "kern_libdevice:\n"
    ".incbin \"" KERN_LIBDEVICE_PATH "\"\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char kern_libdevice[];

using namespace kern::compiler;
using namespace kern::runtime;

namespace {
struct Row {
  llvm::StringLiteral name;
  size_t offset, size;
};
} // namespace

/// Sorted by name.
static constexpr Row rows[] = {
#define KERN_LIBDEVICE(NAME, OFFSET, SIZE) {#NAME, OFFSET, SIZE},
#include "compiler/targets/nvptx/LibdeviceIndex.inc"
};

static const Row *find(llvm::StringRef name) {
  const Row *row = std::lower_bound(
      std::begin(rows), std::end(rows), name,
      [](const Row &row, llvm::StringRef name) { return row.name < name; });
  return row != std::end(rows) && row->name == name ? row : nullptr;
}

static Status link(llvm::Module &module, const Row &row) {
  auto fail = [&](const std::string &why) {
    return Error{KERN_ERROR_INTERNAL,
                 "libdevice: " + row.name.str() + ": " + why};
  };
  llvm::MemoryBufferRef bitcode(
      llvm::StringRef(kern_libdevice + row.offset, row.size), row.name);
  auto function = llvm::parseBitcodeFile(bitcode, module.getContext());
  if (!function)
    return fail(llvm::toString(function.takeError()));
  (*function)->setDataLayout(module.getDataLayout());
  (*function)->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(*function)))
    return fail("linking failed");
  return {};
}

Status kern::compiler::nvptx::linkLibdevice(llvm::Module &module) {
  llvm::SmallVector<const Row *> needed;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty())
      if (const Row *row = find(function.getName()))
        needed.push_back(row);
  if (needed.empty())
    return {};
  llvm::SmallPtrSet<llvm::GlobalObject *, 16> own;
  for (llvm::GlobalObject &object : module.global_objects())
    if (!object.isDeclaration())
      own.insert(&object);
  for (const Row *row : needed)
    if (Status status = link(module, *row); !status)
      return status;
  for (llvm::GlobalObject &object : module.global_objects())
    if (!object.isDeclaration() && !own.contains(&object)) {
      object.setVisibility(llvm::GlobalValue::DefaultVisibility);
      object.setLinkage(llvm::GlobalValue::InternalLinkage);
      if (auto *function = llvm::dyn_cast<llvm::Function>(&object))
        function->addFnAttr(libdeviceAttribute);
    }
  return {};
}
