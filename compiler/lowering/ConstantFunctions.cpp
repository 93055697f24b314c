//===- ConstantFunctions.cpp - functions of constants ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table: what each function is of integers, reals, complex numbers and
// bools. An integer for which a function has no rule is taken as a real number.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ConstantFunctions.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numbers>

namespace kern {

using Complex = std::complex<double>;
using llvm::ArrayRef;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {

/// What a function is of operands of one kind.
template <typename... Operands> struct Rule {
  Folded (*apply)(Operands...) = nullptr; ///< null: it is not folded
  bool inBodies = false;

  explicit operator bool() const { return apply; }
};

struct Unary {
  StringLiteral name;
  Rule<const Integer &> integers = {};
  Rule<double> reals = {};
  Rule<Complex> complexes = {};
  Rule<bool> truths = {}; ///< of numbers of every kind
};

struct Binary {
  StringLiteral name;
  /// The first is the function's name.
  Rule<StringRef, const Integer &, const Integer &> integers = {};
  Rule<double, double> reals = {};
  Rule<Complex, Complex> complexes = {};
  Rule<bool, bool> bools = {};
  /// Of real numbers, from their order; nothing for NaN.
  bool (*ofOrder)(std::optional<int>) = nullptr;
  Rule<bool, bool> truths = {}; ///< of numbers of every kind
};

/// The same value whether it is computed here or by the code of a body.
template <typename... Operands>
constexpr Rule<Operands...> bodies(Folded (*apply)(Operands...)) {
  return {apply, true};
}
template <typename... Operands>
constexpr Rule<Operands...> consts(Folded (*apply)(Operands...)) {
  return {apply, false};
}

template <double (*function)(double)> Folded real(double x) {
  return Constant{function(x)};
}
template <double (*function)(double, double)> Folded reals(double x, double y) {
  return Constant{function(x, y)};
}
template <bool (*test)(double)> Folded holds(double x) {
  return Constant{test(x)};
}
template <Complex (*function)(const Complex &)> Folded number(Complex z) {
  return Constant{function(z)};
}
template <double (*part)(const Complex &)> Folded measure(Complex z) {
  return Constant{part(z)};
}
template <bool (*function)(bool, bool)> Folded truth(bool a, bool b) {
  return Constant{function(a, b)};
}

} // namespace

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

static Folded same(const Integer &x) { return Constant{x}; }
static Folded sameReal(double x) { return Constant{x}; }

static Folded ofIntegers(StringRef function, const Integer &a,
                         const Integer &b) {
  IntegerResult result = applyToIntegers(function, a, b);
  if (result.value)
    return Constant{*result.value};
  return result.outcome == IntegerResult::TooWide ? Folded::TooWide
                                                  : Folded::Left;
}

static Folded negated(const Integer &x) {
  return ofIntegers("subtract", Integer(0), x);
}
static Folded inverted(const Integer &x) {
  return ofIntegers("subtract", Integer(-1), x);
}
static Folded magnitude(const Integer &x) {
  return x.isNegative() ? negated(x) : same(x);
}
static Folded sign(const Integer &x) {
  return Constant{Integer(x.isNegative() ? -1 : !x.isZero())};
}
static Folded squared(const Integer &x) { return ofIntegers("multiply", x, x); }
static Folded nothing(const Integer &) { return Folded::Left; }
static Folded zero(const Integer &) { return Constant{Integer(0)}; }

static double negatedReal(double x) { return -x; }
static double signOf(double x) {
  return std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
}
static double squareOf(double x) { return x * x; }
static double reciprocalOf(double x) { return 1 / x; }
static double inRadians(double x) { return x * (std::numbers::pi / 180); }
static double inDegrees(double x) { return x * (180 / std::numbers::pi); }
static double angleOf(double x) { return std::arg(Complex(x)); }
static double noImaginaryPart(double) { return 0; }

static Complex negatedComplex(const Complex &z) { return -z; }
static Complex sameComplex(const Complex &z) { return z; }
static Complex squareOfComplex(const Complex &z) { return z * z; }
static double realPart(const Complex &z) { return z.real(); }
static double imaginaryPart(const Complex &z) { return z.imag(); }

static const Unary unaryRules[] = {
    {.name = "logical_not",
     .truths = bodies(+[](bool x) -> Folded { return Constant{!x}; })},
    {.name = "positive",
     .integers = bodies(same),
     .reals = bodies(sameReal),
     .complexes = consts(number<sameComplex>)},
    {.name = "negative",
     .integers = bodies(negated),
     .reals = bodies(real<negatedReal>),
     .complexes = bodies(number<negatedComplex>)},
    {.name = "absolute",
     .integers = bodies(magnitude),
     .reals = bodies(real<std::fabs>),
     .complexes = consts(measure<std::abs<double>>)},
    {.name = "invert", .integers = bodies(inverted)},
    {.name = "fabs", .reals = bodies(real<std::fabs>)},
    {.name = "sign", .integers = consts(sign), .reals = consts(real<signOf>)},
    {.name = "square",
     .integers = consts(squared),
     .reals = consts(real<squareOf>),
     .complexes = consts(number<squareOfComplex>)},
    {.name = "reciprocal",
     .integers = consts(nothing), // that of integers is 0 or 1
     .reals = consts(real<reciprocalOf>)},
    // Rounding.
    {.name = "floor",
     .integers = consts(same),
     .reals = consts(real<std::floor>)},
    {.name = "ceil",
     .integers = consts(same),
     .reals = consts(real<std::ceil>)},
    {.name = "trunc",
     .integers = consts(same),
     .reals = consts(real<std::trunc>)},
    {.name = "round",
     .integers = consts(same),
     .reals = consts(real<std::nearbyint>)},
    {.name = "rint", .reals = consts(real<std::nearbyint>)},
    // Powers and logarithms.
    {.name = "sqrt",
     .reals = bodies(real<std::sqrt>),
     .complexes = consts(number<std::sqrt<double>>)},
    {.name = "cbrt", .reals = bodies(real<std::cbrt>)},
    {.name = "exp",
     .reals = bodies(real<std::exp>),
     .complexes = consts(number<std::exp<double>>)},
    {.name = "exp2", .reals = bodies(real<std::exp2>)},
    {.name = "expm1", .reals = bodies(real<std::expm1>)},
    {.name = "log",
     .reals = bodies(real<std::log>),
     .complexes = consts(number<std::log<double>>)},
    {.name = "log2", .reals = bodies(real<std::log2>)},
    {.name = "log10", .reals = bodies(real<std::log10>)},
    {.name = "log1p", .reals = bodies(real<std::log1p>)},
    // Trigonometry.
    {.name = "sin",
     .reals = bodies(real<std::sin>),
     .complexes = consts(number<std::sin<double>>)},
    {.name = "cos",
     .reals = bodies(real<std::cos>),
     .complexes = consts(number<std::cos<double>>)},
    {.name = "tan",
     .reals = bodies(real<std::tan>),
     .complexes = consts(number<std::tan<double>>)},
    {.name = "arcsin", .reals = bodies(real<std::asin>)},
    {.name = "arccos", .reals = bodies(real<std::acos>)},
    {.name = "arctan", .reals = bodies(real<std::atan>)},
    {.name = "sinh",
     .reals = bodies(real<std::sinh>),
     .complexes = consts(number<std::sinh<double>>)},
    {.name = "cosh",
     .reals = bodies(real<std::cosh>),
     .complexes = consts(number<std::cosh<double>>)},
    {.name = "tanh",
     .reals = bodies(real<std::tanh>),
     .complexes = consts(number<std::tanh<double>>)},
    {.name = "arcsinh", .reals = consts(real<std::asinh>)},
    {.name = "arccosh", .reals = consts(real<std::acosh>)},
    {.name = "arctanh", .reals = consts(real<std::atanh>)},
    {.name = "deg2rad", .reals = consts(real<inRadians>)},
    {.name = "rad2deg", .reals = consts(real<inDegrees>)},
    // Special functions.
    {.name = "erf", .reals = consts(real<std::erf>)},
    {.name = "erfc", .reals = consts(real<std::erfc>)},
    {.name = "gamma", .reals = consts(real<std::tgamma>)},
    {.name = "lgamma", .reals = consts(real<std::lgamma>)},
    // Complex numbers.
    {.name = "real",
     .integers = consts(same),
     .reals = consts(sameReal),
     .complexes = consts(measure<realPart>)},
    {.name = "imag",
     .integers = consts(zero),
     .reals = consts(real<noImaginaryPart>),
     .complexes = consts(measure<imaginaryPart>)},
    {.name = "conjugate",
     .integers = consts(same),
     .reals = consts(sameReal),
     .complexes = consts(number<std::conj<double>>)},
    {.name = "angle",
     .reals = consts(real<angleOf>),
     .complexes = consts(measure<std::arg<double>>)},
    // Tests.
    {.name = "isnan", .reals = consts(holds<std::isnan>)},
    {.name = "isinf", .reals = consts(holds<std::isinf>)},
    {.name = "isfinite", .reals = consts(holds<std::isfinite>)},
    {.name = "signbit", .reals = consts(holds<std::signbit>)},
};

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

static Folded divideIntegers(StringRef, const Integer &a, const Integer &b) {
  if (b.isZero()) // what a type decides
    return Folded::Left;
  std::optional<double> value = quotient(a, b);
  if (!value)
    return Folded::NoFloat;
  const bool isBelow = a.isNegative() != b.isNegative(); // 0 / -8 is -0.0
  return Constant{std::copysign(*value, isBelow ? -1 : 1)};
}

/// Of a function that integers have if they are not too wide.
template <std::optional<__int128> (*function)(__int128, __int128)>
static Folded narrow(StringRef, const Integer &a, const Integer &b) {
  std::optional<__int128> x = a.asInt128(), y = b.asInt128();
  std::optional<__int128> result = x && y ? function(*x, *y) : std::nullopt;
  return result ? Folded(Constant{Integer(*result)}) : Folded::Left;
}

static __int128 sizeOf(__int128 x) { return x < 0 ? -x : x; }

static std::optional<__int128> greatestDivisor(__int128 a, __int128 b) {
  a = sizeOf(a), b = sizeOf(b);
  while (b != 0)
    a = std::exchange(b, a % b);
  return a;
}

static std::optional<__int128> leastMultiple(__int128 a, __int128 b) {
  const __int128 common = *greatestDivisor(a, b);
  __int128 product;
  if (!common)
    return 0;
  if (__builtin_mul_overflow(sizeOf(a) / common, sizeOf(b), &product))
    return std::nullopt;
  return product;
}

static std::optional<__int128> truncatedRemainder(__int128 a, __int128 b) {
  return b ? std::optional(a % b) : std::nullopt;
}
static std::optional<__int128> largerOf(__int128 a, __int128 b) {
  return std::max(a, b);
}
static std::optional<__int128> smallerOf(__int128 a, __int128 b) {
  return std::min(a, b);
}

static double sum(double a, double b) { return a + b; }
static double difference(double a, double b) { return a - b; }
static double product(double a, double b) { return a * b; }

static Folded divide(double a, double b) {
  return b == 0 ? Folded(Folded::Left) : Constant{a / b};
}
static Folded truncatedModulo(double a, double b) {
  return b == 0 ? Folded(Folded::Left) : Constant{std::fmod(a, b)};
}
static Folded modulo(double a, double b) {
  if (b == 0)
    return Folded::Left;
  double mod = std::fmod(a, b);
  if (mod != 0)
    return Constant{(b < 0) != (mod < 0) ? mod + b : mod};
  return Constant{std::copysign(0.0, b)};
}
static Folded floorDivide(double a, double b) {
  if (b == 0)
    return Folded::Left;
  double mod = std::fmod(a, b), quotient = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0))
    quotient -= 1;
  if (quotient == 0)
    return Constant{std::copysign(0.0, a / b)};
  double floored = std::floor(quotient);
  return Constant{quotient - floored > 0.5 ? floored + 1 : floored};
}

