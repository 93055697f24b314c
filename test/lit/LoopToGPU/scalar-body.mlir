// Where all inputs but the first are scalars, divisions of f64 by them are made
// from one reciprocal; the original body handles what that cannot.
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu=strided=false | FileCheck %s

// CHECK-LABEL: llvm.func internal @scaled__body(
// CHECK: arith.divf
// CHECK: llvm.func internal @scaled__scalars__body(
// CHECK-SAME: %[[X:.*]]: f64, %[[D:.*]]: f64) -> !llvm.struct<(f64, i1)>
// CHECK-NOT: arith.divf
// An approximation becomes the reciprocal, that a quotient with its remainder.
// CHECK: %[[Y0:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.d"(%[[D]])
// CHECK: llvm.intr.fma(%[[Y0]]
// CHECK: llvm.intr.fma
// CHECK: %[[Y1:.*]] = llvm.intr.fma
// CHECK: llvm.intr.fma(%[[Y1]]
// CHECK: %[[Y:.*]] = llvm.intr.fma
// CHECK: %[[Q0:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK: %[[R:.*]] = llvm.intr.fma(%{{.*}}, %[[Q0]], %[[X]])
// CHECK: %[[Q:.*]] = llvm.intr.fma(%[[R]], %[[Y]], %[[Q0]])
// The upper halves of 2^-900 and 2^900, and of 2^-100 and 2^100.
// Nor is a significand of nothing but ones allowed.
// CHECK-DAG: arith.constant 4503599627370495 : i64
// CHECK-DAG: arith.cmpf oge, %{{.*}}, %{{.*}} : f32
// CHECK-DAG: arith.cmpf ole, %{{.*}}, %{{.*}} : f32
// CHECK: %[[OK:.*]] = arith.andi
// CHECK: llvm.insertvalue %[[Q]], %{{.*}}[0]
// CHECK: llvm.return

// Four elements from two wide loads, which stay before the first body; nothing
// is stored unless all are right.
// CHECK-LABEL: llvm.func ptx_kernelcc @scaled__contiguous(
// CHECK-SAME: block = 128 : i64, disjoint = false, elements = 4 : i64
// CHECK-COUNT-2: llvm.load {{.*}} vector<2xf64>
// CHECK: llvm.inline_asm has_side_effects {{.*}}"~{memory}"
// CHECK-COUNT-4: llvm.call @scaled__scalars__body
// CHECK-NOT: llvm.store
// CHECK: cf.cond_br
// CHECK-COUNT-2: llvm.store {{.*}} vector<2xf64>
// Everything else goes chunk by chunk.
// CHECK-COUNT-2: llvm.call @scaled__body
// CHECK: llvm.store {{.*}} vector<2xf64>
// CHECK: llvm.call @scaled__body
loop.kernel @scaled kind(ufunc) (%x: f64, %d: f64) -> (f64)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.divf %x, %d : f64
  loop.return %c : f64
}

// Divisions by what differs, of other types, or made fast anyway stay.
// CHECK-LABEL: llvm.func internal @others__scalars__body(
// CHECK-SAME: -> !llvm.struct<(f64, f32, f64)>
// CHECK: arith.divf %{{.*}} : f64
// CHECK: arith.divf %{{.*}} : f32
// CHECK: arith.divf %{{.*}} fastmath<fast> : f64
loop.kernel @others kind(ufunc) (%x: f64, %y: f32, %d: f64) -> (f64, f32, f64)
    attributes {num_inputs = 3 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0, 0, 0>} {
  %a = arith.divf %d, %x : f64
  %t = arith.truncf %x : f64 to f32
  %b = arith.divf %t, %y : f32
  %c = arith.divf %x, %d fastmath<fast> : f64
  loop.return %a, %b, %c : f64, f32, f64
}

// An i64 beside i16: the narrow elements fill their accesses where it is a
// scalar, and it does where it is not.
// CHECK-LABEL: llvm.func ptx_kernelcc @wide__contiguous(
// CHECK-SAME: alignment = 16 : i64, block = 128 : i64, disjoint = false, elements = 16 : i64
// CHECK-COUNT-2: llvm.load {{.*}} vector<8xi16>
// CHECK-COUNT-2: llvm.store {{.*}} vector<8xi16>
// CHECK: llvm.load {{.*}} vector<2xi16>
// CHECK: llvm.load {{.*}} vector<2xi64>
// CHECK: llvm.store {{.*}} vector<2xi16>
loop.kernel @wide kind(ufunc) (%x: i16, %t: i64) -> (i16)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %e = arith.extsi %x : i16 to i64
  %low = arith.cmpi slt, %e, %t : i64
  %zero = arith.constant 0 : i16
  %r = arith.select %low, %zero, %x : i16
  loop.return %r : i16
}
