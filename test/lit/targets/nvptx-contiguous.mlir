// Before sm_100 the contiguous form reads and writes 16 bytes at a time, and its
// kernels assemble for every GPU.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{strided=false},kern-emit{as=ptx arch=sm_75})" > %t.75.ptx
// RUN: FileCheck %s < %t.75.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{strided=false sm=90},kern-emit{as=ptx arch=sm_90})" > %t.90.ptx
// RUN: FileCheck %s < %t.90.ptx
// RUN: %ptxas-all %t.75.ptx %t.90.ptx

// Nothing may promise that inputs and outputs are apart.
// CHECK-NOT: ld.global.nc
// CHECK: .visible .entry add__contiguous(
// CHECK: add__contiguous_param_6
// CHECK-NOT: add__contiguous_param_7
// CHECK: .maxntid 256
// A full block of arrays goes straight on, from its one branch to the end.
// CHECK: bra
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK-NOT: {{setp|bra|\.v[24]\.}}
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK-NOT: {{setp|bra|\.v[24]\.}}
// CHECK: add{{.*}}.f32
// CHECK-NOT: {{setp|bra|\.v[24]\.}}
// CHECK: st.global.v{{4.b32|2.b64}}
// Then blocks with scalars or without all of their elements.
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK-NOT: .v{{[24]}}.
// CHECK: add{{.*}}.f32
// CHECK: st.global.v{{4.b32|2.b64}}
// CHECK-NOT: .v{{[24]}}.
// CHECK: ld.global.b32
// CHECK: ld.global.b32
// CHECK: st.global.b32
// CHECK-NOT: .v{{[24]}}.
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}

// CHECK: .visible .entry suppress__contiguous(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
loop.kernel @suppress kind(ufunc) (%a: i16, %t: i16) -> (i16)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0 : i16
  %low = arith.cmpi slt, %a, %t : i16
  %c = arith.select %low, %zero, %a : i16
  loop.return %c : i16
}

// CHECK: .visible .entry bytes__contiguous(
// CHECK: ld.global.v4.b32
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
loop.kernel @bytes kind(ufunc) (%a: i8, %b: i8) -> (i8)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addi %a, %b : i8
  loop.return %c : i8
}

// CHECK: .visible .entry halves__contiguous(
// CHECK: ld.global.v2.b64
// CHECK: st.global.v2.b64
loop.kernel @halves kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %half = arith.constant 0.5 : f64
  %c = arith.mulf %a, %half : f64
  loop.return %c : f64
}

// A bool is a byte beside a wider operand's 16.
// CHECK: .visible .entry below__contiguous(
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK: st.global.b32
loop.kernel @below kind(ufunc) (%a: f32) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %zero = arith.constant 0.0 : f32
  %c = arith.cmpf olt, %a, %zero : f32
  loop.return %c : i1
}
