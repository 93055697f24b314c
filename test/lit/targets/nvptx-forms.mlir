// What each form of an addition is as PTX: wide accesses, no division, the
// read-only path where operands are disjoint and only there.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{inner=true tiled=true},kern-emit{as=ptx arch=sm_75})" > %t.75.ptx
// RUN: FileCheck %s < %t.75.ptx
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu{inner=true tiled=true in-place=false disjoint=true},kern-emit{as=ptx arch=sm_90})" > %t.90.ptx
// RUN: FileCheck %s --check-prefix=DISJOINT < %t.90.ptx
// RUN: %ptxas-all %t.75.ptx %t.90.ptx

// CHECK-NOT: ld.global.nc
// CHECK-NOT: {{div|rem}}.
// CHECK: .entry add__contiguous(
// A full block is told from the last one by its number alone, and reads and
// writes without another test.
// CHECK: ctaid.x
// CHECK: setp.{{.*}}64
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK: ld.global.v{{4.b32|2.b64}}
// CHECK: st.global.v{{4.b32|2.b64}}

// Two rows: vectors of both inputs are read before anything is written.
// CHECK: .entry add__inner(
// CHECK-NOT: {{div|rem}}.
// CHECK-COUNT-2: ld.global.v{{4.b32|2.b64}}
// CHECK-COUNT-2: st.global.v{{4.b32|2.b64}}
// CHECK-NOT: {{div|rem}}.

// CHECK: .entry add__tiled(
// CHECK-NOT: {{div|rem}}.
// CHECK: st.shared.b32
// CHECK: bar{{rier|.sync}}
// CHECK: ld.shared.b32
// CHECK-NOT: {{div|rem}}.

// CHECK: .entry add__strided(
// CHECK-NOT: {{div|rem}}.
// CHECK-COUNT-8: ld.global.b32
// CHECK: st.global.b32
// CHECK-NOT: {{div|rem}}.

// DISJOINT: .entry add__contiguous_disjoint(
// DISJOINT-NOT: ld.global.{{[vb]}}
// DISJOINT: ld.global.nc.v{{4.b32|2.b64}}
// DISJOINT-NOT: ld.global.{{[vb]}}
// DISJOINT: .entry add__inner_disjoint(
// DISJOINT-NOT: ld.global.{{[vb]}}
// DISJOINT: ld.global.nc.v{{4.b32|2.b64}}
// DISJOINT-NOT: ld.global.{{[vb]}}
// DISJOINT: .entry add__tiled_disjoint(
// DISJOINT-NOT: ld.global.{{[vb]}}
// DISJOINT: ld.global.nc.b32
// DISJOINT-NOT: ld.global.{{[vb]}}
// DISJOINT: .entry add__strided_disjoint(
// DISJOINT-NOT: ld.global.{{[vb]}}
// DISJOINT: ld.global.nc.b32
// DISJOINT-NOT: ld.global.{{[vb]}}
loop.kernel @add kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.addf %a, %b : f32
  loop.return %c : f32
}
