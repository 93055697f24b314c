//===- Jit.cpp - typed ufuncs as machine code -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "test/unit/kerntoloop/Jit.h"

#include "compiler/library/Library.h"
#include "compiler/targets/FloatDivision.h"

#include "dialects/Loop/Loop.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;

namespace kern::test {

using namespace compiler;
using namespace ir;
using namespace runtime;

struct Jit::State {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

Jit::Jit(std::unique_ptr<State> state) : state(std::move(state)) {}
Jit::~Jit() = default;

//===----------------------------------------------------------------------===//
// Functions of slots
//===----------------------------------------------------------------------===//

static Value slotAddress(OpBuilder &b, Location loc, Value base, int64_t byte) {
  return LLVM::GEPOp::create(b, loc, base.getType(), b.getI8Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(byte)});
}

static Value loadSlot(OpBuilder &b, Location loc, Value base, int64_t byte,
                      Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    Value re = loadSlot(b, loc, base, byte, part);
    Value im =
        loadSlot(b, loc, base, byte + part.getIntOrFloatBitWidth() / 8, part);
    return complex::CreateOp::create(b, loc, type, re, im);
  }
  Type stored = type.isInteger(1) ? b.getI8Type() : type;
  Value value =
      LLVM::LoadOp::create(b, loc, stored, slotAddress(b, loc, base, byte));
  return stored == type ? value : arith::TruncIOp::create(b, loc, type, value);
}

static void storeSlot(OpBuilder &b, Location loc, Value base, int64_t byte,
                      Value value) {
  if (auto complex = dyn_cast<ComplexType>(value.getType())) {
    Type part = complex.getElementType();
    storeSlot(b, loc, base, byte, complex::ReOp::create(b, loc, value));
    storeSlot(b, loc, base, byte + part.getIntOrFloatBitWidth() / 8,
              complex::ImOp::create(b, loc, value));
    return;
  }
  if (value.getType().isInteger(1))
    value = arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
  LLVM::StoreOp::create(b, loc, value, slotAddress(b, loc, base, byte));
}

/// The kernel's body becomes a function of values, and its name that of a
/// function of slots which calls it.
static void makeFunctions(loop::KernelOp kernel) {
  OpBuilder b(kernel);
  Location loc = kernel.getLoc();
  SmallVector<Type> results =
      llvm::to_vector(kernel.getResultTypes().getAsValueRange<TypeAttr>());
  auto body = func::FuncOp::create(
      b, loc, ("body." + kernel.getSymName()).str(),
      b.getFunctionType(kernel.entry().getArgumentTypes(), results));
  body.setPrivate();
  body.getBody().takeBody(kernel.getBody());
  for (Block &block : body.getBody())
    if (auto exit = dyn_cast<loop::ReturnOp>(block.getTerminator())) {
      b.setInsertionPoint(exit);
      func::ReturnOp::create(b, loc, exit.getValues());
      exit.erase();
    }

  b.setInsertionPoint(kernel);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto entry = func::FuncOp::create(b, loc, kernel.getSymName(),
                                    b.getFunctionType({pointer, pointer}, {}));
  b.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> operands;
  for (auto [at, type] : llvm::enumerate(body.getArgumentTypes()))
    operands.push_back(loadSlot(b, loc, entry.getArgument(0),
                                int64_t(at * sizeof(Slot)), type));
  auto call = func::CallOp::create(b, loc, body, operands);
  for (auto [at, value] : llvm::enumerate(call.getResults()))
    storeSlot(b, loc, entry.getArgument(1), int64_t(at * sizeof(Slot)), value);
  func::ReturnOp::create(b, loc);
  kernel.erase();
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

/// LLVM for x86 holds bf16 values as f32 and converts where their bits are
/// wanted, by an instruction that flushes subnormals or a function that is not
/// there. So conversions are expanded into integer arithmetic, and after that
/// nothing but the bits is left of bf16.
static LogicalResult expandBFloat16(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  arith::populateExpandBFloat16Patterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();
  Type bits = IntegerType::get(module.getContext(), 16);
  auto carry = [&](Value value) {
    if (value.getType().isBF16())
      value.setType(bits);
  };
  module.walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), carry);
    llvm::for_each(op->getResults(), carry);
    OpBuilder builder(op);
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      auto lower = [&](Type type) { return type.isBF16() ? bits : type; };
      function.setFunctionType(builder.getFunctionType(
          llvm::map_to_vector(function.getArgumentTypes(), lower),
          llvm::map_to_vector(function.getResultTypes(), lower)));
    } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto value = dyn_cast<FloatAttr>(constant.getValue());
      if (value && value.getType().isBF16())
        constant.setValueAttr(
            IntegerAttr::get(bits, value.getValue().bitcastToAPInt()));
    }
  });
  module.walk([](arith::BitcastOp op) {
    if (op.getIn().getType() != op.getType())
      return;
    op.replaceAllUsesWith(op.getIn());
    op.erase();
  });
  return success();
}