/// 0 is above -0.
static double larger(double a, double b) {
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
static double smaller(double a, double b) {
  return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
/// NaN propagates.
static double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : larger(a, b);
}
static double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : smaller(a, b);
}
/// NaN gives way.
static double maximumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : larger(a, b);
}
static double minimumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : smaller(a, b);
}
static double heaviside(double x, double atZero) {
  return std::isnan(x) ? x : x == 0 ? atZero : x < 0 ? 0 : 1;
}
static Folded makeComplex(double re, double im) {
  return Constant{Complex(re, im)};
}

static Folded addComplex(Complex a, Complex b) { return Constant{a + b}; }
static Folded subtractComplex(Complex a, Complex b) { return Constant{a - b}; }
static Folded multiplyComplex(Complex a, Complex b) { return Constant{a * b}; }
static Folded divideComplex(Complex a, Complex b) {
  return b == Complex(0) ? Folded(Folded::Left) : Constant{a / b};
}
static Folded powerOfComplex(Complex a, Complex b) {
  return a == Complex(0) ? Folded(Folded::Left) : Constant{std::pow(a, b)};
}
static Folded equalComplex(Complex a, Complex b) { return Constant{a == b}; }
static Folded unequalComplex(Complex a, Complex b) { return Constant{a != b}; }

