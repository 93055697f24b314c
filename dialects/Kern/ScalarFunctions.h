//===- ScalarFunctions.h - scalar functions and their loops -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every scalar function with the types it computes in, like NumPy's ufunc
// tables. Operators are functions too (`add`, `less`).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace kern::ir {

/// Which typed loops a function has. "Floated" means that integers become
/// floats as in NumPy: bool i8 u8 → f16, i16 u16 → f32, wider → f64.
enum class LoopRule : uint8_t {
  Arithmetic,            ///< every type, bool included; result of that type
  ArithmeticNoBool,      ///< every number; bool is an error
  ArithmeticFromInteger, ///< as above; bool counts as i8
  Divide,                ///< floats and complex; integers and bool give f64
  Modular,               ///< integers and floats; bool counts as i8; no complex
  Power,                 ///< every number; bool counts as i8
  Absolute,              ///< every type; complex gives its real type
  Bitwise,               ///< bool and integers
  Integer,               ///< integers; bool counts as i8
  IntegerNoBool,         ///< integers; bool is an error
  BitCount,              ///< integers → u8; bool counts as u8
  BitPosition,           ///< integers → i32; bool is an error
  Compare,         ///< every type → bool; two integers keep their own types
  Truth,           ///< every operand its own type → bool
  Predicate,       ///< every type → bool
  RealPredicate,   ///< floated reals → bool
  SameType,        ///< every type; result of that type
  Select,          ///< (bool, T, T) → T
  Round,           ///< bool, integers and floats, result of that type
  Nearest,         ///< every type, result of that type; bool floated
  Float,           ///< floated; floats and complex
  RealFloat,       ///< floated; floats only
  FloatAndInteger, ///< (floated, i32) → float; a wider integer is i64, not u64
  FloatToFloatAndInteger, ///< floated → (float, i32)
  FloatPower,             ///< f64 or c128
  Part,                   ///< complex → its real type; a real type → itself
  PartFloat,              ///< as Part; a real floated → itself, bool as i64
  MakeComplex,            ///< two equal floats → complex; integers count as f64
};

/// The rows of ScalarFunctions.def, under their names.
enum class ScalarFunction : uint8_t {
#define KERN_FUNCTION(NAME, INPUTS, OUTPUTS, RULE) NAME,
#include "dialects/Kern/ScalarFunctions.def"
};

struct ScalarFunctionInfo {
  ScalarFunction function;
  llvm::StringRef name;
  uint8_t inputs;
  uint8_t outputs;
  LoopRule rule;

  /// Whether a function of two operands may take more. It is then applied from
  /// the left, in the common type of all operands.
  bool isChained() const;
};

const ScalarFunctionInfo &infoOf(ScalarFunction function);
/// By NumPy's name; null if there is none.
const ScalarFunctionInfo *findScalarFunction(llvm::StringRef name);
llvm::ArrayRef<ScalarFunctionInfo> scalarFunctions();

/// The operand and result types of one application.
struct ScalarLoop {
  llvm::SmallVector<runtime::DType, 3> inputs;
  llvm::SmallVector<runtime::DType, 2> outputs;
};

/// The typed loop for operands of the types `operands`, whose promoted type is
/// `common`; nothing if the function has none.
std::optional<ScalarLoop> scalarLoop(const ScalarFunctionInfo &function,
                                     llvm::ArrayRef<runtime::DType> operands,
                                     runtime::DType common);

/// bool i8 u8 → f16, i16 u16 → f32, wider integers → f64; others unchanged.
runtime::DType floated(runtime::DType type);
/// c64 → f32, c128 → f64; others unchanged.
runtime::DType realPart(runtime::DType type);

} // namespace kern::ir
