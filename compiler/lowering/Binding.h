//===- Binding.h - what names are bound to during lowering ---- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/Constant.h"
#include "compiler/source/Source.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kern {

/// A number: an open value, or a constant for which no operation exists yet.
struct Number {
  mlir::Value value;
  std::optional<Constant> constant;
  mlir::LocationAttr written = {}; ///< where a constant was
};

/// One axis of the array behind a view: indexed away, or a part of it.
struct Axis {
  mlir::Value fixed;  ///< the index; then the axis is not one of the view's
  mlir::Value lower;  ///< first index of the part; null: 0
  mlir::Value extent; ///< number of elements of the part
};

/// An array or a part of one. Views exist only during lowering: an access
/// through one is an access to the array behind it.
struct ArrayView {
  mlir::Value array;
  std::string name; ///< of the parameter or result behind it
  Span declared;
  bool writable = false;
  std::vector<Axis> axes;
  /// If set, elements are converted to this value's type when they are read: a
  /// parameter of a called function, whose loop takes another type.
  mlir::Value readAs = nullptr;

  /// The axes that are not indexed away.
  std::vector<const Axis *> open() const {
    std::vector<const Axis *> list;
    for (const Axis &axis : axes)
      if (!axis.fixed)
        list.push_back(&axis);
    return list;
  }
};

struct Binding;

/// Copies share the elements: a tuple of a name takes no copy of what the name
/// is.
class Tuple {
public:
  explicit Tuple(std::vector<Binding> elements);

  const std::vector<Binding> &elements() const { return *shared; }
  /// The tuples and values that it is made of, itself included.
  size_t parts() const { return count; }
  /// Whether they are one, which needs no look at their elements.
  bool isCopyOf(const Tuple &other) const { return shared == other.shared; }

private:
  std::shared_ptr<const std::vector<Binding>> shared;
  size_t count = 1;
};

/// A type as a body names it: fixed, of a type variable, or that of a value.
struct TypeName {
  mlir::Attribute attribute;
  mlir::Value like; ///< of an inlined function's type variable
};

/// What a `def` without `return` gives.
struct NoValue {};

/// A name that cannot be read here, with the reason and the place behind it.
struct Poisoned {
  enum Reason : uint8_t {
    Unbound,     ///< declared, never assigned
    PartlyBound, ///< some path leaves it unbound
    Conflict,    ///< what no name can be, as a number on one path and an array
                 ///< on another
    Carried,     ///< would carry a value between iterations of a prange
    Private,     ///< assigned in a prange, read after it
    Failed,      ///< its value had an error, which is reported already
  };
  Reason reason;
  Span place;
  std::string one = {}, other = {}; ///< of a conflict: "a number", "an array"
};

struct Binding {
  std::variant<Number, ArrayView, Tuple, NoValue, Poisoned> node;

  Binding(Number scalar) : node(scalar) {}
  Binding(ArrayView view) : node(std::move(view)) {}
  Binding(Tuple tuple) : node(std::move(tuple)) {}
  Binding(NoValue none) : node(none) {}
  Binding(Poisoned poisoned) : node(std::move(poisoned)) {}
  Binding(mlir::Value value) : node(Number{value, std::nullopt}) {}
  Binding(Constant constant) : node(Number{nullptr, constant}) {}

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
};

/// The tuples and values that it is made of: 1 of a number.
size_t partsIn(const Binding &binding);
/// "a number", "a tuple of 2 values", for messages.
std::string describe(const Binding &binding);

using Environment = std::map<std::string, Binding, std::less<>>;

} // namespace kern