static bool both(bool a, bool b) { return a && b; }
static bool either(bool a, bool b) { return a || b; }
static bool differ(bool a, bool b) { return a != b; }
static bool agree(bool a, bool b) { return a == b; }
static bool isLess(bool a, bool b) { return a < b; }
static bool isLessEqual(bool a, bool b) { return a <= b; }
static bool isGreater(bool a, bool b) { return a > b; }
static bool isGreaterEqual(bool a, bool b) { return a >= b; }

static const Binary binaryRules[] = {
    {.name = "add",
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<sum>),
     .complexes = bodies(addComplex),
     .bools = consts(truth<either>)},
    {.name = "subtract",
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<difference>),
     .complexes = bodies(subtractComplex)},
    {.name = "multiply",
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<product>),
     .complexes = consts(multiplyComplex),
     .bools = consts(truth<both>)},
    {.name = "true_divide",
     .integers = bodies(divideIntegers),
     .reals = bodies(divide),
     .complexes = consts(divideComplex)},
    {.name = "floor_divide",
     .integers = bodies(ofIntegers),
     .reals = consts(floorDivide)},
    {.name = "remainder",
     .integers = bodies(ofIntegers),
     .reals = bodies(modulo)},
    {.name = "fmod",
     .integers = consts(narrow<truncatedRemainder>),
     .reals = consts(truncatedModulo)},
    {.name = "power",
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<std::pow>),
     .complexes = consts(powerOfComplex)},
    {.name = "float_power", .reals = consts(reals<std::pow>)},
    // Bits.
    {.name = "bitwise_and",
     .integers = bodies(ofIntegers),
     .bools = consts(truth<both>)},
    {.name = "bitwise_or",
     .integers = bodies(ofIntegers),
     .bools = consts(truth<either>)},
    {.name = "bitwise_xor",
     .integers = bodies(ofIntegers),
     .bools = consts(truth<differ>)},
    {.name = "left_shift", .integers = bodies(ofIntegers)},
    {.name = "right_shift", .integers = bodies(ofIntegers)},
    {.name = "gcd", .integers = consts(narrow<greatestDivisor>)},
    {.name = "lcm", .integers = consts(narrow<leastMultiple>)},
    // Choice.
    {.name = "maximum",
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<maximum>),
     .bools = consts(truth<either>)},
    {.name = "minimum",
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<minimum>),
     .bools = consts(truth<both>)},
    {.name = "fmax",
     .integers = consts(narrow<largerOf>),
     .reals = consts(reals<maximumNumber>)},
    {.name = "fmin",
     .integers = consts(narrow<smallerOf>),
     .reals = consts(reals<minimumNumber>)},
    {.name = "heaviside", .reals = consts(reals<heaviside>)},
    // Comparison, by value: an integer is not rounded to a float first.
    {.name = "equal",
     .complexes = consts(equalComplex),
     .bools = consts(truth<agree>),
     .ofOrder = [](std::optional<int> order) { return order == 0; }},
    {.name = "not_equal",
     .complexes = consts(unequalComplex),
     .bools = consts(truth<differ>),
     .ofOrder = [](std::optional<int> order) { return order != 0; }},
    {.name = "less",
     .bools = consts(truth<isLess>),
     .ofOrder = [](std::optional<int> order) { return order && *order < 0; }},
    {.name = "less_equal",
     .bools = consts(truth<isLessEqual>),
     .ofOrder = [](std::optional<int> order) { return order && *order <= 0; }},
    {.name = "greater",
     .bools = consts(truth<isGreater>),
     .ofOrder = [](std::optional<int> order) { return order && *order > 0; }},
    {.name = "greater_equal",
     .bools = consts(truth<isGreaterEqual>),
     .ofOrder = [](std::optional<int> order) { return order && *order >= 0; }},
    {.name = "logical_and", .truths = consts(truth<both>)},
    {.name = "logical_or", .truths = consts(truth<either>)},
    {.name = "logical_xor", .truths = consts(truth<differ>)},
    // Floats and their parts.
    {.name = "arctan2", .reals = bodies(reals<std::atan2>)},
    {.name = "hypot", .reals = bodies(reals<std::hypot>)},
    {.name = "copysign", .reals = bodies(reals<std::copysign>)},
    {.name = "nextafter", .reals = consts(reals<std::nextafter>)},
    {.name = "complex", .reals = consts(makeComplex)},
};

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

