//===- Specialize.cpp - polymorphic to typed functions --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specialize.h"

#include "compiler/lowering/Locations.h"
#include "compiler/specialize/Application.h"
#include "dialects/Kern/ElementTypes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kern {

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

bool isGeneric(FuncOp func) {
  return llvm::any_of(func.parameterInfos(), [](OperandAttr parameter) {
    return !parameter.getIsDim() && isa<UnitAttr>(parameter.getType());
  });
}

static llvm::StringMap<DType> row(FuncOp func, size_t index) {
  llvm::StringMap<DType> variables;
  auto types = cast<ArrayAttr>(func.getLoops()[index]);
  for (auto [name, type] : llvm::zip(
           func.getTypeVars().getAsRange<StringAttr>(),
           types.getAsValueRange<TypeAttr>()))
    variables[name.getValue()] = *toDType(type);
  return variables;
}

static std::optional<DType> declaredType(Attribute type,
                                         const llvm::StringMap<DType> &row) {
  if (auto fixed = dyn_cast<TypeAttr>(type))
    return toDType(fixed.getValue());
  if (auto variable = dyn_cast<StringAttr>(type))
    return row.lookup(variable.getValue());
  return std::nullopt;
}

std::optional<Specialization> declaredLoop(FuncOp func, size_t index) {
  Specialization request{row(func, index), {}};
  for (OperandAttr parameter : func.parameterInfos()) {
    if (parameter.getIsDim())
      continue;
    std::optional<DType> type =
        declaredType(parameter.getType(), request.variables);
    if (!type)
      return std::nullopt;
    request.parameters.push_back({ValueType::Typed, *type});
  }
  return request;
}

static ValueType toValueType(ArgType argument) {
  switch (argument.form) {
  case ArgType::Form::Typed:
    return {ValueType::Typed, argument.dtype};
  case ArgType::Form::WeakInt:
    return {ValueType::WeakInt, DType::I64};
  case ArgType::Form::WeakFloat:
    return {ValueType::WeakFloat, DType::F64};
  case ArgType::Form::WeakComplex:
    return {ValueType::WeakComplex, DType::C128};
  }
  llvm_unreachable("all forms are handled");
}

static bool casts(ArgType argument, DType to) {
  switch (argument.form) {
  case ArgType::Form::Typed:
    return canCastSafely(argument.dtype, to);
  case ArgType::Form::WeakInt:
    return to != DType::Bool;
  case ArgType::Form::WeakFloat:
    return isFloat(to) || isComplex(to);
  case ArgType::Form::WeakComplex:
    return isComplex(to);
  }
  llvm_unreachable("all forms are handled");
}

