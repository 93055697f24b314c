//===- VectorCalls.cpp - elementary functions in vector loops -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "compiler/targets/FloatDivision.h"
#include "compiler/targets/host/Functions.h"
#include "compiler/targets/host/Remainders.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace kern::compiler;
using namespace kern::compiler::host;

static constexpr char wrapperPrefix[] = "kern.vector.";
/// The attribute of a declaration that names the function's vector function.
static constexpr char vectorAttribute[] = "kern-vector-function";

/// The attribute of functions that are inlined when wrappers are.
static constexpr char lateAttribute[] = "kern-inlined-late";

/// The vector lengths of LoopToHost's loops (dialects/LoopToHost/Policy.h), and
/// those that LLVM may take instead. Where it finds none for its length it
/// makes an intrinsic of a function's name, which becomes scalar calls with
/// other bits.
static constexpr unsigned loopLanes[] = {2, 4, 8, 16, 32, 64};

namespace {

/// Makes the wrappers of one elementary function.
class Wrappers {
public:
  /// `callee` computes `lanes` of it.
  Wrappers(Function &scalar, unsigned lanes, Function *callee)
      : module(*scalar.getParent()), scalar(scalar),
        element(scalar.getReturnType()), lanes(lanes), callee(callee) {}

  /// Makes `kern.vector.<function>.<count>`.
  Function *make(unsigned count);

private:
  unsigned inputs() const { return scalar.arg_size(); }
  Type *vectorOf(unsigned count) const {
    return FixedVectorType::get(element, count);
  }
  FunctionType *typeFor(unsigned count) const {
    Type *type = vectorOf(count);
    return FunctionType::get(type, SmallVector<Type *>(inputs(), type), false);
  }
  /// `count` lanes from `first` on. Beyond the end the last lane repeats.
  Value *slice(IRBuilder<> &b, Value *value, unsigned first, unsigned count) {
    unsigned length = cast<FixedVectorType>(value->getType())->getNumElements();
    SmallVector<int> mask;
    for (unsigned i = 0; i < count; ++i)
      mask.push_back(int(std::min(first + i, length - 1)));
    return b.CreateShuffleVector(value, mask);
  }

  Module &module;
  Function &scalar;
  Type *element;
  unsigned lanes;
  Function *callee;
};

} // namespace

Function *Wrappers::make(unsigned count) {
  auto *wrapper = Function::Create(
      typeFor(count), GlobalValue::InternalLinkage,
      wrapperPrefix + scalar.getName() + "." + Twine(count), module);
  wrapper->setAttributes(scalar.getAttributes());
  wrapper->addFnAttr(Attribute::AlwaysInline);
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", wrapper));
  SmallVector<Value *> parts;
  for (unsigned first = 0; first < count; first += lanes) {
    SmallVector<Value *> arguments;
    for (Argument &argument : wrapper->args())
      arguments.push_back(slice(b, &argument, first, lanes));
    parts.push_back(b.CreateCall(callee, arguments));
  }
  while (parts.size() > 1) {
    SmallVector<Value *> pairs;
    for (size_t i = 0; i < parts.size(); i += 2) {
      unsigned half =
          cast<FixedVectorType>(parts[i]->getType())->getNumElements();
      SmallVector<int> mask;
      for (unsigned lane = 0; lane < 2 * half; ++lane)
        mask.push_back(int(lane));
      pairs.push_back(b.CreateShuffleVector(parts[i], parts[i + 1], mask));
    }
    parts = std::move(pairs);
  }
  b.CreateRet(count < lanes ? slice(b, parts[0], 0, count) : parts[0]);
  return wrapper;
}

static Function *declare(Function &scalar, const VectorFunction &vector) {
  auto *type = FixedVectorType::get(scalar.getReturnType(), vector.lanes);
  auto *function = cast<Function>(
      scalar.getParent()
          ->getOrInsertFunction(
              vector.symbol,
              FunctionType::get(
                  type, SmallVector<Type *>(scalar.arg_size(), type), false))
          .getCallee());
  function->setAttributes(scalar.getAttributes());
  return function;
}

/// Whether a function is an elementary function of the C library.
static bool isElementary(const Function &function) {
  return function.isDeclaration() &&
         any_of(functionAddresses(), [&](const FunctionAddress &known) {
           return function.getName() == known.symbol;
         });
}

static std::optional<VectorFunction> vectorFunction(const Function &scalar,
                                                    VectorUnit unit) {
  return findVectorFunction(scalar.getName(), scalar.arg_size(),
                            scalar.getReturnType()->isFloatTy() ? 4 : 8, unit);
}

bool kern::compiler::host::isVectorWrapper(const Function &function) {
  return function.getName().starts_with(wrapperPrefix);
}

bool kern::compiler::host::callsVectorFunctions(const Module &module,
                                                VectorUnit unit) {
  return any_of(module, [&](const Function &function) {
    return isElementary(function) && !function.use_empty() &&
           vectorFunction(function, unit);
  });
}

