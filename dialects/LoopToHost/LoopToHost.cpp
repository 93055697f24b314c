//===- LoopToHost.cpp - kernels for the CPU -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LoopToHost.h"

#include "dialects/Loop/Body.h"
#include "dialects/Loop/Entry.h"
#include "dialects/Loop/KernelFacts.h"
#include "dialects/Loop/SingleLane.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::loop;
using Predicate = Emitter::Predicate;

// The runtime hands over arrays wherever their owner put them.
static constexpr Memory hostMemory = {/*addressSpace=*/0, /*isAligned=*/false};

namespace {

/// Makes one entry point: a loop over n elements around the body.
class HostForm {
public:
  HostForm(Emitter &b, const KernelFacts &kernel, bool isUfunc,
           LLVM::LLVMFuncOp body)
      : b(b), kernel(kernel), isUfunc(isUfunc), body(body) {}

  void contiguous();
  void strided();
  void general();

private:
  struct Operand {
    Type element;
    unsigned rank = 0;
    Value pointer;
    Value stride; ///< null: the element's size
    SmallVector<Value> coreStrides;
  };

  void begin(StringRef form);
  /// The next word, as an integer or a pointer.
  Value word(Type type) {
    Value address =
        LLVM::GEPOp::create(b, words.getType(), b.getI64Type(), words,
                            ArrayRef<LLVM::GEPArg>{int32_t(next++)});
    return LLVM::LoadOp::create(b, type, address, 8);
  }
  void takeOperands(bool hasStrides);
  Value place(const Operand &operand, Value index) {
    if (operand.stride)
      return b.offset(operand.pointer, b.mul(index, operand.stride));
    return b.element(operand.pointer, storedType(operand.element), index);
  }
  void finish();

  Emitter &b;
  const KernelFacts &kernel;
  bool isUfunc;
  LLVM::LLVMFuncOp body;
  Value words;
  unsigned next = 0;
  Value count;
  SmallVector<Value> dims;
  SmallVector<Operand> operands;
};

} // namespace

void HostForm::begin(StringRef form) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto function = LLVM::LLVMFuncOp::create(
      b, kernel.symbol + "__" + form.str(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer}));
  Entry entry = kernel.entry;
  entry.form = form.str();
  setEntry(function, entry);
  b.at(function.addEntryBlock(b));
  words = function.getArgument(0);
  count = word(b.getI64Type());
}

void HostForm::takeOperands(bool hasStrides) {
  for (const auto &list : {kernel.inputs, kernel.outputs})
    for (const KernelFacts::Operand &facts : list) {
      Operand operand{
          facts.element, facts.rank, word(b.pointerType()), Value(), {}};
      if (hasStrides)
        operand.stride = word(b.getI64Type());
      for (unsigned i = 0; i < facts.rank; ++i)
        operand.coreStrides.push_back(word(b.getI64Type()));
      operands.push_back(operand);
    }
}

/// Operands of a ufunc are disjoint or the very same array, so that no
/// iteration sees another's results: the loop needs no checks for overlap.
static void markIndependent(Block *block, LLVM::BrOp latch) {
  MLIRContext *context = latch.getContext();
  auto group = LLVM::AccessGroupAttr::get(context);
  auto groups = ArrayAttr::get(context, group);
  for (Operation &op : *block) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      load.setAccessGroupsAttr(groups);
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      store.setAccessGroupsAttr(groups);
  }
  latch.setLoopAnnotationAttr(LLVM::LoopAnnotationAttr::get(
      context, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, group));
}

/// The loop, the call of the body, and the function's end.
void HostForm::finish() {
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *end = b.block();
  b.branch(header, b.i64(0));
  b.at(header);
  Value index = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, index, count), step, end);
  b.at(step);
  SmallVector<Value> arguments, addresses;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = place(operand, index);
    if (operand.rank > 0) {
      arguments.push_back(address);
      arguments.append(operand.coreStrides);
    } else if (k < kernel.inputs.size()) {
      arguments.push_back(b.load(operand.element, address));
    } else {
      addresses.push_back(address);
    }
  }
  arguments.append(dims);
  SmallVector<Value> results = b.call(body, arguments);
  for (auto [result, address] : llvm::zip(results, addresses))
    b.store(result, address);
  auto latch = LLVM::BrOp::create(b, b.add(index, b.i64(1)), header);
  if (isUfunc)
    markIndependent(step, latch);
  b.at(end);
  b.ret();
}

void HostForm::contiguous() {
  begin("contiguous");
  takeOperands(/*hasStrides=*/false);
  finish();
}

void HostForm::strided() {
  begin("strided");
  takeOperands(/*hasStrides=*/true);
  finish();
}

void HostForm::general() {
  begin("general");
  for (unsigned i = 0; i < kernel.dims; ++i)
    dims.push_back(word(b.getI64Type()));
  takeOperands(/*hasStrides=*/true);
  finish();
}

void kern::loop::lowerToHost(ModuleOp module, UfuncForms forms) {
  for (KernelOp kernel :
       llvm::make_early_inc_range(module.getOps<KernelOp>())) {
    KernelFacts facts(kernel);
    bool isUfunc = kernel.isUfunc();
    SingleLane lane;
    LLVM::LLVMFuncOp body = moveBody(kernel, hostMemory, lane);
    Emitter b(kernel.getLoc(), kernel.getContext(), hostMemory);
    auto emit = [&](void (HostForm::*form)()) {
      b.setInsertionPoint(kernel);
      (HostForm(b, facts, isUfunc, body).*form)();
    };
    if (!isUfunc)
      emit(&HostForm::general);
    if (isUfunc && forms.contiguous)
      emit(&HostForm::contiguous);
    if (isUfunc && forms.strided)
      emit(&HostForm::strided);
    kernel.erase();
  }
}

namespace {

struct LoopToHostPass : PassWrapper<LoopToHostPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LoopToHostPass)

  StringRef getArgument() const override { return "loop-to-host"; }
  StringRef getDescription() const override {
    return "Turn sequential kernels into entry points for the CPU";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    LLVM::LLVMDialect>();
  }
  void runOnOperation() override { lowerToHost(getOperation()); }
};

} // namespace

std::unique_ptr<Pass> kern::loop::createLoopToHostPass() {
  return std::make_unique<LoopToHostPass>();
}

void kern::loop::registerLoopToHostPass() {
  PassRegistration<LoopToHostPass>();
}