std::optional<Specialization>
specializationFor(FuncOp func, ArrayRef<ArgType> arguments) {
  SmallVector<OperandAttr> parameters;
  for (OperandAttr parameter : func.parameterInfos())
    if (!parameter.getIsDim())
      parameters.push_back(parameter);
  if (arguments.size() != parameters.size())
    return std::nullopt;
  for (bool exact : {true, false})
    for (size_t index = 0; index < func.getLoops().size(); ++index) {
      Specialization request{row(func, index), {}};
      bool fits = true;
      for (auto [parameter, argument] : llvm::zip(parameters, arguments)) {
        std::optional<DType> type =
            declaredType(parameter.getType(), request.variables);
        if (!type) {
          request.parameters.push_back(toValueType(argument));
          continue;
        }
        fits &= exact ? argument == ArgType::typed(*type)
                      : casts(argument, *type);
        request.parameters.push_back({ValueType::Typed, *type});
      }
      if (fits)
        return request;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Typed code
//===----------------------------------------------------------------------===//

namespace {
class Specializer {
public:
  Specializer(FuncOp func, const Specialization &request, OpBuilder &builder,
              DiagnosticEngine *diagnostics)
      : func(func), request(request), types(func, request), builder(builder),
        context(builder.getContext()), diagnostics(diagnostics) {}

  FailureOr<FuncOp> run();

private:
  //===--- Values ---------------------------------------------------------===//

  Type typeOf(ValueType type) { return toType(context, type.carrier()); }

  /// The type of a value; reports, once, that it could not be found.
  std::optional<ValueType> need(Value value, Location loc) {
    std::optional<ValueType> type = types.type(value);
    if (!type && !failed)
      report(Diag::internal_error, loc, {"type inference", "no type was found"});
    return type;
  }

  /// The typed value of `value`, converted to `type`. Null after an error.
  Value get(Value value, DType type, Location loc) {
    if (auto constant = value.getDefiningOp<ConstantOp>())
      return typedConstant(constant, type, loc);
    Value typed = values.lookup(value);
    if (!typed)
      return nullptr;
    noteMeeting(value, type);
    return convert(typed, type, loc);
  }

  /// A weak integer argument is range-checked at the call against the types
  /// that it meets; a conversion that is written out wraps instead.
  void noteMeeting(Value value, DType type) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &func.getBody().front() ||
        argument.getArgNumber() >= request.parameters.size() || isConverting)
      return;
    unsigned number = argument.getArgNumber();
    if (request.parameters[number].form == ValueType::WeakInt &&
        isInteger(type) && type != DType::I64)
      meets[number] |= DTypeSet::of(type).bits;
  }

  Value convert(Value typed, DType type, Location loc) {
    Type target = toType(context, type);
    if (typed.getType() == target)
      return typed;
    return CastOp::create(builder, loc, target, typed, TypeAttr::get(target),
                          CastModeAttr::get(context, CastMode::Explicit));
  }

  Value typedConstant(ConstantOp constant, DType type, Location loc);

  /// Checks the conversions that happen by themselves: of results, stores and
  /// annotated variables.
  bool checkSameKind(Value value, DType to, Diag diag, Location loc) {
    std::optional<ValueType> from = need(value, loc);
    if (!from)
      return false;
    bool ok = false;
    switch (from->form) {
    case ValueType::Typed:
      ok = canCastSameKind(from->dtype, to);
      break;
    case ValueType::WeakInt:
    case ValueType::Index:
      ok = to != DType::Bool;
      break;
    case ValueType::WeakFloat:
      ok = isFloat(to) || isComplex(to);
      break;
    case ValueType::WeakComplex:
      ok = isComplex(to);
      break;
    }
    if (!ok) {
      std::string help = "convert it: `" + std::string(name(to)) + "(…)`";
      if (!from->isWeak() && isComplex(from->dtype) && !isComplex(to))
        help = "take `real(…)`, or `abs(…)`";
      report(diag, loc, {describe(*from), std::string(name(to))}, help);
    }
    return ok;
  }

  //===--- Structure ------------------------------------------------------===//

  void cloneRegion(Region &from, Region &to);
  void cloneBlock(Block &from);
  void clone(Operation &op);
  void cloneApply(ApplyOp apply);
  void cloneReduce(ReduceOp reduce);
  void cloneReturn(ReturnOp op);
  void cloneBranch(Operation &op);
  void branchTo(Block *target, ValueRange operands, Location loc,
                SmallVectorImpl<Value> &typed);
  bool indices(ValueRange from, SmallVectorImpl<Value> &to, Location loc);
  bool findResultTypes();
  std::optional<DType> resolve(Attribute type) {
    return declaredType(type, request.variables);
  }

  //===--- Messages -------------------------------------------------------===//

  void report(Diag id, Location loc, std::initializer_list<std::string> args,
              std::string help = "");
  std::string specializationText();

  FuncOp func;
  const Specialization &request;
  InferredTypes types;
  OpBuilder &builder;
  MLIRContext *context;
  DiagnosticEngine *diagnostics;
  DenseMap<Value, Value> values;
  DenseMap<Block *, Block *> blocks;
  SmallVector<DType> resultTypes;
  DType yieldType = DType::F64; ///< of the reduction being cloned
  SmallVector<int64_t> meets;
  bool isConverting = false;
  bool failed = false;
};
} // namespace

