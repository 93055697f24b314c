//===- ErrorFunction.cpp - the complementary error function ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (1 + 2x) e^(x²) erfc(x) in t = (x - 3¾) / (x + 3¾), after M. M. Shepherd and
// J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in
// 0 ≤ x < ∞", Math. Comp. 36 (1981); coefficients interpolated in 400 bits.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Primitives.h"

namespace kern::compiler::library {

static constexpr double scaled[] = {
    1.2375126308378275,      -0.14024059858554702,   0.0035854154854644583,
    0.08227673849015109,     -0.10880393014175023,   0.09230432116019638,
    -0.05869339858961116,    0.028362277421543975,   -0.009746579558275143,
    0.0017556258321915724,   0.00029371366698455924, -0.00029015397813802893,
    5.164909388602634e-05,   2.2383908277245325e-05, -1.1444134390169407e-05,
    -9.728413466457678e-07,  1.7516189415432663e-06, -5.827501638048315e-08,
    -2.5864899200133455e-07, 2.4301837184453338e-08, 3.866242130695076e-08,
    -4.396920412998374e-09,  -5.169080900749912e-09, 5.485078840806595e-10,
    4.243304269266689e-10,   -3.798055298988943e-11};

/// erfc(x) for x >= 0. From 27¼ on it is below half the smallest number.
static double upperErfc(double x) {
  if (x > 27.25)
    return 0.0;
  if (x < 0.25)
    return 1 - kern_erf_f64(x);
  double t = (x - 3.75) / (x + 3.75);
  Double2 divisor = exactSum(2 * x, 1.0);
  double factor = polynomial(scaled, t) / divisor.high;
  Double2 square = exactProduct(x, x);
  square.low += divisor.low / divisor.high;
  if (square.high < 700)
    return kern_exp_f64(-square.high) * fma(factor, -square.low, factor);
  // Two factors, both in range: only the last product rounds to a subnormal.
  double half = kern_exp_f64(-0.5 * square.high);
  double body = half * fma(factor, -square.low, factor);
  return body * half;
}

static double erfc(double x) {
  if (isNan(x))
    return x;
  return x < 0 ? 2 - upperErfc(-x) : upperErfc(x);
}

} // namespace kern::compiler::library

extern "C" double kern_erfc_f64(double x) {
  return kern::compiler::library::erfc(x);
}
