//===- ScalarFunctions.cpp - scalar functions and their loops -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/ScalarFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace kern::ir {

using runtime::DType;

static constexpr ScalarFunctionInfo table[] = {
#define KERN_FUNCTION(NAME, INPUTS, OUTPUTS, RULE)                             \
  {ScalarFunction::NAME, #NAME, INPUTS, OUTPUTS, LoopRule::RULE},
#include "dialects/Kern/ScalarFunctions.def"
};

llvm::ArrayRef<ScalarFunctionInfo> scalarFunctions() { return table; }

const ScalarFunctionInfo &infoOf(ScalarFunction function) {
  return table[unsigned(function)];
}

bool ScalarFunctionInfo::isChained() const {
  using enum ScalarFunction;
  return function == gcd || function == hypot || function == lcm ||
         function == maximum || function == minimum;
}

const ScalarFunctionInfo *findScalarFunction(llvm::StringRef name) {
  static const llvm::StringMap<const ScalarFunctionInfo *> byName = [] {
    llvm::StringMap<const ScalarFunctionInfo *> map;
    for (const ScalarFunctionInfo &function : table)
      map[function.name] = &function;
    return map;
  }();
  return byName.lookup(name);
}

DType floated(DType type) {
  switch (type) {
  case DType::Bool:
  case DType::I8:
  case DType::U8:
    return DType::F16;
  case DType::I16:
  case DType::U16:
    return DType::F32;
  case DType::I32:
  case DType::U32:
  case DType::I64:
  case DType::U64:
    return DType::F64;
  default:
    return type;
  }
}

DType realPart(DType type) {
  if (type == DType::C64)
    return DType::F32;
  return type == DType::C128 ? DType::F64 : type;
}

static DType boolAs(DType type, DType instead) {
  return type == DType::Bool ? instead : type;
}

std::optional<ScalarLoop> scalarLoop(const ScalarFunctionInfo &function,
                                     llvm::ArrayRef<DType> operands,
                                     DType common) {
  // Every operand in `type`, every result in `result`.
  auto uniform = [&](DType type, DType result) -> std::optional<ScalarLoop> {
    ScalarLoop loop;
    loop.inputs.assign(function.inputs, type);
    loop.outputs.assign(function.outputs, result);
    return loop;
  };
  auto same = [&](DType type) { return uniform(type, type); };
  bool complex = isComplex(common);

  switch (function.rule) {
  case LoopRule::Arithmetic:
  case LoopRule::SameType:
    return same(common);
  case LoopRule::ArithmeticNoBool:
    if (common == DType::Bool)
      return std::nullopt;
    return same(common);
  case LoopRule::ArithmeticFromInteger:
  case LoopRule::Power:
    return same(boolAs(common, DType::I8));
  case LoopRule::Divide:
    return same(isFloat(common) || complex ? common : DType::F64);
  case LoopRule::Modular:
    if (complex)
      return std::nullopt;
    return same(boolAs(common, DType::I8));
  case LoopRule::Absolute:
    return uniform(common, realPart(common));
  case LoopRule::Bitwise:
    if (common != DType::Bool && !isInteger(common))
      return std::nullopt;
    return same(common);
  case LoopRule::Integer:
    // Shifts. u64 and a signed integer have no common type; the result then
    // belongs to what is shifted. A count keeps its meaning: as u64 a negative
    // one is beyond the width, and as i64 a large one is negative.
    if (isFloat(common) && llvm::all_of(operands, runtime::isInteger))
      return same(isUnsigned(operands[0]) ? DType::U64 : DType::I64);
    if (common != DType::Bool && !isInteger(common))
      return std::nullopt;
    return same(boolAs(common, DType::I8));
  case LoopRule::IntegerNoBool:
    if (!isInteger(common))
      return std::nullopt;
    return same(common);
  case LoopRule::BitCount:
    if (common != DType::Bool && !isInteger(common))
      return std::nullopt;
    return uniform(boolAs(common, DType::U8), DType::U8);
  case LoopRule::BitPosition:
    if (!isInteger(common))
      return std::nullopt;
    return uniform(common, DType::I32);
  case LoopRule::Compare:
    // Integers of any two types compare by value, so they are not promoted:
    // i64 against u64 would otherwise go through f64.
    if (llvm::all_of(operands, runtime::isInteger))
      return ScalarLoop{llvm::to_vector<3>(operands), {DType::Bool}};
    return uniform(common, DType::Bool);
  case LoopRule::Truth:
    return ScalarLoop{llvm::to_vector<3>(operands), {DType::Bool}};
  case LoopRule::Predicate:
    return uniform(common, DType::Bool);
  case LoopRule::RealPredicate:
    if (complex)
      return std::nullopt;
    return uniform(floated(common), DType::Bool);
  case LoopRule::Select: {
    DType value = resultType(operands[1], operands[2]);
    return ScalarLoop{{DType::Bool, value, value}, {value}};
  }
  case LoopRule::Round:
    if (complex)
      return std::nullopt;
    return same(common);
  case LoopRule::Nearest:
    return same(common == DType::Bool ? floated(common) : common);
  case LoopRule::Float:
    return same(floated(common));
  case LoopRule::RealFloat:
    if (complex)
      return std::nullopt;
    return same(floated(common));
  case LoopRule::FloatAndInteger: {
    DType value = floated(operands[0]), power = operands[1];
    if (isComplex(value) || !canCastSafely(power, DType::I64))
      return std::nullopt;
    DType exponent = canCastSafely(power, DType::I32) ? DType::I32 : DType::I64;
    return ScalarLoop{{value, exponent}, {value}};
  }
  case LoopRule::FloatToFloatAndInteger:
    if (complex)
      return std::nullopt;
    return ScalarLoop{{floated(common)}, {floated(common), DType::I32}};
  case LoopRule::FloatPower:
    return same(complex ? DType::C128 : DType::F64);
  case LoopRule::Part:
    return uniform(common, realPart(common));
  case LoopRule::PartFloat: {
    DType value = floated(boolAs(common, DType::I64));
    return uniform(value, realPart(value));
  }
  case LoopRule::MakeComplex: {
    if (complex)
      return std::nullopt;
    DType part = isFloat(common) ? common : DType::F64;
    // f16 and bf16 have no complex type of their own.
    part = part == DType::F64 ? DType::F64 : DType::F32;
    return uniform(part, part == DType::F64 ? DType::C128 : DType::C64);
  }
  }
  return std::nullopt;
}

} // namespace kern::ir