void Specializer::report(Diag id, Location loc,
                         std::initializer_list<std::string> args,
                         std::string help) {
  bool isError = info(id).severity == Severity::Error;
  failed |= isError;
  if (!diagnostics) {
    if (isError)
      emitError(loc) << fill(info(id).text, args);
    return;
  }
  const SourceManager &sources = diagnostics->sourceManager();
  std::optional<Span> span = toSpan(sources, loc);
  Diagnostic &diagnostic = diagnostics->report(id, span.value_or(Span{}), args);
  if (!diagnostic.notes.empty() || !diagnostic.help.empty())
    return;
  diagnostic.help = std::move(help);
  for (Span caller : callers(sources, loc))
    diagnostic.notes.push_back({caller, "called from here"});
  std::optional<Span> header = toSpan(sources, func.getLoc());
  if (isError && header && !request.parameters.empty())
    diagnostic.notes.push_back(
        {*header, "in the loop " + specializationText()});
}

std::string Specializer::specializationText() {
  std::string text = func.getSymName().str() + "(";
  for (auto [index, type] : llvm::enumerate(request.parameters)) {
    if (index)
      text += ", ";
    text += type.isWeak() ? describe(type).substr(2) : describe(type);
  }
  return text + ")";
}

Value Specializer::typedConstant(ConstantOp constant, DType type,
                                 Location loc) {
  Attribute value = constant.getValue();
  auto number = [&](double real) -> Attribute {
    if (!isComplex(type))
      return builder.getF64FloatAttr(real);
    return builder.getArrayAttr(
        {builder.getF64FloatAttr(real), builder.getF64FloatAttr(0)});
  };
  if (auto integer = dyn_cast<IntegerAttr>(value);
      integer && !isa<BoolAttr>(value)) {
    APInt bits = integer.getValue();
    if (isFloat(type) || isComplex(type)) {
      // Not APInt's own conversion, which is wrong for negative numbers of two
      // words (LLVM 22).
      const uint64_t *words = bits.getRawData();
      value = number(double(__int128(words[1]) << 64 | words[0]));
    } else if (isInteger(type)) {
      unsigned width = unsigned(itemSize(type)) * 8;
      bool fits = isSigned(type) ? bits.isSignedIntN(width)
                                 : !bits.isNegative() && bits.isIntN(width);
      if (!fits) {
        SmallString<40> text;
        bits.toStringSigned(text);
        report(Diag::integer_out_of_range, loc,
               {text.str().str(), std::string(name(type))},
               "write a type that holds it, such as `i64(" + text.str().str() +
                   ")`");
        return nullptr;
      }
    } else {
      value = builder.getBoolAttr(!bits.isZero());
    }
  } else if (auto flag = dyn_cast<BoolAttr>(value)) {
    if (isInteger(type))
      value = IntegerAttr::get(builder.getIntegerType(128), flag.getValue());
    else if (type != DType::Bool)
      value = number(flag.getValue());
  } else if (auto real = dyn_cast<FloatAttr>(value)) {
    if (isComplex(type)) {
      value = number(real.getValueAsDouble());
    } else if (!isFloat(type)) {
      // Only an explicit conversion comes here: the cast does it.
      Value wide = ConstantOp::create(
          builder, loc, toType(context, DType::F64), value);
      return convert(wide, type, loc);
    }
  } else if (!isComplex(type)) {
    report(Diag::complex_to_real, loc,
           {"number", std::string(name(type))}, "take `real(z)`");
    return nullptr;
  }
  return ConstantOp::create(builder, loc, toType(context, type), value);
}