static Folded where(ArrayRef<Constant> operands) {
  const Constant &a = operands[1], &b = operands[2];
  if (!operands[0].isBool() || a.value.index() != b.value.index())
    return Folded::Left;
  return truth(operands[0]) ? a : b;
}

static Folded clip(ArrayRef<Constant> operands) {
  Folded least = fold("maximum", operands.take_front(2), FoldedIn::Consts);
  if (!least.value)
    return least;
  return fold("minimum", {*least.value, operands[2]}, FoldedIn::Consts);
}

namespace {
/// Only in constants.
struct Ternary {
  StringLiteral name;
  Folded (*apply)(ArrayRef<Constant> operands);
};
} // namespace

static const Ternary ternaryRules[] = {{"where", where}, {"clip", clip}};

//===----------------------------------------------------------------------===//
// Choosing a rule
//===----------------------------------------------------------------------===//

template <typename Rules>
static auto *find(const Rules &rules, StringRef function) {
  const auto *found = llvm::find_if(
      rules, [&](const auto &row) { return row.name == function; });
  return found == std::end(rules) ? nullptr : found;
}

template <typename... Operands>
static Folded apply(const Rule<Operands...> &rule, FoldedIn where,
                    std::type_identity_t<Operands>... operands) {
  if (!rule || (where == FoldedIn::Bodies && !rule.inBodies))
    return Folded::Left;
  return rule.apply(operands...);
}