static LogicalResult lowerToLLVM(ModuleOp module) {
  if (failed(expandBFloat16(module)))
    return failure();
  PassManager passes(module.getContext());
  passes.addPass(createConvertComplexToLLVMPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

static void optimise(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

/// The names that `kern::library` links and calls.
static void linkLibrary(llvm::Module &module) {
  for (llvm::Function &function : module) {
    std::optional<library::ElementaryFunction> called =
        library::ElementaryFunction::ofSymbol(function.getName());
    if (!function.isDeclaration() || !called)
      continue;
    if (llvm::StringRef symbol = library::symbol(*called); !symbol.empty())
      function.setName(symbol);
  }
  std::string symbol;
  Status linked =
      library::link(module, [&](const library::ElementaryFunction &function) {
        symbol = ("kern." + function.name + "." +
                  std::string(kern::runtime::name(function.type)))
                     .str();
        return StringRef(symbol);
      });
  if (!linked)
    ADD_FAILURE() << linked.error().message;
}

/// Defines quotients and remainders of floats as a target does.
static void defineDivisions(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    std::optional<Division> division = divisionOf(function.getName());
    if (!function.isDeclaration() || !division)
      continue;
    const char *name = function.getReturnType()->isFloatTy() ? "fmodf" : "fmod";
    llvm::FunctionCallee fmod =
        module.getOrInsertFunction(name, function.getFunctionType());
    defineDivision(
        function, *division,
        {roundedQuotient, llvm::cast<llvm::Function>(fmod.getCallee())});
  }
}

static llvm::Error defineLibrary(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto define = [&](const char *name, auto *address) {
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
#define UNARY(NAME)                                                            \
  define("kern." #NAME ".f32", static_cast<float (*)(float)>(::NAME##f));      \
  define("kern." #NAME ".f64", static_cast<double (*)(double)>(::NAME))
#define BINARY(NAME)                                                           \
  define("kern." #NAME ".f32",                                                 \
         static_cast<float (*)(float, float)>(::NAME##f));                     \
  define("kern." #NAME ".f64", static_cast<double (*)(double, double)>(::NAME))
  // Approximations may be the functions themselves.
  define("kern.fast.exp.f32", static_cast<float (*)(float)>(::expf));
  define("kern.fast.log2.f32", static_cast<float (*)(float)>(::log2f));
  // Those of halves are f32's where a target has no other.
#define OF_HALVES(NAME)                                                        \
  define("kern.f16." #NAME ".f32", static_cast<float (*)(float)>(::NAME##f));  \
  define("kern.bf16." #NAME ".f32", static_cast<float (*)(float)>(::NAME##f))
  OF_HALVES(sin);
  OF_HALVES(cos);
  OF_HALVES(tan);
  OF_HALVES(log);
  OF_HALVES(log1p);
  OF_HALVES(log2);
  OF_HALVES(log10);
#undef OF_HALVES
  UNARY(exp);
  UNARY(exp2);
  UNARY(expm1);
  UNARY(log);
  UNARY(log2);
  UNARY(log10);
  UNARY(log1p);
  UNARY(sin);
  UNARY(cos);
  UNARY(tan);
  UNARY(asin);
  UNARY(acos);
  UNARY(atan);
  UNARY(sinh);
  UNARY(cosh);
  UNARY(tanh);
  UNARY(asinh);
  UNARY(acosh);
  UNARY(atanh);
  UNARY(cbrt);
  UNARY(erf);
  UNARY(erfc);
  UNARY(lgamma);
  UNARY(tgamma);
  BINARY(atan2);
  BINARY(hypot);
  BINARY(pow);
  define("fmodf", static_cast<float (*)(float, float)>(::fmodf));
  define("fmod", static_cast<double (*)(double, double)>(::fmod));
#undef UNARY
#undef BINARY
  return jit.getMainJITDylib().define(
      llvm::orc::absoluteSymbols(std::move(symbols)));
}

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
makeJit(std::unique_ptr<llvm::LLVMContext> context,
        std::unique_ptr<llvm::Module> module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  if (auto error = defineLibrary(**jit))
    return std::move(error);
  module->setDataLayout((*jit)->getDataLayout());
  linkLibrary(*module);
  defineDivisions(*module);
  optimise(*module);
  if (auto error = (*jit)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return std::move(error);
  return jit;
}

std::unique_ptr<Jit> Jit::compile(ModuleOp module) {
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<loop::KernelOp>()))
    makeFunctions(kernel);
  if (failed(lowerToLLVM(module))) {
    ADD_FAILURE() << "the lowering to LLVM failed";
    return nullptr;
  }
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, *context);
  if (!translated) {
    ADD_FAILURE() << "the translation to LLVM IR failed";
    return nullptr;
  }
  auto jit = makeJit(std::move(context), std::move(translated));
  if (!jit) {
    ADD_FAILURE() << llvm::toString(jit.takeError());
    return nullptr;
  }
  auto state = std::make_unique<State>();
  state->jit = std::move(*jit);
  return std::unique_ptr<Jit>(new Jit(std::move(state)));
}

Jit::Entry Jit::lookup(std::string_view symbol) const {
  auto address = state->jit->lookup(symbol);
  if (!address) {
    llvm::consumeError(address.takeError());
    return nullptr;
  }
  return address->toPtr<Entry>();
}

} // namespace kern::test