bool Specializer::indices(ValueRange from, SmallVectorImpl<Value> &to,
                          Location loc) {
  for (Value index : from) {
    std::optional<ValueType> type = need(index, loc);
    if (!type)
      return false;
    if (!isInteger(type->carrier())) {
      report(Diag::index_type, loc, {describe(*type)},
             "convert it: `int(…)`");
      return false;
    }
    to.push_back(get(index, DType::I64, loc));
    if (!to.back())
      return false;
  }
  return true;
}

void Specializer::cloneApply(ApplyOp apply) {
  SmallVector<ValueType> operands;
  for (Value operand : apply.getOperands()) {
    std::optional<ValueType> type = need(operand, apply.getLoc());
    if (!type)
      return;
    operands.push_back(*type);
  }
  const ScalarFunction *function = findScalarFunction(apply.getFunction());
  std::optional<Application> application =
      resolveApplication(*function, operands);
  if (!application) {
    std::string text;
    for (ValueType type : operands)
      text += (text.empty() ? "" : ", ") + describe(type);
    std::string help;
    if (function->rule == LoopRule::Bitwise ||
        function->rule == LoopRule::Integer)
      help = "it is a function of integers";
    else if (llvm::is_contained({"subtract", "negative"}, function->name))
      help = "use `^` or `not` on bools, or convert them: `int(…)`";
    report(Diag::no_function_for_type, apply.getLoc(),
           {function->name.str(), text}, help);
    return;
  }
  if (function->rule == LoopRule::Power &&
      isInteger(application->loop.inputs[0]))
    if (auto exponent = apply.getOperands()[1].getDefiningOp<ConstantOp>())
      if (auto number = dyn_cast<IntegerAttr>(exponent.getValue());
          number && number.getValue().isNegative()) {
        report(Diag::negative_power, apply.getLoc(), {},
               "make the base a float: `float(x) ** n`");
        return;
      }
  // A float wider than every float operand costs time where none was asked for.
  DType widest = DType::Bool;
  for (ValueType type : operands)
    if (!type.isWeak() && isFloat(type.dtype))
      widest = std::max(widest, type.dtype);
  DType computed = application->loop.inputs[0];
  if (widest != DType::Bool && operands.size() == 2 && isFloat(computed) &&
      computed > widest && computed == DType::F64)
    report(Diag::wider_float, apply.getLoc(),
           {describe(operands[0]), describe(operands[1]),
            std::string(name(computed))});

  SmallVector<Value> typed;
  for (auto [operand, type] :
       llvm::zip(apply.getOperands(), application->loop.inputs)) {
    typed.push_back(get(operand, type, apply.getLoc()));
    if (!typed.back())
      return;
  }
  SmallVector<Type> results;
  for (DType type : application->loop.outputs)
    results.push_back(toType(context, type));
  auto made = ApplyOp::create(builder, apply.getLoc(), results,
                              apply.getFunctionAttr(), typed);
  for (auto [from, to] : llvm::zip(apply.getResults(), made.getResults()))
    values[from] = to;
}

void Specializer::cloneReduce(ReduceOp reduce) {
  std::optional<ValueType> element;
  for (Block &block : reduce.getBody())
    if (auto yield = dyn_cast<YieldOp>(block.getTerminator()))
      element = types.type(yield.getValue());
  std::optional<ValueType> result =
      element ? reductionType(reduce.getKind(), *element) : std::nullopt;
  if (element && !result) {
    report(Diag::reduction_type, reduce.getLoc(),
           {stringifyReduceKind(reduce.getKind()).str(), describe(*element)});
    return;
  }
  SmallVector<Value> bounds;
  if (!indices({reduce.getLower(), reduce.getUpper(), reduce.getStep()}, bounds,
               reduce.getLoc()))
    return;
  // Half floats accumulate in f32 and round once.
  DType accumulator = result ? result->carrier() : DType::F32;
  bool isHalf = accumulator == DType::F16 || accumulator == DType::BF16;
  bool isPosition = reduce.getKind() == ReduceKind::ArgMin ||
                    reduce.getKind() == ReduceKind::ArgMax;
  if (isHalf && reduce.getKind() != ReduceKind::Min &&
      reduce.getKind() != ReduceKind::Max)
    accumulator = DType::F32;
  auto made = ReduceOp::create(builder, reduce.getLoc(),
                               toType(context, accumulator), reduce.getKind(),
                               bounds[0], bounds[1], bounds[2]);
  {
    OpBuilder::InsertionGuard guard(builder);
    DType outer = yieldType;
    if (element)
      yieldType = isPosition ? element->carrier() : accumulator;
    cloneRegion(reduce.getBody(), made.getBody());
    yieldType = outer;
  }
  if (result)
    values[reduce.getResult()] =
        convert(made.getResult(), result->carrier(), reduce.getLoc());
}

