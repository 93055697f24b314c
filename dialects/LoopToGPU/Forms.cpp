//===- Forms.cpp - the forms of GPU kernels -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"

#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

OperandShapes kern::ir::loop::operandFacts(const KernelFacts &kernel) {
  OperandShapes facts{unsigned(kernel.inputs.size() + kernel.outputs.size()),
                      1,
                      kernel.hasScalarWork,
                      1,
                      kernel.isTiny,
                      kernel.isLong,
                      1,
                      kernel.isMasked};
  auto count = [&](const OperandFacts &operand, bool isMaybeScalar) {
    if (operand.isRange)
      return;
    unsigned size = storedSize(operand.element);
    facts.widest = std::max(facts.widest, size);
    if (!isMaybeScalar)
      facts.widestWithScalars = std::max(facts.widestWithScalars, size);
  };
  for (auto [i, input] : llvm::enumerate(kernel.inputs))
    count(input, i > 0);
  for (const OperandFacts &output : kernel.outputs) {
    count(output, false);
    facts.widestResult =
        std::max(facts.widestResult, storedSize(output.element));
  }
  return facts;
}

/// Emits assembly as a fence: LLVM moves no memory access across it, except
/// perhaps accesses through noalias pointers.
static void fence(KernelBuilder &b, StringRef assembly) {
  LLVM::InlineAsmOp::create(
      b, TypeRange(), ValueRange(), assembly,
      /*constraints=*/"~{memory}", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
}

LLVM::LLVMFuncOp kern::ir::loop::beginKernel(KernelBuilder &b,
                                             const KernelFacts &kernel,
                                             StringRef suffix,
                                             ArrayRef<Type> parameters,
                                             BlockLimit limit) {
  SmallVector<Type> types(parameters);
  if (kernel.hasChecks())
    types.push_back(b.pointerType());
  auto function = LLVM::LLVMFuncOp::create(
      b, kernel.symbol + "__" + suffix.str(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  types));
  makeKernel(function, limit, kernel.entry.waits);
  b.at(function.addEntryBlock(b));
  if (kernel.hasChecks())
    b.record = function.getArguments().back();
  // LLVM knows that the intrinsic accesses no memory, and would move loads
  // above it. Nothing moves above the first operation of a kernel.
  if (kernel.entry.waits)
    fence(b, "griddepcontrol.wait;");
  return function;
}

LLVM::LLVMFuncOp kern::ir::loop::beginUfunc(KernelBuilder &b,
                                            const KernelFacts &kernel,
                                            kern::runtime::Form form,
                                            ParameterCounts counts,
                                            unsigned block, bool disjoint) {
  SmallVector<Type> types = parameterTypes(b, kernel, counts);
  LLVM::LLVMFuncOp function = beginKernel(
      b, kernel, std::string(name(form)) + (disjoint ? "_disjoint" : ""), types,
      {block});
  unsigned pointers = 0;
  for (auto [i, type] : llvm::enumerate(types)) {
    if (!disjoint || !isa<LLVM::LLVMPointerType>(type))
      continue;
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
    if (pointers++ < kernel.inputs.size() && !kernel.entry.waits)
      function.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                          b.getUnitAttr());
  }
  return function;
}

static constexpr StringLiteral sharedSymbol = "__kern_tiles";
static constexpr unsigned sharedSpace = 3;

Value kern::ir::loop::dynamicSharedMemory(KernelBuilder &b,
                                          unsigned alignment) {
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto memory = module.lookupSymbol<LLVM::GlobalOp>(sharedSymbol);
  if (memory && memory.getAlignment() < alignment)
    memory.setAlignment(alignment);
  if (!memory) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External,
                           sharedSymbol, Attribute(), alignment, sharedSpace);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), sharedSpace), sharedSymbol);
}

ThreadPlace::ThreadPlace(KernelBuilder &b)
    : thread(b.widen(readRegister(b, Register::ThreadX))),
      block(b.widen(readRegister(b, Register::BlockX))) {}

SmallVector<Value>
kern::ir::loop::offsets(KernelBuilder &b, Value index, ArrayRef<Value> extents,
                        ArrayRef<SmallVector<Value>> strides) {
  SmallVector<Type> types(strides.size(), b.getI64Type());
  SmallVector<Value> sums(strides.size(), b.i64(0));
  if (extents.empty())
    return sums;
  Block *done = b.block(types);
  auto plus = [&](unsigned d, Value digit) {
    SmallVector<Value> next;
    for (auto [sum, row] : llvm::zip(sums, strides))
      next.push_back(b.add(sum, b.mul(digit, row[d])));
    return next;
  };
  for (unsigned d = 0; d + 1 < extents.size(); ++d) {
    Value further = b.i64(0);
    for (Value extent : extents.drop_front(d + 1))
      further = b.bitOr(further, b.sub(extent, b.i64(1)));
    Value isLast = b.compare(Predicate::eq, further, b.i64(0));
    Block *last = b.block(), *more = b.block();
    b.branch(isLast, last, more);
    b.at(last);
    b.branch(done, plus(d, index));
    b.at(more);
    sums = plus(d, b.rem(index, extents[d]));
    index = b.div(index, extents[d]);
  }
  b.branch(done, plus(extents.size() - 1, index));
  b.at(done);
  return SmallVector<Value>(done->getArguments());
}

void kern::ir::loop::holdLoads(KernelBuilder &b) { fence(b, ""); }

Value kern::ir::loop::bit(KernelBuilder &b, Value word, unsigned index) {
  Value masked = b.bitAnd(word, b.i64(int64_t(uint64_t(1) << index)));
  return b.compare(Predicate::ne, masked, b.i64(0));
}

Value kern::ir::loop::scalarOrElement(KernelBuilder &b,
                                      const EntryOperand &input,
                                      Value address) {
  if (input.isRange)
    return numberAt(b, input, address);
  Type element = input.element;
  Block *array = b.block(), *done = b.block(TypeRange{valueType(element)});
  b.branch(input.isScalar, done, array, b.fromWords(element, input.words));
  b.at(array);
  b.branch(done, b.load(element, address));
  b.at(done);
  return done->getArgument(0);
}

void kern::ir::loop::countedLoop(KernelBuilder &b, Value count,
                                 llvm::function_ref<void(Value)> iteration) {
  Block *header = b.block(count.getType()), *body = b.block(),
        *done = b.block();
  Value i = header->getArgument(0);
  b.branch(header, b.i32(0));
  b.at(header);
  b.branch(b.compare(Predicate::ult, i, count), body, done);
  b.at(body);
  iteration(i);
  auto unroll = LLVM::LoopUnrollAttr::get(
      b.getContext(), /*disable=*/b.getBoolAttr(true), {}, {}, {}, {}, {}, {});
  auto annotation =
      LLVM::LoopAnnotationAttr::get(b.getContext(), {}, {}, {}, unroll, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}, {}, {});
  auto back = LLVM::BrOp::create(b, ValueRange(b.add(i, b.i32(1))), header);
  back.setLoopAnnotationAttr(annotation);
  b.at(done);
}
