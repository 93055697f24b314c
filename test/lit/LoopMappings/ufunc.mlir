// RUN: %kern-opt %s --loop-map="flat=true" | FileCheck %s

// Elements from elements: a ufunc whose inputs are the loads, each once, and
// the parameters without core dimensions.
// CHECK-LABEL: loop.kernel @scaled kind(ufunc)
// CHECK-SAME: (%[[A:.*]]: f32, %[[K:.*]]: f32) -> (f32)
// CHECK-SAME: loop.flattened
// CHECK-SAME: num_inputs = 2
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: %[[Q:.*]] = arith.mulf %[[P]], %[[K]]
// CHECK: loop.return %[[Q]]
loop.kernel @scaled kind(gufunc) (%a: !loop.array<f32, 2>, %k: f32,
    %y: !loop.array<f32, 2>, %m: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    %x = loop.load %a[%j, %i] : !loop.array<f32, 2>
    %z = loop.load %a[%j, %i] : !loop.array<f32, 2>
    %p = arith.mulf %x, %z : f32
    %q = arith.mulf %p, %k : f32
    loop.store %q, %y[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

// An index as a value, or a dimension, does not belong to a ufunc.
// CHECK-LABEL: loop.kernel @numbered kind(gufunc)
// CHECK-SAME: flat_extents
loop.kernel @numbered kind(gufunc) (%y: !loop.array<i64, 1>, %n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %i, %y[%i] : !loop.array<i64, 1>
    loop.yield
  }
  loop.return
}

// Nor does an index that depends on data.
// CHECK-LABEL: loop.kernel @gathered kind(gufunc)
// CHECK-SAME: flat_extents
loop.kernel @gathered kind(gufunc) (%v: !loop.array<i64, 1>, %y: !loop.array<i64, 1>,
    %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = loop.load %v[%i] : !loop.array<i64, 1>
    %x = loop.load %v[%k] : !loop.array<i64, 1>
    loop.store %x, %y[%i] : !loop.array<i64, 1>
    loop.yield
  }
  loop.return
}
