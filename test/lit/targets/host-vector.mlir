// The contiguous form of plain arithmetic is a vector loop without a check for
// overlap; in-place calls use it too.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm})" | FileCheck %s

// CHECK-LABEL: define void @add__contiguous(
// CHECK-NOT: memcheck
// CHECK: fadd <{{[0-9]+}} x float>
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// CHECK-LABEL: define void @suppress__contiguous(
// CHECK: select <{{[0-9]+}} x i1>
loop.kernel @suppress kind(ufunc) (%a: i16, %t: i16) -> (i16)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i16
  %low = arith.cmpi slt, %a, %t : i16
  cf.cond_br %low, ^done(%zero : i16), ^done(%a : i16)
^done(%c: i16):
  loop.return %c : i16
}
