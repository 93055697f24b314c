//===- Constants.cpp - constants with a decided type ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/TypedConstants.h"
#include "compiler/specialize/Specializer.h"
#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

/// The narrowest integer type that holds the value, unsigned if `like` is;
/// otherwise f64.
static DType typeFor(const APInt &value, DType like) {
  const bool wantsUnsigned = isUnsigned(like) && !value.isNegative();
  for (bool triesUnsigned : {wantsUnsigned, true})
    for (DType type : {DType::I8, DType::U8, DType::I16, DType::U16, DType::I32,
                       DType::U32, DType::I64, DType::U64})
      if (isUnsigned(type) == triesUnsigned && holdsInteger(type, value))
        return type;
  return DType::F64;
}

Value Specializer::zero(DType type, Location loc) {
  auto open =
      ConstantOp::create(builder, loc, OpenType::get(context),
                         IntegerAttr::get(builder.getIntegerType(128), 0));
  Value typed = typedConstant(open, type, loc);
  open.erase();
  return typed;
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
  if (std::optional<APInt> integer = constant.integer()) {
    const APInt &bits = *integer;
    if (isFloat(type) || isComplex(type)) {
      APFloat nearest(APFloat::IEEEdouble());
      nearest.convertFromAPInt(bits, /*IsSigned=*/true,
                               APFloat::rmNearestTiesToEven);
      if (nearest.isInfinity()) {
        report(Diag::integer_out_of_range, loc,
               {describeInteger(bits), std::string(name(type))});
        return nullptr;
      }
      value = number(nearest.convertToDouble());
    } else if (isInteger(type)) {
      if (!holdsInteger(type, bits)) {
        const std::string text = describeInteger(bits);
        const std::string wider(name(typeFor(bits, type)));
        report(Diag::integer_out_of_range, loc, {text, std::string(name(type))},
               bits.abs().getActiveBits() > 128
                   ? ""
                   : "write a type that holds it, such as `" + wider + "(" +
                         text + ")`");
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
      // Only explicit conversions get here; the cast does the work.
      Value wide =
          ConstantOp::create(builder, loc, toType(context, DType::F64), value);
      return convert(wide, type, loc);
    }
  } else if (auto parts = dyn_cast<ArrayAttr>(value);
             parts && type == DType::Bool) {
    value = builder.getBoolAttr(
        llvm::any_of(parts.getAsRange<FloatAttr>(),
                     [](FloatAttr part) { return !part.getValue().isZero(); }));
  } else if (!isComplex(type)) {
    report(Diag::complex_to_real, loc, {"number", std::string(name(type))},
           "take `real(z)`");
    return nullptr;
  }
  return ConstantOp::create(builder, loc, toType(context, type), value);
}

static std::optional<TypedConstant> constantOf(ConstantOp op) {
  if (std::optional<APInt> bits = op.integer()) {
    std::optional<Integer> integer = Integer::of(*bits);
    return integer ? std::optional(TypedConstant{{*integer}}) : std::nullopt;
  }
  if (auto real = dyn_cast<FloatAttr>(op.getValue()))
    return TypedConstant{{real.getValueAsDouble()}};
  return std::nullopt;
}

bool Specializer::isNegativeConstant(Value operand, Location loc) const {
  constexpr size_t maxSteps = 16;
  auto callerOf = [](Location loc) {
    auto call = dyn_cast<CallSiteLoc>(loc);
    return call ? LocationAttr(call.getCaller()) : LocationAttr();
  };
  SmallVector<Value> steps;
  auto source = operand.getDefiningOp<ConstantOp>();
  while (!source) {
    Operation *op = operand.getDefiningOp();
    auto apply = dyn_cast_or_null<ApplyOp>(op);
    const bool negates =
        apply && apply.getFunction() == ScalarFunction::negative;
    if (steps.size() == maxSteps ||
        (!negates && !isa_and_nonnull<CastOp, CastLikeOp>(op)) ||
        callerOf(op->getLoc()) != callerOf(loc))
      return false;
    steps.push_back(operand);
    operand = op->getOperand(0);
    source = operand.getDefiningOp<ConstantOp>();
  }
  std::optional<TypedConstant> value = constantOf(source);
  for (Value step : llvm::reverse(steps)) {
    std::optional<ValueType> type = types.type(step);
    if (!value || !type || type->form != ValueType::Typed)
      return false;
    value = isa<ApplyOp>(step.getDefiningOp())
                ? foldTyped(ScalarFunction::negative, *value).result
                : ofType(value->value, type->dtype);
  }
  const Integer *integer = value ? value->value.asInt() : nullptr;
  return integer && integer->isNegative();
}

} // namespace kern::compiler
