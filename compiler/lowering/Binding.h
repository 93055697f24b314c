//===- Binding.h - what names are bound to during lowering ---- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/modules/ModuleScope.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kern::compiler {

/// A number: an open value, or a constant that has no operation yet.
struct Number {
  mlir::Value value;
  std::optional<Constant> constant;
  mlir::LocationAttr written = {}; ///< where a constant is in the source
};

/// A type as a body names it: fixed or a type variable (`attribute`), or the
/// type of a value (`like`).
struct TypeName {
  mlir::Attribute attribute;
  mlir::Value like; ///< of an inlined function's type variable
};

/// One axis of the array behind a view: fixed at an index, or a range of it.
struct Axis {
  mlir::Value fixed;  ///< the index, if the axis is fixed
  mlir::Value lower;  ///< first index of the range; null: 0
  mlir::Value extent; ///< number of elements in the range
  int64_t step = 1;   ///< from one index of the range to the next; not 0
};

struct ArrayView;

/// Arrays of which a view is a part of one.
struct ChosenArray {
  std::vector<mlir::Value> arrays;
  mlir::Value number; ///< of the one that it is, known at run time
  /// The part of each array, if the arrays are not taken in one way: the view's
  /// axes are then ranges of the parts' open axes. Empty: of the arrays' own.
  std::vector<ArrayView> parts;
};

/// An array or a part of one. Views exist only during lowering: an access
/// through a view becomes an access to its array.
struct ArrayView {
  mlir::Value array; ///< the first one, if it is chosen from several
  std::string name;  ///< of the parameter, result or local array
  Span declared;
  bool writable = false;
  std::vector<Axis> axes; ///< in the array's order
  /// The axes in the view's order; empty: in the array's.
  std::vector<unsigned> order = {};
  /// If set, a load converts the element to this value's type. Set for an array
  /// parameter of an inlined function whose typed loop takes another type.
  mlir::Value readAs = nullptr;
  /// If set, a store converts the element to this type first. Set for a target
  /// of a call, to which the inlined function writes its result.
  std::optional<TypeName> storedAs = std::nullopt;
  /// Set if a condition at run time chooses the array.
  std::optional<ChosenArray> chosen = std::nullopt;

  /// The array, or all those that it may be.
  llvm::ArrayRef<mlir::Value> arrays() const {
    return chosen ? llvm::ArrayRef<mlir::Value>(chosen->arrays)
                  : llvm::ArrayRef<mlir::Value>(array);
  }
  /// The axes that are not fixed, in the view's order.
  std::vector<const Axis *> open() const { return openOf<const Axis>(*this); }
  std::vector<Axis *> open() { return openOf<Axis>(*this); }

private:
  template <typename A, typename V> static std::vector<A *> openOf(V &view) {
    std::vector<A *> list;
    for (size_t i = 0; i < view.axes.size(); ++i) {
      A &axis = view.axes[view.order.empty() ? i : view.order[i]];
      if (!axis.fixed)
        list.push_back(&axis);
    }
    return list;
  }
};

struct Binding;

/// A tuple of bindings. Copies share the elements.
class Tuple {
public:
  explicit Tuple(std::vector<Binding> elements);

  const std::vector<Binding> &elements() const { return *shared; }
  /// The number of tuples and values in it, itself included.
  size_t parts() const { return count; }
  /// Whether both share their elements, which decides equality without a look
  /// at them.
  bool isCopyOf(const Tuple &other) const { return shared == other.shared; }

private:
  std::shared_ptr<const std::vector<Binding>> shared;
  size_t count = 1;
};

struct ChosenFunction;

/// A function: what a name means that a `def` gets a function for.
struct FunctionName {
  llvm::StringRef name; ///< of the first one, if it is chosen from several
  std::optional<ScopedFunction> function; ///< nothing: the library's
  /// Set if a condition chooses the function.
  std::shared_ptr<const ChosenFunction> chosen = nullptr;

  /// The function, or all those that it may be.
  llvm::ArrayRef<FunctionName> functions() const;
};

/// Functions of which a name means one. Types may decide which.
struct ChosenFunction {
  std::vector<FunctionName> functions;
  std::vector<Number> isThis; ///< for each: whether it is the one
};

inline llvm::ArrayRef<FunctionName> FunctionName::functions() const {
  return chosen ? llvm::ArrayRef(chosen->functions) : llvm::ArrayRef(*this);
}

/// The result of a `def` without `return`.
struct NoValue {};

/// A name that cannot be read, with the reason and the place to blame.
struct Poisoned {
  enum Reason : uint8_t {
    Unbound,     ///< declared, never assigned
    PartlyBound, ///< some path leaves it unbound
    NotRun,      ///< only a loop assigns it, which may have no iteration
    Conflict,    ///< of different kinds on two paths, as a number and an array
    Carried,     ///< read before it is assigned in a prange
    Private,     ///< assigned in a prange, read after it
    Failed,      ///< its value has an error, which is reported
  };
  Reason reason;
  Span place;
  std::string one = {}, other = {}; ///< of a conflict: "a number", "an array"
  bool isOfArrays = false;          ///< a conflict between two arrays
};

struct Binding {
  std::variant<Number, ArrayView, Tuple, FunctionName, NoValue, Poisoned> node;

  Binding(Number scalar) : node(scalar) {}
  Binding(ArrayView view) : node(std::move(view)) {}
  Binding(Tuple tuple) : node(std::move(tuple)) {}
  Binding(FunctionName function) : node(function) {}
  Binding(NoValue none) : node(none) {}
  Binding(Poisoned poisoned) : node(std::move(poisoned)) {}
  Binding(mlir::Value value) : node(Number{value, std::nullopt}) {}
  Binding(Constant constant) : node(Number{nullptr, constant}) {}

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
};

/// The number of tuples and values in a binding; 1 for a number.
size_t partsIn(const Binding &binding);
/// "a number", "a tuple of 2 values", for messages.
std::string describe(const Binding &binding);

using Environment = std::map<std::string, Binding, std::less<>>;

} // namespace kern::compiler