void Specializer::cloneReturn(ReturnOp op) {
  SmallVector<Value> typed;
  size_t index = 0;
  for (auto [result, type] : llvm::zip(func.resultInfos(), resultTypes)) {
    if (!result.getCore().empty())
      continue;
    Value value = op.getValues()[index++];
    if (!checkSameKind(value, type, Diag::return_cast, op.getLoc()))
      return;
    typed.push_back(get(value, type, op.getLoc()));
    if (!typed.back())
      return;
  }
  ReturnOp::create(builder, op.getLoc(), typed);
}

void Specializer::branchTo(Block *target, ValueRange operands, Location loc,
                           SmallVectorImpl<Value> &typed) {
  for (auto [argument, operand] : llvm::zip(target->getArguments(), operands)) {
    std::optional<ValueType> type = types.type(argument);
    // An argument without a type is not used on any path that is taken.
    if (!type)
      continue;
    if (argument.getType().isInteger(1))
      typed.push_back(get(operand, DType::Bool, loc));
    else
      typed.push_back(get(operand, type->carrier(), loc));
    if (!typed.back())
      return;
  }
}

void Specializer::cloneBranch(Operation &op) {
  SmallVector<Value> operands;
  if (auto branch = dyn_cast<cf::BranchOp>(op)) {
    branchTo(branch.getDest(), branch.getDestOperands(), op.getLoc(), operands);
    if (!failed)
      cf::BranchOp::create(builder, op.getLoc(), blocks[branch.getDest()],
                           operands);
    return;
  }
  auto branch = cast<cf::CondBranchOp>(op);
  if (std::optional<bool> taken = types.known(branch.getCondition())) {
    cf::BranchOp::create(
        builder, op.getLoc(),
        blocks[*taken ? branch.getTrueDest() : branch.getFalseDest()]);
    return;
  }
  Value condition = get(branch.getCondition(), DType::Bool, op.getLoc());
  if (condition)
    cf::CondBranchOp::create(builder, op.getLoc(), condition,
                             blocks[branch.getTrueDest()],
                             blocks[branch.getFalseDest()]);
}

