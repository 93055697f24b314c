//===- TypeSet.h - what inference knows of a value ------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What inference knows of a value: the set of types that arrive at it. The
// type is NumPy's result_type of the set, which is not that of its pairs.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace kern {

/// A type as a value has it: an element type, or a weak one that gives way.
struct ValueType {
  enum Form : uint8_t {
    Typed,
    WeakInt,
    Index, ///< i64 beside integers, gives way to floats
    WeakFloat,
    WeakComplex,
  };
  Form form = Typed;
  DType dtype = DType::F64; ///< when typed

  bool isWeak() const { return form != Typed; }
  /// How it is computed at run time: i64, f64 or c128 when weak.
  DType carrier() const;
  bool operator==(const ValueType &other) const {
    return form == other.form && (isWeak() || dtype == other.dtype);
  }
};
/// "f32", "an int", "an index" … for messages.
std::string describe(ValueType type);

/// "f32", "int", "index" …, as in a list of types.
std::string briefly(ValueType type);

/// The set of types that arrive at a value. Grows only.
struct TypeSet {
  DTypeSet typed;
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

/// The types that the arguments of a call count as when its loop is looked for:
/// as from outside (givesWay in DType.h), and an index value gives way to
/// floats and complex numbers alone.
llvm::SmallVector<ValueType, 4>
countedTypes(llvm::ArrayRef<ValueType> arguments);

/// The type in which operands meet: that of the set of their types.
ValueType common(llvm::ArrayRef<ValueType> types);

} // namespace kern
