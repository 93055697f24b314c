//===- Constants.cpp - constants of a decided type ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specializer.h"

#include "llvm/ADT/SmallString.h"

using namespace mlir;

namespace kern {

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
      Value wide =
          ConstantOp::create(builder, loc, toType(context, DType::F64), value);
      return convert(wide, type, loc);
    }
  } else if (!isComplex(type)) {
    report(Diag::complex_to_real, loc, {"number", std::string(name(type))},
           "take `real(z)`");
    return nullptr;
  }
  return ConstantOp::create(builder, loc, toType(context, type), value);
}

} // namespace kern
