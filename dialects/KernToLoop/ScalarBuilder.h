//===- ScalarBuilder.h - scalar code with Kern's types ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/KernToLoop/KernToLoop.h"
#include "runtime/array/DType.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::ir {

/// A value below the kern dialect, where integers are signless, with its
/// element type.
struct Scalar {
  mlir::Value value;
  runtime::DType type;
};
using Scalars = llvm::SmallVector<Scalar, 2>;

/// The type of an element below the kern dialect: bool is i1, i8 and u8 are i8.
mlir::Type loopType(mlir::MLIRContext *context, runtime::DType type);

enum class ComparePredicate : uint8_t {
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
};

/// Appends scalar operations at the end of a block. "Number" below means f32,
/// f64 or an integer. f16 and bf16 are widened to f32 before a computation, and
/// complex numbers are handled part by part. The operands of one call have the
/// same type, unless stated otherwise. One class, since a builder has a method
/// for each operation.
class ScalarBuilder {
public:
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location location,
                mlir::ModuleOp module)
      : builder(builder), location(location), module(module) {}

  mlir::OpBuilder &builder;
  mlir::Location location;
  /// Whether calls may use the target's approximations (`@fastmath`).
  bool isFast = false;
  FmaOfHalves fmaOfHalves;

  // Constants of any type but complex. `number` rounds to a float type.
  // `integer` wraps in an integer type and rounds in a float type.
  Scalar number(runtime::DType type, double value);
  Scalar number(runtime::DType type, const llvm::APFloat &value);
  Scalar integer(runtime::DType type, int64_t value);
  Scalar integer(runtime::DType type, const llvm::APInt &value);
  Scalar boolean(bool value) { return integer(runtime::DType::Bool, value); }

  // Numbers; integers wrap.
  Scalar add(Scalar a, Scalar b);
  Scalar sub(Scalar a, Scalar b);
  Scalar mul(Scalar a, Scalar b);
  Scalar neg(Scalar a);
  /// Floats only. Integer division is in Division.cpp, with its guards.
  Scalar div(Scalar a, Scalar b);
  /// Likewise, with an error of a few units in the last place.
  Scalar approximateDiv(Scalar a, Scalar b);

  /// Numbers and bool. Floats compare ordered, except that NotEqual is
  /// unordered.
  Scalar compare(ComparePredicate predicate, Scalar a, Scalar b);
  Scalar isNaN(Scalar a); ///< floats
  /// Any type; `condition` is bool.
  Scalar select(Scalar condition, Scalar a, Scalar b);

  // Integers and bool.
  Scalar bitAnd(Scalar a, Scalar b);
  Scalar bitOr(Scalar a, Scalar b);
  Scalar bitXor(Scalar a, Scalar b);
  Scalar invert(Scalar a);
  /// `amount` must be less than the width. A right shift of a signed integer is
  /// arithmetic.
  Scalar shiftLeft(Scalar a, Scalar amount);
  Scalar shiftRight(Scalar a, Scalar amount);

  // f32 and f64, each a single operation of the math dialect.
  Scalar abs(Scalar a);
  Scalar sqrt(Scalar a);
  /// With a relative error of 2^-20 at most.
  Scalar approximateSqrt(Scalar a);
  Scalar floor(Scalar a);
  Scalar trunc(Scalar a);
  Scalar copysign(Scalar magnitude, Scalar sign);

  /// The bits of a float as the unsigned integer of its width, and back.
  Scalar bits(Scalar a);
  Scalar fromBits(Scalar bits, runtime::DType type);

  // Parts of a complex number; a real number's imaginary part is 0.
  Scalar real(Scalar a);
  Scalar imag(Scalar a);
  Scalar complex(Scalar real, Scalar imag);

  /// Calls `@kern.<name>.<f32|f64>`, which takes and returns floats of one
  /// type. With the prefix "fast." it may be the target's approximation.
  Scalar call(llvm::StringRef name, llvm::ArrayRef<Scalar> operands);
  /// Calls `@kern.<name>.<c64|c128>`, which takes and returns complex numbers
  /// of one type as their parts.
  Scalar callComplex(llvm::StringRef name, llvm::ArrayRef<Scalar> operands);
  /// Calls an overloaded LLVM intrinsic, named without types: "llvm.fma".
  Scalar intrinsic(llvm::StringRef name, llvm::ArrayRef<Scalar> operands,
                   runtime::DType result);

  using Condition = llvm::function_ref<Scalar(llvm::ArrayRef<Scalar>)>;
  using Step = llvm::function_ref<Scalars(llvm::ArrayRef<Scalar>)>;
  /// Emits `while (condition(state)) state = step(state)` in new blocks after
  /// the current one. The builder continues in the last of them.
  Scalars whileLoop(llvm::ArrayRef<Scalar> initial, Condition condition,
                    Step step);

  /// Emits one of two sides, which give values of the same types, in new
  /// blocks after the current one. The builder continues in the last of them.
  Scalars ifElse(Scalar condition, llvm::function_ref<Scalars()> then,
                 llvm::function_ref<Scalars()> otherwise);

private:
  /// Calls a library function. Declares it in the module at its first use.
  mlir::ValueRange callSymbol(llvm::StringRef name, runtime::DType type,
                              mlir::ValueRange operands,
                              mlir::TypeRange results);

  mlir::ModuleOp module;
};

/// The number of bits of the type; 1 for bool.
unsigned bitWidth(runtime::DType type);
/// The unsigned integer as wide as `type`.
runtime::DType unsignedOf(runtime::DType type);
/// The float type of the parts of a complex type.
runtime::DType partOf(runtime::DType type);
/// The mantissa bits after the leading one, and the exponent bias, of f16,
/// bf16, f32 and f64.
unsigned mantissaBits(runtime::DType type);
unsigned exponentBias(runtime::DType type);

} // namespace kern::ir
