// Kernels that write where one more array, of bool, is true: the mask is read
// first, in one access for each chunk; a thread whose elements are all off ends,
// and reads no inputs; a chunk is written whole where all of it is true and else
// element by element behind predicates; no division comes in.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{inner=true tiled=true in-place=false disjoint=true},kern-emit{as=ptx arch=sm_90})" > %t.90.ptx
// RUN: FileCheck %s < %t.90.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{inner=true tiled=true},kern-emit{as=ptx arch=sm_75})" > %t.75.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu,kern-emit{as=ptx arch=sm_100})" > %t.100.ptx
// RUN: %ptxas-all %t.75.ptx %t.90.ptx %t.100.ptx

// n, flags, two words of each input, the result's pointer, the mask's.
// CHECK: .entry add__contiguous_disjoint(
// CHECK: .param{{.*}} add__contiguous_disjoint_param_7
// CHECK-NOT: add__contiguous_disjoint_param_8
// CHECK-NOT: {{div|rem}}.
// CHECK-NOT: ld.global.{{(nc.)?}}v{{4.b32|2.b64}}
// CHECK-COUNT-2: ld.global.{{b32|v4.b8}}
// CHECK: @%p{{[0-9]+}} bra
// CHECK-COUNT-4: ld.global.{{(nc.)?}}v{{4.b32|2.b64}}
// CHECK: st.global.v{{4.b32|2.b64}}
// CHECK: st.global.b32
// CHECK-NOT: {{div|rem}}.{{[us]}}

// CHECK: .entry add__inner_disjoint(
// CHECK-NOT: {{div|rem}}.
// CHECK: st.global.v{{4.b32|2.b64}}
// CHECK-COUNT-4: st.global.b32
// CHECK-NOT: {{div|rem}}.{{[us]}}

// CHECK: .entry add__tiled_disjoint(
// CHECK-NOT: {{div|rem}}.
// CHECK: ld.global.{{(nc.)?}}b8
// CHECK: st.global.b32
// CHECK-NOT: {{div|rem}}.{{[us]}}

// CHECK: .entry add__strided_disjoint(
// CHECK-NOT: {{div|rem}}.
// CHECK-COUNT-4: ld.global.{{(nc.)?}}b8
// CHECK: st.global.b32
// CHECK-NOT: {{div|rem}}.{{[us]}}
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>, loop.masked} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// Two results, one of them complex, behind one mask.
// CHECK: .entry parts__contiguous_disjoint(
loop.kernel @parts kind(ufunc) (%z: complex<f32>) -> (f16, complex<f32>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0, 0>, loop.masked} {
  %re = complex.re %z : complex<f32>
  %half = arith.truncf %re : f32 to f16
  loop.return %half, %z : f16, complex<f32>
}