void Specializer::clone(Operation &op) {
  Location loc = op.getLoc();
  auto carry = [&](Value value) -> Value {
    std::optional<ValueType> type = need(value, loc);
    return type ? get(value, type->carrier(), loc) : Value();
  };
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](ApplyOp apply) { cloneApply(apply); })
      .Case([&](ReduceOp reduce) { cloneReduce(reduce); })
      .Case([&](ReturnOp ret) { cloneReturn(ret); })
      .Case<cf::BranchOp, cf::CondBranchOp>([&](auto) { cloneBranch(op); })
      .Case([&](ConstantOp) {}) // made typed where it is used
      .Case([&](CastOp cast) {
        std::optional<DType> target = resolve(cast.getTarget());
        std::optional<ValueType> from = need(cast.getValue(), loc);
        if (!target || !from)
          return;
        if (isComplex(from->carrier()) && !isComplex(*target) &&
            *target != DType::Bool) {
          report(Diag::complex_to_real, loc,
                 {from->isWeak() ? "number" : describe(*from),
                  std::string(name(*target))},
                 "take `real(z)`, `imag(z)` or `abs(z)`");
          return;
        }
        if (cast.getMode() == CastMode::SameKind &&
            !checkSameKind(cast.getValue(), *target, Diag::annotation_cast,
                           loc))
          return;
        isConverting = cast.getMode() == CastMode::Explicit;
        if (Value value = get(cast.getValue(), *target, loc))
          values[cast.getResult()] = value;
        isConverting = false;
      })
      .Case([&](TruthOp truth) {
        if (Value value = carry(truth.getValue())) {
          if (!value.getType().isInteger(1))
            value = TruthOp::create(builder, loc, builder.getI1Type(), value);
          values[truth.getResult()] = value;
        }
      })
      .Case([&](TypeIsOp typeIs) {
        bool is = types.known(typeIs.getResult()).value_or(false);
        values[typeIs.getResult()] = ConstantOp::create(
            builder, loc, builder.getI1Type(), builder.getBoolAttr(is));
      })
      .Case<AccumulatorOp>([&](AccumulatorOp carried) {
        std::optional<ValueType> type = need(carried.getResult(), loc);
        if (!type)
          return;
        if (Value value = get(carried.getValue(), type->carrier(), loc))
          values[carried.getResult()] = value;
      })
      .Case([&](IndexOp index) {
        std::optional<ValueType> type = need(index.getValue(), loc);
        if (!type)
          return;
        if (!isInteger(type->carrier())) {
          report(Diag::index_type, loc, {describe(*type)},
                 "convert it: `int(…)`");
          return;
        }
        if (Value value = get(index.getValue(), DType::I64, loc))
          values[index.getResult()] = value;
      })
      .Case([&](DimOp dim) {
        values[dim.getResult()] = DimOp::create(
            builder, loc, toType(context, DType::I64), dim.getDimAttr());
      })
      .Case([&](LoadOp load) {
        std::optional<ValueType> type = need(load.getResult(), loc);
        SmallVector<Value> at;
        if (type && indices(load.getIndices(), at, loc))
          values[load.getResult()] =
              LoadOp::create(builder, loc, typeOf(*type),
                             values.lookup(load.getArray()), at);
      })
      .Case([&](StoreOp store) {
        std::optional<ValueType> type = need(store.getArray(), loc);
        SmallVector<Value> at;
        if (!type || !indices(store.getIndices(), at, loc) ||
            !checkSameKind(store.getValue(), type->carrier(),
                           Diag::annotation_cast, loc))
          return;
        if (Value value = get(store.getValue(), type->carrier(), loc))
          StoreOp::create(builder, loc, value, values.lookup(store.getArray()),
                          at);
      })
      .Case([&](ParallelOp parallel) {
        SmallVector<Value> lowers, uppers, steps;
        if (!indices(parallel.getLowers(), lowers, loc) ||
            !indices(parallel.getUppers(), uppers, loc) ||
            !indices(parallel.getSteps(), steps, loc))
          return;
        auto made = ParallelOp::create(builder, loc, lowers, uppers, steps);
        OpBuilder::InsertionGuard guard(builder);
        cloneRegion(parallel.getBody(), made.getBody());
      })
      .Case([&](YieldOp yield) {
        Value value, keep;
        if (yield.getValue()) {
          value = get(yield.getValue(), yieldType, loc);
          if (!value)
            return;
        }
        if (yield.getKeep())
          keep = get(yield.getKeep(), DType::Bool, loc);
        YieldOp::create(builder, loc, value, keep);
      })
      .Default([&](Operation *) {
        report(Diag::internal_error, loc,
               {"specialisation", op.getName().getStringRef().str()});
      });
}

void Specializer::cloneBlock(Block &from) {
  builder.setInsertionPointToEnd(blocks[&from]);
  for (Operation &op : from) {
    if (failed)
      return;
    clone(op);
  }
}

