//===- DType.h - element types and NumPy's promotion ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kern's element types and NumPy's casting rules (NumPy 2, NEP 50). Both the
// compiler's type inference and the runtime's loop resolution use them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kern::runtime {

/// In the order in which NumPy looks for a common type.
enum class DType : uint8_t {
  Bool,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  BF16,
  F32,
  F64,
  C64,
  C128,
};
inline constexpr unsigned dtypeCount = 15;

/// "bool", "i8", … "c128".
std::string_view name(DType);
/// Kern's short names and NumPy's full ones ("float32").
std::optional<DType> parseDType(std::string_view);
size_t itemSize(DType);
/// NumPy's character code: '?', 'b', … 'F', 'D'; 'E' for bf16.
char numpyCode(DType);

enum class Kind : uint8_t { Bool, Integer, Float, Complex };
Kind kindOf(DType);
bool isSigned(DType); ///< signed integers only
bool isUnsigned(DType);
inline bool isInteger(DType t) { return kindOf(t) == Kind::Integer; }
inline bool isFloat(DType t) { return kindOf(t) == Kind::Float; }
inline bool isComplex(DType t) { return kindOf(t) == Kind::Complex; }

/// A set of element types, one bit each.
struct DTypeSet {
  uint16_t bits = 0;
  static DTypeSet of(DType t) { return {uint16_t(1u << unsigned(t))}; }
  bool contains(DType t) const { return bits >> unsigned(t) & 1; }
  bool empty() const { return bits == 0; }
  DTypeSet operator|(DTypeSet o) const { return {uint16_t(bits | o.bits)}; }
  bool operator==(const DTypeSet &) const = default;
};

/// NumPy's result_type: the first type, in DType's order, to which every
/// member casts safely. Not the same as promoting pair by pair:
/// {i16, u16, f32} gives f32. `types` must not be empty.
DType resultType(DTypeSet types);
inline DType resultType(DType a, DType b) {
  return resultType(DTypeSet::of(a) | DTypeSet::of(b));
}

/// numpy.can_cast(from, to, "safe"); bf16 casts as f16 does.
bool canCastSafely(DType from, DType to);
/// numpy.can_cast(from, to, "same_kind").
bool canCastSameKind(DType from, DType to);

/// The kind of a weak argument, a plain number such as a Python literal, which
/// takes the type of what it meets (NEP 50). None: the argument has a type.
enum class Weakness : uint8_t { None, Int, Float, Complex };

/// The type of an argument: an element type, or a weak number.
struct ArgType {
  Weakness weakness = Weakness::None;
  DType dtype = DType::F64; ///< when typed

  static ArgType typed(DType t) { return {Weakness::None, t}; }
  static ArgType weak(Weakness weakness) { return {weakness, DType::F64}; }
  bool isWeak() const { return weakness != Weakness::None; }
  /// How the value is carried at run time: i64, f64 or c128 when weak.
  DType carrier() const;
  bool operator==(const ArgType &o) const {
    return weakness == o.weakness && (isWeak() || dtype == o.dtype);
  }
};
/// "f32", or "int", "float", "complex" when weak.
std::string_view name(ArgType);

/// Whether the weak arguments of a call give way to the typed ones. They do if
/// some typed argument is of at least the kind of each weak one, in the order
/// bool, integer, float or complex. Otherwise, and if nothing is typed, they
/// count as i64, f64 and c128. `weak` has the carriers of the weak arguments.
/// This is NumPy's rule: NEP 50, and should_use_min_scalar_weak_literals in its
/// ufunc_type_resolution.c.
bool givesWay(DTypeSet weak, DTypeSet typed);

/// The types that the arguments of a call count as when its loop is chosen: a
/// type, or weak if the argument gives way (givesWay).
std::vector<ArgType> countedTypes(std::span<const ArgType> arguments);

/// Whether an argument that counts as `from` may be passed to an input of type
/// `to`. A typed argument must cast safely. A weak one may take any type of its
/// own kind or a higher one, whatever its value.
bool canPass(ArgType from, DType to);

/// Strictest first.
enum class Casting : uint8_t { No, Equiv, Safe, SameKind, Unsafe };
/// numpy.can_cast(from, to, casting).
bool canCast(DType from, DType to, Casting casting);
/// "no", "equiv", "safe", "same_kind", "unsafe".
std::string_view name(Casting);

} // namespace kern::runtime
