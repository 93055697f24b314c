//===- Object.cpp - kernels in an object file -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "compiler/targets/host/Functions.h"
#include "runtime/include/kern/native.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Redirects calls of scalarSymbol() names to the C library's functions.
static void settleScalarSymbols(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration() ||
        !name.consume_front(kern::compiler::host::scalarPrefix))
      continue;
    if (Function *known = module.getFunction(name)) {
      function.replaceAllUsesWith(known);
      function.eraseFromParent();
    } else {
      function.setName(name.str());
    }
  }
}

static bool usesBFloat(const Module &module) {
  for (const Function &function : module)
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block)
        if (instruction.getType()->getScalarType()->isBFloatTy())
          return true;
  return false;
}

/// Defines the function that LLVM calls to round an f32 to bf16, ties to even.
/// Its result is in the low half of a float register. Compilers' libraries have
/// it since GCC 13.
static void defineRounding(Module &module) {
  LLVMContext &context = module.getContext();
  Type *number = Type::getFloatTy(context);
  auto *function = Function::Create(
      FunctionType::get(number, {number}, false), GlobalValue::WeakODRLinkage,
      kern::compiler::host::bfloatRoundingSymbol, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  IRBuilder<> b(BasicBlock::Create(context, "", function));
  Value *bits = b.CreateBitCast(function->getArg(0), b.getInt32Ty());
  Value *half = b.CreateLShr(bits, 16);
  Value *odd = b.CreateAnd(half, 1);
  Value *rounded =
      b.CreateLShr(b.CreateAdd(bits, b.CreateAdd(odd, b.getInt32(0x7fff))), 16);
  Value *isNaN =
      b.CreateICmpUGT(b.CreateAnd(bits, 0x7fffffff), b.getInt32(0x7f800000));
  Value *result = b.CreateSelect(isNaN, b.CreateOr(half, 0x40), rounded);
  b.CreateRet(b.CreateBitCast(result, number));
}

static Constant *textConstant(Module &module, StringRef text) {
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  auto *global =
      new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, data, "text");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

/// Defines the module's kern_native_code.
static void defineCode(Module &module,
                       const kern::compiler::ObjectDescription &description) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Type *word = Type::getInt32Ty(context);
  auto *kernelType = StructType::get(pointer, pointer);
  SmallVector<Constant *> kernels;
  for (const std::string &symbol : description.kernels)
    if (Function *kernel = module.getFunction(symbol)) {
      kernel->setLinkage(GlobalValue::InternalLinkage);
      kernels.push_back(ConstantStruct::get(
          kernelType, {textConstant(module, symbol), kernel}));
    }
  auto *tableType = ArrayType::get(kernelType, kernels.size());
  auto *table = new GlobalVariable(
      module, tableType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
      ConstantArray::get(tableType, kernels), "kernels");
  auto *type = StructType::get(word, word, pointer, pointer);
  auto *code = new GlobalVariable(
      module, type, /*isConstant=*/true, GlobalValue::ExternalLinkage,
      ConstantStruct::get(type,
                          {ConstantInt::get(word, KERN_NATIVE_VERSION),
                           ConstantInt::get(word, kernels.size()),
                           textConstant(module, description.manifest), table}),
      description.symbol);
  // Two libraries in one process may have code of the same name.
  code->setVisibility(GlobalValue::HiddenVisibility);
}

void kern::compiler::host::makeLinkable(Module &module,
                                        const ObjectDescription &description) {
  settleScalarSymbols(module);
  if (usesBFloat(module))
    defineRounding(module);
  defineCode(module, description);
}