static Folded foldUnary(const Unary &row, const Constant &operand,
                        FoldedIn where) {
  if (row.truths)
    return apply(row.truths, where, truth(operand));
  if (operand.isBool()) // typed: NumPy's rules, not Python's
    return Folded::Left;
  if (const Complex *value = std::get_if<Complex>(&operand.value))
    return apply(row.complexes, where, *value);
  const Integer *integer = operand.asInt();
  if (integer && row.integers)
    return apply(row.integers, where, *integer);
  // Without the number it is not known to be folded; with another one it is.
  std::optional<double> real = toReal(operand);
  Folded result = apply(row.reals, where, real.value_or(1));
  return !real && result.value ? Folded::NoFloat : result;
}

static std::optional<int> orderOf(const Constant &a, const Constant &b) {
  const Integer *x = a.asInt(), *y = b.asInt();
  if (x && y)
    return x->compare(*y);
  if (x)
    return x->compare(std::get<double>(b.value));
  if (y) {
    std::optional<int> order = y->compare(std::get<double>(a.value));
    return order ? std::optional(-*order) : std::nullopt;
  }
  double left = std::get<double>(a.value), right = std::get<double>(b.value);
  if (std::isnan(left) || std::isnan(right))
    return std::nullopt;
  return left == right ? 0 : left < right ? -1 : 1;
}

static Folded foldBinary(const Binary &row, const Constant &a,
                         const Constant &b, FoldedIn where) {
  if (row.truths)
    return apply(row.truths, where, truth(a), truth(b));
  if (a.isBool() && b.isBool())
    return apply(row.bools, where, truth(a), truth(b));
  if (a.isBool() || b.isBool())
    return Folded::Left;
  if (a.isComplex() || b.isComplex()) {
    std::optional<Complex> x = toComplex(a), y = toComplex(b);
    Folded result = apply(row.complexes, where, x.value_or(1), y.value_or(1));
    return !(x && y) && result.value ? Folded::NoFloat : result;
  }
  if (row.ofOrder)
    return Constant{row.ofOrder(orderOf(a, b))};
  if (a.isInt() && b.isInt() && row.integers)
    return apply(row.integers, where, row.name, *a.asInt(), *b.asInt());
  std::optional<double> x = toReal(a), y = toReal(b);
  Folded result = apply(row.reals, where, x.value_or(1), y.value_or(1));
  return !(x && y) && result.value ? Folded::NoFloat : result;
}

Folded fold(StringRef function, ArrayRef<Constant> operands, FoldedIn where) {
  if (operands.size() == 1)
    if (const Unary *row = find(unaryRules, function))
      return foldUnary(*row, operands[0], where);
  if (operands.size() == 2)
    if (const Binary *row = find(binaryRules, function))
      return foldBinary(*row, operands[0], operands[1], where);
  if (operands.size() == 3 && where == FoldedIn::Consts)
    if (const Ternary *row = find(ternaryRules, function))
      return row->apply(operands);
  return Folded::Left;
}

std::vector<FoldedFunction> foldedFunctions() {
  std::vector<FoldedFunction> list;
  for (const Unary &row : unaryRules)
    list.push_back({row.name, 1});
  for (const Binary &row : binaryRules)
    list.push_back({row.name, 2});
  for (const Ternary &row : ternaryRules)
    list.push_back({row.name, 3});
  return list;
}

} // namespace kern
