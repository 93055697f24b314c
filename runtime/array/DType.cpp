//===- DType.cpp - element types and NumPy's promotion --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/DType.h"

#include <algorithm>
#include <array>

using namespace kern::runtime;

namespace {
struct TypeRow {
  std::string_view name, fullName;
  uint8_t size;
  char code;
  Kind kind;
  bool isSigned;
};

constexpr std::array<TypeRow, dtypeCount> rows = {{
    {"bool", "bool_", 1, '?', Kind::Bool, false},
    {"i8", "int8", 1, 'b', Kind::Integer, true},
    {"u8", "uint8", 1, 'B', Kind::Integer, false},
    {"i16", "int16", 2, 'h', Kind::Integer, true},
    {"u16", "uint16", 2, 'H', Kind::Integer, false},
    {"i32", "int32", 4, 'i', Kind::Integer, true},
    {"u32", "uint32", 4, 'I', Kind::Integer, false},
    {"i64", "int64", 8, 'l', Kind::Integer, true},
    {"u64", "uint64", 8, 'L', Kind::Integer, false},
    {"f16", "float16", 2, 'e', Kind::Float, false},
    {"bf16", "bfloat16", 2, 'E', Kind::Float, false},
    {"f32", "float32", 4, 'f', Kind::Float, false},
    {"f64", "float64", 8, 'd', Kind::Float, false},
    {"c64", "complex64", 8, 'F', Kind::Complex, false},
    {"c128", "complex128", 16, 'D', Kind::Complex, false},
}};

const TypeRow &row(DType t) { return rows[unsigned(t)]; }

/// The order of kinds under NumPy's `same_kind`.
int kindRank(DType t) {
  switch (kindOf(t)) {
  case Kind::Bool:
    return 0;
  case Kind::Integer:
    return isUnsigned(t) ? 1 : 2;
  case Kind::Float:
    return 3;
  case Kind::Complex:
    return 4;
  }
  return 4;
}

/// The size of the smallest float whose mantissa NumPy considers sufficient for
/// `t`.
size_t floatSizeFor(DType t) {
  switch (kindOf(t)) {
  case Kind::Bool:
    return 2;
  case Kind::Integer:
    return itemSize(t) == 1 ? 2 : itemSize(t) == 2 ? 4 : 8;
  case Kind::Float:
    return itemSize(t);
  case Kind::Complex:
    return itemSize(t) / 2;
  }
  return 8;
}
} // namespace

std::string_view kern::runtime::name(DType t) { return row(t).name; }
size_t kern::runtime::itemSize(DType t) { return row(t).size; }
char kern::runtime::numpyCode(DType t) { return row(t).code; }
Kind kern::runtime::kindOf(DType t) { return row(t).kind; }
bool kern::runtime::isSigned(DType t) { return row(t).isSigned; }
bool kern::runtime::isUnsigned(DType t) {
  return row(t).kind == Kind::Integer && !row(t).isSigned;
}

std::optional<DType> kern::runtime::parseDType(std::string_view text) {
  for (unsigned i = 0; i < dtypeCount; ++i)
    if (text == rows[i].name || text == rows[i].fullName)
      return DType(i);
  return std::nullopt;
}

bool kern::runtime::canCastSafely(DType from, DType to) {
  if (from == to || from == DType::Bool)
    return true;
  switch (kindOf(to)) {
  case Kind::Bool:
    return false;
  case Kind::Integer:
    if (!isInteger(from) || (isSigned(from) && isUnsigned(to)))
      return false;
    return itemSize(from) < itemSize(to) ||
           (itemSize(from) == itemSize(to) && isSigned(from) == isSigned(to));
  case Kind::Float:
    // f16 and bf16 cannot hold each other's values.
    if (isComplex(from) || (isFloat(from) && itemSize(from) == itemSize(to)))
      return false;
    return floatSizeFor(from) <= itemSize(to);
  case Kind::Complex:
    return floatSizeFor(from) <= itemSize(to) / 2;
  }
  return false;
}

bool kern::runtime::canCastSameKind(DType from, DType to) {
  return canCastSafely(from, to) || kindRank(from) <= kindRank(to);
}

DType kern::runtime::resultType(DTypeSet types) {
  for (unsigned i = 0; i < dtypeCount; ++i) {
    bool all = true;
    for (unsigned member = 0; member < dtypeCount && all; ++member)
      if (types.contains(DType(member)))
        all = canCastSafely(DType(member), DType(i));
    if (all)
      return DType(i);
  }
  return DType::C128;
}

DType ArgType::carrier() const {
  switch (weakness) {
  case Weakness::None:
    return dtype;
  case Weakness::Int:
    return DType::I64;
  case Weakness::Float:
    return DType::F64;
  case Weakness::Complex:
    return DType::C128;
  }
  return dtype;
}

std::string_view kern::runtime::name(ArgType t) {
  switch (t.weakness) {
  case Weakness::None:
    return name(t.dtype);
  case Weakness::Int:
    return "int";
  case Weakness::Float:
    return "float";
  case Weakness::Complex:
    return "complex";
  }
  return "";
}

/// bool, integer, float or complex: the kinds that decide what gives way.
static unsigned highestKind(DTypeSet types) {
  unsigned highest = 0;
  for (unsigned i = 0; i < dtypeCount; ++i)
    if (types.contains(DType(i)))
      highest =
          std::max(highest, unsigned(std::min(kindOf(DType(i)), Kind::Float)));
  return highest;
}

bool kern::runtime::givesWay(DTypeSet weak, DTypeSet typed) {
  return !typed.empty() && highestKind(typed) >= highestKind(weak);
}

std::vector<ArgType>
kern::runtime::countedTypes(std::span<const ArgType> arguments) {
  DTypeSet weak, typed;
  for (ArgType argument : arguments) {
    DTypeSet &set = argument.isWeak() ? weak : typed;
    set = set | DTypeSet::of(argument.carrier());
  }
  std::vector<ArgType> counted(arguments.begin(), arguments.end());
  if (!givesWay(weak, typed))
    for (ArgType &argument : counted)
      argument = ArgType::typed(argument.carrier());
  return counted;
}

bool kern::runtime::canPass(ArgType from, DType to) {
  switch (from.weakness) {
  case Weakness::None:
    return canCastSafely(from.dtype, to);
  case Weakness::Int:
    return to != DType::Bool;
  case Weakness::Float:
    return isFloat(to) || isComplex(to);
  case Weakness::Complex:
    return isComplex(to);
  }
  return false;
}

bool kern::runtime::canCast(DType from, DType to, Casting casting) {
  switch (casting) {
  case Casting::No:
  case Casting::Equiv:
    return from == to;
  case Casting::Safe:
    return canCastSafely(from, to);
  case Casting::SameKind:
    return canCastSameKind(from, to);
  case Casting::Unsafe:
    return true;
  }
  return false;
}

std::string_view kern::runtime::name(Casting casting) {
  static constexpr std::string_view names[] = {"no", "equiv", "safe",
                                               "same_kind", "unsafe"};
  return names[unsigned(casting)];
}
