//===- Powers.cpp - powers ------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <limits>
#include <optional>

namespace kern::ir {

using runtime::DType;
using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

//===----------------------------------------------------------------------===//
// Integer powers
//===----------------------------------------------------------------------===//

/// A product of equal factors, by repeated squaring. `exponent` is not 0.
template <typename T>
static T multiplyOut(llvm::APInt exponent, T base,
                     llvm::function_ref<T(const T &, const T &)> multiply) {
  std::optional<T> result;
  for (;;) {
    if (exponent[0])
      result = result ? multiply(*result, base) : base;
    exponent.lshrInPlace(1);
    if (exponent.isZero())
      return *result;
    base = multiply(base, base);
  }
}

/// The same with the products of a type. Integers wrap like products, so their
/// power is exact.
static Scalar plainPower(ScalarBuilder &s, Scalar base, llvm::APInt exponent) {
  return multiplyOut<Scalar>(
      std::move(exponent), base,
      [&](const Scalar &a, const Scalar &b) { return s.mul(a, b); });
}

/// A negative power: the exact quotient, truncated. For the base 0 it is 0.
static Scalar negativePower(ScalarBuilder &s, Scalar base, Scalar exponent) {
  Scalar zero = s.integer(base.type, 0), one = s.integer(base.type, 1),
         minusOne = s.integer(base.type, -1);
  Scalar odd =
      s.compare(ComparePredicate::NotEqual, s.bitAnd(exponent, one), zero);
  Scalar ofMinusOne = s.select(odd, minusOne, one);
  Scalar others = s.select(s.compare(ComparePredicate::Equal, base, minusOne),
                           ofMinusOne, zero);
  return s.select(s.compare(ComparePredicate::Equal, base, one), one, others);
}

static Scalar integerPower(ScalarBuilder &s, Scalar base, Scalar exponent) {
  DType type = base.type;
  llvm::APInt known;
  if (matchPattern(exponent.value, m_ConstantInt(&known)) &&
      (isUnsigned(type) || known.isNonNegative()))
    return known.isZero() ? s.integer(type, 1) : plainPower(s, base, known);

  Scalar zero = s.integer(type, 0), one = s.integer(type, 1);
  Scalar count = exponent;
  if (isSigned(type))
    count = s.select(s.compare(ComparePredicate::Less, exponent, zero), zero,
                     exponent);
  Scalars state = s.whileLoop(
      {one, base, count},
      [&](Operands state) {
        return s.compare(ComparePredicate::NotEqual, state[2], zero);
      },
      [&](Operands state) -> Scalars {
        Scalar odd = s.compare(ComparePredicate::NotEqual,
                               s.bitAnd(state[2], one), zero);
        return {s.select(odd, s.mul(state[0], state[1]), state[0]),
                s.mul(state[1], state[1]), s.shiftRight(state[2], one)};
      });
  if (isUnsigned(type))
    return state[0];
  return s.select(s.compare(ComparePredicate::Less, exponent, zero),
                  negativePower(s, base, exponent), state[0]);
}

//===----------------------------------------------------------------------===//
// Float powers
//===----------------------------------------------------------------------===//

namespace {
/// A number as a sum of two f64, of which the second is far smaller, if there
/// is a second.
struct DoubleWord {
  Scalar high;
  std::optional<Scalar> low;
};
} // namespace

static Scalar fusedMultiplyAdd(ScalarBuilder &s, Scalar a, Scalar b, Scalar c) {
  return s.intrinsic("llvm.fma", {a, b, c}, a.type);
}

/// A product. Its first word is that of the first words, and the second one
/// gathers what all first words lack: after n products it is n units in the
/// last place of the first, and what it lacks itself the square of that.
static DoubleWord product(ScalarBuilder &s, const DoubleWord &a,
                          const DoubleWord &b) {
  Scalar high = s.mul(a.high, b.high);
  Scalar low = fusedMultiplyAdd(s, a.high, b.high, s.neg(high));
  if (a.low && a.high.value == b.high.value)
    return {high, fusedMultiplyAdd(s, s.add(a.high, a.high), *a.low, low)};
  if (b.low)
    low = fusedMultiplyAdd(s, a.high, *b.low, low);
  if (a.low)
    low = fusedMultiplyAdd(s, *a.low, b.high, low);
  return {high, low};
}

/// The number, rounded once. The second words of infinities and of what
/// overflows are NaN, and those of zeros lose their sign.
static Scalar rounded(ScalarBuilder &s, const DoubleWord &x, bool isPositive) {
  Scalar sum = s.add(x.high, *x.low);
  Scalar isUsual =
      s.compare(ComparePredicate::Greater, isPositive ? sum : s.abs(sum),
                s.number(DType::F64, 0.0));
  return s.select(isUsual, sum, x.high);
}

static DoubleWord reciprocal(ScalarBuilder &s, Scalar x) {
  Scalar one = s.number(DType::F64, 1.0);
  Scalar high = s.div(one, x);
  return {high, s.mul(fusedMultiplyAdd(s, s.neg(high), x, one), high)};
}

/// An f64 to a whole power other than 0, 1 and -1, rounded once or nearly so.
/// Negative powers are those of the reciprocal: x^n may overflow where x^-n
/// does not vanish.
static Scalar wholePowerOfDouble(ScalarBuilder &s, Scalar x, bool isNegative,
                                 const llvm::APInt &size) {
  DoubleWord base = isNegative ? reciprocal(s, x) : DoubleWord{x, std::nullopt};
  return rounded(
      s,
      multiplyOut<DoubleWord>(size, base,
                              [&](const DoubleWord &a, const DoubleWord &b) {
                                return product(s, a, b);
                              }),
      /*isPositive=*/!size[0]);
}

/// A float to a whole power other than 0. f32 is multiplied out in f64, whose
/// range holds all that f32 does not turn into 0 or infinity. Cubes are plain
/// products.
static Scalar wholePower(ScalarBuilder &s, Scalar base, bool isNegative,
                         const llvm::APInt &size) {
  if (s.isFast || (size == 3 && !isNegative)) {
    Scalar power = plainPower(s, base, size);
    return isNegative ? s.div(s.number(base.type, 1.0), power) : power;
  }
  if (base.type == DType::F64)
    return wholePowerOfDouble(s, base, isNegative, size);
  Scalar power = plainPower(s, convert(s, base, DType::F64), size);
  if (isNegative)
    power = s.div(s.number(DType::F64, 1.0), power);
  return convert(s, power, base.type);
}

/// The largest whole exponent that is multiplied out.
constexpr int64_t largestWhole = 64;

/// NumPy's special cases for constant exponents, and small whole numbers.
static std::optional<Scalar> shortPower(ScalarBuilder &s, Scalar base,
                                        Scalar exponent) {
  llvm::APFloat known(0.0);
  if (!matchPattern(exponent.value, m_ConstantFloat(&known)))
    return std::nullopt;
  if (known.isExactlyValue(2.0))
    return s.mul(base, base);
  if (known.isExactlyValue(0.5))
    return s.sqrt(base);
  if (known.isExactlyValue(1.0))
    return base;
  if (known.isZero())
    return s.number(base.type, 1.0);
  if (known.isExactlyValue(-1.0))
    return s.div(s.number(base.type, 1.0), base);
  llvm::APSInt whole(64, /*isUnsigned=*/false);
  bool isExact = false;
  known.convertToInteger(whole, llvm::APFloat::rmTowardZero, &isExact);
  if (isExact && whole.abs().ule(largestWhole))
    return wholePower(s, base, whole.isNegative(), whole.abs());
  return std::nullopt;
}

/// 2^(y log2 |x|), for f32 under `@fastmath`. Special cases are added: 1 for a
/// zero exponent and for |x| = 1, the sign of odd powers, and NaN for a
/// negative number with a fractional exponent. Zeros, infinities and NaN need
/// none.
static Scalar approximatePower(ScalarBuilder &s, Scalar x, Scalar y) {
  Scalar zero = s.number(x.type, 0.0), one = s.number(x.type, 1.0);
  Scalar size = s.abs(x);
  Scalar power = s.call("exp2", {s.mul(y, s.call("log2", {size}))});
  power = s.select(s.compare(ComparePredicate::Equal, size, one), one, power);

  Scalar half = s.mul(y, s.number(x.type, 0.5));
  Scalar isWhole = s.compare(ComparePredicate::Equal, s.trunc(y), y);
  Scalar isEven = s.compare(ComparePredicate::Equal, s.trunc(half), half);
  Scalar infinity = s.number(x.type, std::numeric_limits<double>::infinity());
  Scalar isNumber = s.bitAnd(s.compare(ComparePredicate::Less, x, zero),
                             s.compare(ComparePredicate::Less, size, infinity));
  Scalar nan = s.number(x.type, std::numeric_limits<double>::quiet_NaN());
  Scalar ofNegative = s.select(isWhole, s.select(isEven, power, s.neg(power)),
                               s.select(isNumber, nan, power));
  Scalar isNegative =
      s.compare(ComparePredicate::Less, s.copysign(one, x), zero);
  power = s.select(isNegative, ofNegative, power);
  return s.select(s.compare(ComparePredicate::Equal, y, zero), one, power);
}

/// The integer that a float was converted from.
static std::optional<Scalar> integerBehind(Scalar exponent) {
  auto found = [](Value integer, bool isSigned) -> std::optional<Scalar> {
    switch (integer.getType().getIntOrFloatBitWidth()) {
    case 8:
      return Scalar{integer, isSigned ? DType::I8 : DType::U8};
    case 16:
      return Scalar{integer, isSigned ? DType::I16 : DType::U16};
    case 32:
      return Scalar{integer, isSigned ? DType::I32 : DType::U32};
    case 64:
      return Scalar{integer, isSigned ? DType::I64 : DType::U64};
    default:
      return std::nullopt;
    }
  };
  if (auto conversion = exponent.value.getDefiningOp<arith::SIToFPOp>())
    return found(conversion.getIn(), /*isSigned=*/true);
  if (auto conversion = exponent.value.getDefiningOp<arith::UIToFPOp>())
    return found(conversion.getIn(), /*isSigned=*/false);
  return std::nullopt;
}

/// A float to the power `size`, a u64, in a loop by repeated squaring. A double
/// has two words, and so has the result.
static Scalars loopedPower(ScalarBuilder &s, Operands base, Scalar size) {
  Scalar zero = s.integer(DType::U64, 0), one = s.integer(DType::U64, 1);
  Scalar unit = s.number(DType::F64, 1.0), nothing = s.number(DType::F64, 0.0);
  bool isDouble = base.size() == 2;
  auto product = [&](Operands a, Operands b) -> Scalars {
    if (!isDouble)
      return {s.mul(a[0], b[0])};
    DoubleWord words = ir::product(s, {a[0], a[1]}, {b[0], b[1]});
    return {words.high, *words.low};
  };
  Scalars initial = {size, unit};
  if (isDouble)
    initial.push_back(nothing);
  initial.append(base.begin(), base.end());
  Scalars state = s.whileLoop(
      initial,
      [&](Operands state) {
        return s.compare(ComparePredicate::NotEqual, state[0], zero);
      },
      [&](Operands state) -> Scalars {
        Operands power = state.slice(1, base.size()),
                 square = state.take_back(base.size());
        Scalar odd = s.compare(ComparePredicate::NotEqual,
                               s.bitAnd(state[0], one), zero);
        // To multiply by 1 is quicker than to choose.
        Scalars factor = {s.select(odd, square[0], unit)};
        if (isDouble)
          factor.push_back(s.select(odd, square[1], nothing));
        Scalars next = {s.shiftRight(state[0], one)};
        next.append(product(power, factor));
        next.append(product(square, square));
        return next;
      });
  return Scalars(Operands(state).slice(1, base.size()));
}

/// The largest size of a run-time exponent that is multiplied out. With two
/// words its power is off by 2^-30 units in the last place before it is
/// rounded.
constexpr int64_t largestLooped = 1024;

/// A float to the power of an integer at run time.
static Scalar powerByInteger(ScalarBuilder &s, Operands x, Scalar exponent) {
  Scalar isNegative = s.boolean(false), size = exponent;
  if (isSigned(exponent.type)) {
    isNegative = s.compare(ComparePredicate::Less, exponent,
                           s.integer(exponent.type, 0));
    size = s.select(isNegative, s.neg(exponent), exponent);
  }
  size.type = unsignedOf(size.type);
  size = convert(s, size, DType::U64);
  bool isDouble = x[0].type == DType::F64;
  auto multiplied = [&]() -> Scalars {
    Scalar wide = convert(s, x[0], DType::F64);
    if (!isDouble) {
      Scalars power = loopedPower(s, {wide}, size);
      if (isSigned(exponent.type))
        power = s.ifElse(
            isNegative,
            [&]() -> Scalars {
              return {s.div(s.number(DType::F64, 1.0), power[0])};
            },
            [&]() { return power; });
      return {convert(s, power[0], x[0].type)};
    }
    Scalars base = s.ifElse(
        isNegative,
        [&]() -> Scalars {
          DoubleWord inverse = reciprocal(s, wide);
          return {inverse.high, *inverse.low};
        },
        [&]() -> Scalars { return {wide, s.number(DType::F64, 0.0)}; });
    Scalars power = loopedPower(s, base, size);
    return {rounded(s, {power[0], power[1]}, /*isPositive=*/false)};
  };
  return s.ifElse(s.compare(ComparePredicate::LessEqual, size,
                            s.integer(DType::U64, largestLooped)),
                  multiplied,
                  [&]() -> Scalars { return {s.call("pow", x)}; })[0];
}

static Scalars floatPower(ScalarBuilder &s, Operands x) {
  if (s.isFast && x[0].type == DType::F32)
    return {approximatePower(s, x[0], x[1])};
  return {s.call("pow", x)};
}

static Scalars power(ScalarBuilder &s, Operands x, bool isHalf) {
  if (!isFloat(x[0].type))
    return {integerPower(s, x[0], x[1])};
  if (std::optional<Scalar> result = shortPower(s, x[0], x[1]))
    return {*result};
  std::optional<Scalar> whole = integerBehind(x[1]);
  if (whole && !s.isFast)
    return {powerByInteger(s, x, *whole)};
  if (isHalf && !s.isFast)
    return {powerOfHalves(s, x[0], x[1])};
  return floatPower(s, x);
}

void addPowers(EmitterTable &table) {
  FunctionEmitter &row = table[ScalarFunction::power];
  row.real = [](ScalarBuilder &s, Operands x) { return power(s, x, false); };
  row.half = [](ScalarBuilder &s, Operands x) { return power(s, x, true); };
  table[ScalarFunction::float_power] = {floatPower, {}};
}

} // namespace kern::ir
