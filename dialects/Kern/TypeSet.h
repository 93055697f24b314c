//===- TypeSet.h - the types that reach a value -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inference keeps the set of types that reach each value. The value's type is
// NumPy's result_type of the whole set. Promoting the types pair by pair may
// give another one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace kern::ir {

/// The type of a value: an element type, or a weak type that gives way to one.
struct ValueType {
  enum Form : uint8_t {
    Typed,
    WeakInt,
    Index, ///< i64 beside integers, gives way to floats
    WeakFloat,
    WeakComplex,
  };
  Form form = Typed;
  runtime::DType dtype = runtime::DType::F64; ///< when typed

  bool isWeak() const { return form != Typed; }
  /// The element type that it has at run time: i64, f64 or c128 if weak.
  runtime::DType carrier() const;
  bool operator==(const ValueType &other) const {
    return form == other.form && (isWeak() || dtype == other.dtype);
  }
};
/// "f32", "an int", "an index" … for messages.
std::string describe(ValueType type);

/// "f32", "int", "index" … for lists of types.
std::string briefly(ValueType type);

/// The set of types that reach a value. It only grows.
struct TypeSet {
  runtime::DTypeSet typed;
  uint8_t weak = 0; ///< bit 1 << form

  bool empty() const { return typed.empty() && !weak; }
  bool has(ValueType::Form form) const { return weak >> form & 1; }
  void add(ValueType type);
  void add(TypeSet other) {
    typed = typed | other.typed;
    weak |= other.weak;
  }
  bool operator==(const TypeSet &) const = default;
  /// The type of the set; it must not be empty.
  ValueType type() const;
};

/// The types by which a call's arguments choose its typed loop. Weak arguments
/// give way as in a call from outside (givesWay in DType.h). An index value
/// gives way only to floats and complex numbers.
llvm::SmallVector<ValueType, 4>
countedTypes(llvm::ArrayRef<ValueType> arguments);

/// The promoted type of operands: that of the set of their types.
ValueType common(llvm::ArrayRef<ValueType> types);

} // namespace kern::ir
