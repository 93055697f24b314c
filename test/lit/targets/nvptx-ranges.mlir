// Kernels of which one input is a range: it is not read, and its numbers are
// computed from the first one, the step and the position.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{inner=true in-place=false disjoint=true},kern-emit{as=ptx arch=sm_90})" > %t.90.ptx
// RUN: FileCheck %s < %t.90.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{inner=true},kern-emit{as=ptx arch=sm_75})" > %t.75.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{inner=true},kern-emit{as=ptx arch=sm_100})" > %t.100.ptx
// RUN: %ptxas-all %t.75.ptx %t.90.ptx %t.100.ptx

// All elements are f32: accesses are as wide as without the range.
// CHECK: .entry add__contiguous_disjoint(
// CHECK-NOT: ld.global.{{.*}}b64
// CHECK: ld.global.{{(nc.)?}}v4.b32
// CHECK: cvt.rn.f32.s64
// CHECK: st.global.v4.b32
// CHECK-NOT: ld.global.{{.*}}b64

// CHECK: .entry add__inner_disjoint(
// CHECK-NOT: ld.global.{{.*}}b64
// CHECK: ld.global.{{(nc.)?}}v4.b32
// CHECK-NOT: ld.global.{{.*}}b64

// CHECK: .entry add__strided_disjoint(
// CHECK-NOT: ld.global.{{.*}}b64
// CHECK: ld.global.{{(nc.)?}}b32
// CHECK-NOT: ld.global.{{.*}}b64
loop.kernel @add kind(ufunc) (%a: f32, %b: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>, loop.ranges = 2 : i64} {
  %number = arith.sitofp %b : i64 to f32
  %c = arith.addf %a, %number : f32
  loop.return %c : f32
}

// Nothing is read at all.
// CHECK: .entry numbers__contiguous_disjoint(
// CHECK-NOT: ld.global
// CHECK: st.global.v2.b64
// CHECK-NOT: ld.global
// CHECK: .entry numbers__inner_disjoint(
// CHECK-NOT: ld.global
// CHECK: .entry numbers__strided_disjoint(
// CHECK-NOT: ld.global
loop.kernel @numbers kind(ufunc) (%i: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>, loop.ranges = 1 : i64} {
  loop.return %i : i64
}
