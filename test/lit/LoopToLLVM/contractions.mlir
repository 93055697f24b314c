// RUN: %kern-opt %s --pass-pipeline="builtin.module(loop-merge-products,loop-choose-contractions)" | FileCheck %s
// RUN: %kern-opt %s --pass-pipeline="builtin.module(loop-merge-products,loop-choose-contractions,loop-map{flat=true},loop-distribute,loop-to-gpu)" | FileCheck %s --check-prefix=GPU

// The left one of two products joins a sum, also behind a sign. One that is
// needed elsewhere, and what may be regrouped, stay as they are. One that is
// written twice is needed twice: x * z - z * x is 0.
// CHECK-LABEL: loop.kernel @sums
// CHECK: %[[LEFT:.*]] = arith.mulf %[[X:.*]], %[[X]] fastmath<contract>
// CHECK: %[[RIGHT:.*]] = arith.mulf %[[Y:.*]], %[[Y]] : f64
// CHECK: arith.addf %[[LEFT]], %[[RIGHT]] fastmath<contract>
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<contract>
// CHECK: %[[LESS:.*]] = arith.negf %[[PRODUCT]]
// CHECK: arith.subf %[[Y]], %[[LESS]] fastmath<contract>
// CHECK: %[[TWICE:.*]] = arith.mulf %[[X]], %[[Z:.*]] : f64
// CHECK-NEXT: arith.subf %[[TWICE]], %[[TWICE]] : f64
// CHECK: %[[FREE:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<reassoc>
// CHECK: arith.addf %[[FREE]], %[[X]] fastmath<reassoc>
// GPU-LABEL: llvm.func internal @sums__body
// GPU: arith.mulf %[[X:.*]], %[[X]] : f64
// GPU: %[[YY:.*]] = arith.mulf %[[Y:.*]], %[[Y]] : f64
// GPU: llvm.intr.fma(%[[X]], %[[X]], %[[YY]])
// GPU: llvm.intr.fma(%[[X]], %[[Y]], %[[Y]])
// GPU: %[[TWICE:.*]] = arith.mulf %[[X]], %{{.*}} : f64
// GPU: arith.subf %[[TWICE]], %[[TWICE]] : f64
// GPU: %[[FREE:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<reassoc>
// GPU: arith.addf %[[FREE]], %[[X]] fastmath<reassoc>
loop.kernel @sums kind(ufunc) (%x: f64, %y: f64, %z: f64) -> (f64, f64, f64, f64)
    attributes {num_inputs = 3 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0, 0, 0, 0>} {
  %xx = arith.mulf %x, %x : f64
  %yy = arith.mulf %y, %y : f64
  %s = arith.addf %xx, %yy : f64
  %p = arith.mulf %x, %y : f64
  %n = arith.negf %p : f64
  %d = arith.subf %y, %n : f64
  %q = arith.mulf %x, %z : f64
  %r = arith.mulf %z, %x : f64
  %t = arith.subf %q, %r : f64
  %f = arith.mulf %x, %y fastmath<reassoc> : f64
  %g = arith.addf %f, %x fastmath<reassoc> : f64
  loop.return %s, %d, %t, %g : f64, f64, f64, f64
}

// Halves round after each operation, but for a product and a sum. A number that
// is no half keeps them apart.
// CHECK-LABEL: loop.kernel @halves
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK: arith.subf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK-NOT: contract
// CHECK: loop.return
// GPU-LABEL: llvm.func internal @halves__body
// GPU: %[[NEGATIVE:.*]] = arith.negf %{{.*}} : f16
// GPU: %[[FUSED:.*]] = llvm.intr.fma(%{{.*}}, %[[QUARTER:.*]], %[[NEGATIVE]])  : (f16, f16, f16) -> f16
// GPU: arith.addf %{{.*}}, %{{.*}} : f32
// GPU: llvm.return
loop.kernel @halves kind(ufunc) (%x: f16, %y: f16) -> (f16, f16)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0, 0>} {
  %quarter = arith.constant 0.25 : f32
  %tenth = arith.constant 0.1 : f32
  %a = arith.extf %x : f16 to f32
  %b = arith.extf %y : f16 to f32
  %p = arith.mulf %a, %quarter : f32
  %r = arith.truncf %p : f32 to f16
  %w = arith.extf %r : f16 to f32
  %s = arith.subf %w, %b : f32
  %t = arith.truncf %s : f32 to f16
  %q = arith.mulf %a, %b : f32
  %rq = arith.truncf %q : f32 to f16
  %wq = arith.extf %rq : f16 to f32
  %v = arith.addf %wq, %tenth : f32
  %tv = arith.truncf %v : f32 to f16
  loop.return %t, %tv : f16, f16
}

// A reduction adds its product at once.
// GPU-LABEL: llvm.func internal @dot__body
// GPU-DAG: llvm.intr.fma(%{{.*}}, %{{.*}}, %{{.*}})  : (f32, f32, f32) -> f32
// GPU: llvm.return
loop.kernel @dot kind(gufunc) (%x: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %a = loop.load %x[%i] : !loop.array<f32, 1>
    %p = arith.mulf %a, %a fastmath<contract> : f32
    loop.yield %p : f32
  }
  loop.return %s : f32
}