/// Tells the calls of `scalar` its wrappers, which go to `keep`.
static void offer(Function &scalar, Wrappers wrappers,
                  SmallVectorImpl<GlobalValue *> &keep) {
  std::string variants;
  for (unsigned count : loopLanes) {
    Function *wrapper = wrappers.make(count);
    keep.push_back(wrapper);
    variants += (variants.empty() ? "" : ",") + std::string("_ZGV_LLVM_N") +
                std::to_string(count) + std::string(scalar.arg_size(), 'v') +
                "_" + scalar.getName().str() + "(" + wrapper->getName().str() +
                ")";
  }
  for (User *user : scalar.users())
    if (auto *call = dyn_cast<CallInst>(user))
      call->addFnAttr(Attribute::get(scalar.getContext(),
                                     VFABI::MappingsAttrName, variants));
}

/// Declares the C library's fmod of the type of `division`.
static Function &declareRemainder(Function &division) {
  const char *name = division.getReturnType()->isFloatTy() ? "fmodf" : "fmod";
  auto *library = cast<Function>(
      division.getParent()
          ->getOrInsertFunction((scalarPrefix + Twine(name)).str(),
                                division.getFunctionType())
          .getCallee());
  library->setAttributes(division.getAttributes());
  return *library;
}

/// Defines `lanes` of a division, or one for one lane.
static Function *defineLanes(Function &scalar, Division division,
                             unsigned lanes, const Twine &name) {
  Function &library = declareRemainder(scalar);
  const std::string exactName = (library.getName() + "." + Twine(lanes)).str();
  Function *exact = scalar.getParent()->getFunction(exactName);
  if (!exact)
    exact = defineRemainder(library, lanes, exactName);
  Function *function =
      Function::Create(exact->getFunctionType(), GlobalValue::InternalLinkage,
                       name, *scalar.getParent());
  function->setAttributes(scalar.getAttributes());
  defineDivision(*function, division, {roundedQuotient, exact});
  return function;
}

static void offerDivision(Function &scalar, Division division, VectorUnit unit,
                          SmallVectorImpl<GlobalValue *> &keep) {
  if (unit == VectorUnit::Sse)
    return defineLongDivision(scalar, division, declareRemainder(scalar));
  unsigned registerBits = 128u << unsigned(unit);
  unsigned lanes = registerBits / scalar.getReturnType()->getScalarSizeInBits();
  const std::string name = (wrapperPrefix + scalar.getName()).str();
  Function *ofOne = defineLanes(scalar, division, 1, name + ".one");
  keep.push_back(ofOne);
  // Optimised once, not in each wrapper.
  Function *whole = defineLanes(scalar, division, lanes, name + ".whole");
  whole->removeFnAttr(Attribute::AlwaysInline);
  whole->addFnAttr(Attribute::NoInline);
  whole->addFnAttr(lateAttribute);
  offer(scalar, Wrappers(scalar, lanes, whole), keep);
  // Last, as the others have copies of the function's attributes.
  scalar.addFnAttr(vectorAttribute, ofOne->getName());
}

void kern::compiler::host::offerVectorFunctions(Module &module,
                                                VectorUnit unit) {
  SmallVector<Function *> scalars;
  for (Function &function : module)
    if (isElementary(function) || divisionOf(function.getName()))
      scalars.push_back(&function);
  SmallVector<GlobalValue *> keep;
  for (Function *scalar : scalars) {
    if (std::optional<Division> division = divisionOf(scalar->getName())) {
      offerDivision(*scalar, *division, unit, keep);
      continue;
    }
    auto vector = vectorFunction(*scalar, unit);
    if (!vector)
      continue;
    offer(*scalar, Wrappers(*scalar, vector->lanes, declare(*scalar, *vector)),
          keep);
    scalar->addFnAttr(vectorAttribute, vector->symbol);
  }
  if (!keep.empty())
    appendToCompilerUsed(module, keep);
}

/// Replaces a scalar call by the first lane of a call of `vector`, or by a call
/// of it, if it takes numbers.
static void widen(CallInst &call, Function &vector) {
  if (!vector.getReturnType()->isVectorTy())
    return call.setCalledFunction(&vector);
  IRBuilder<> b(&call);
  unsigned lanes =
      cast<FixedVectorType>(vector.getReturnType())->getNumElements();
  SmallVector<Value *> arguments;
  for (Value *argument : call.args())
    arguments.push_back(b.CreateVectorSplat(lanes, argument));
  Value *result =
      b.CreateExtractElement(b.CreateCall(&vector, arguments), uint64_t(0));
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

void kern::compiler::host::settleVectorFunctions(Module &module) {
  SmallVector<std::pair<CallInst *, Function *>> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->hasFnAttribute(vectorAttribute))
        continue;
      StringRef symbol =
          callee->getFnAttribute(vectorAttribute).getValueAsString();
      if (Function *vector = module.getFunction(symbol))
        calls.push_back({call, vector});
    }
  for (auto [call, vector] : calls)
    widen(*call, *vector);
  for (Function &function : module)
    if (function.hasFnAttribute(lateAttribute)) {
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
    }
  removeFromUsedLists(module, [](Constant *constant) {
    return constant->getName().starts_with(wrapperPrefix);
  });
}