void Specializer::cloneRegion(Region &from, Region &to) {
  for (Block &block : from) {
    if (!types.isLive(&block))
      continue;
    auto *made = new Block();
    to.push_back(made);
    blocks[&block] = made;
    for (BlockArgument argument : block.getArguments()) {
      std::optional<ValueType> type = types.type(argument);
      if (!type)
        continue;
      Type typed = typeOf(*type);
      if (auto array = dyn_cast<ArrayType>(argument.getType()))
        typed = ArrayType::get(context, typed, array.getRank());
      values[argument] = made->addArgument(typed, argument.getLoc());
    }
  }
  // Values are used only where their definition dominates, and dominators come
  // first in the order in which blocks are reached.
  SmallVector<Block *> order;
  llvm::SmallPtrSet<Block *, 16> seen;
  SmallVector<std::pair<Block *, unsigned>> stack{{&from.front(), 0}};
  seen.insert(&from.front());
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next < block->getNumSuccessors()) {
      Block *successor = block->getSuccessor(next++);
      if (types.isLive(successor) && seen.insert(successor).second)
        stack.push_back({successor, 0});
      continue;
    }
    order.push_back(block);
    stack.pop_back();
  }
  for (Block *block : llvm::reverse(order)) {
    cloneBlock(*block);
    if (failed)
      return;
  }
  // Blocks that a decided branch turns away.
  for (Block &block : from)
    if (Block *made = blocks.lookup(&block); made && made->empty())
      made->erase();
}

bool Specializer::findResultTypes() {
  size_t scalar = 0, array = request.parameters.size();
  for (OperandAttr result : func.resultInfos()) {
    std::optional<DType> type = resolve(result.getType());
    bool isArray = !result.getCore().empty();
    if (!type && isArray) {
      if (std::optional<ValueType> found =
              types.type(func.getBody().getArgument(array)))
        type = found->carrier();
    } else if (!type) {
      TypeSet set;
      func.getBody().walk([&](ReturnOp op) {
        if (types.isLive(op->getBlock()))
          if (std::optional<ValueType> found =
                  types.type(op.getValues()[scalar]))
            set.add(*found);
      });
      if (!set.empty())
        type = set.type().carrier();
    }
    (isArray ? array : scalar) += 1;
    // Without a type here some value has an error; cloning will report it.
    resultTypes.push_back(type.value_or(DType::F64));
  }
  return true;
}

FailureOr<FuncOp> Specializer::run() {
  findResultTypes();
  meets.assign(request.parameters.size(), 0);
  std::string symbol = func.getSymName().str() + "_";
  for (ValueType type : request.parameters)
    symbol += "_" + (type.isWeak() ? std::string("weak_") : std::string()) +
              std::string(name(type.carrier()));
  SmallVector<Type> results;
  for (DType type : resultTypes)
    results.push_back(toType(context, type));

  OpBuilder::InsertionGuard guard(builder);
  auto made = FuncOp::create(
      builder, func.getLoc(), builder.getStringAttr(symbol), func.getKindAttr(),
      func.getParametersAttr(), func.getResultsAttr(), func.getDimsAttr(),
      func.getTypeVarsAttr(), func.getLoopsAttr(), func.getDocAttr(),
      func.getSymNameAttr(), builder.getTypeArrayAttr(results));
  cloneRegion(func.getBody(), made.getBody());
  if (failed) {
    made.getBody().walk([](Operation *op) { op->dropAllReferences(); });
    made.erase();
    return failure();
  }
  if (llvm::any_of(meets, [](int64_t bits) { return bits != 0; }))
    made->setAttr(meetsAttribute, builder.getDenseI64ArrayAttr(meets));
  return made;
}

FailureOr<FuncOp> specialize(FuncOp func, const Specialization &request,
                             OpBuilder &builder,
                             DiagnosticEngine *diagnostics) {
  return Specializer(func, request, builder, diagnostics).run();
}

} // namespace kern
