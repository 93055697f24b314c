// RUN: %kern-opt %s --loop-map="flat=true ufunc=false" | FileCheck %s

// A loop inside a loop: both become indices. The kernel's last arguments number
// the iterations.
// CHECK-LABEL: loop.kernel @outer kind(gufunc)
// CHECK-SAME: %[[M:arg3]]: i64, %[[N:arg4]]: i64, %[[I:arg5]]: i64, %[[J:arg6]]: i64)
// CHECK-SAME: flat_extents = {{\[\[}}"m"], ["n", "1", "-", "1", "+", "2", "//", "0", "max"]]
// CHECK-NOT: loop.parallel
// CHECK: %[[AT:.*]] = arith.muli %[[J]], %{{.*}} : i64
// CHECK: loop.load %arg0[%[[I]]]
// CHECK: loop.store
// CHECK-NEXT: loop.return
loop.kernel @outer kind(gufunc) (%a: !loop.array<f32, 1>, %b: !loop.array<f32, 1>,
    %y: !loop.array<f32, 2>, %m: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    loop.parallel (%j) = (%c1) to (%n) step (%c2) {
      %x = loop.load %a[%i] : !loop.array<f32, 1>
      %z = loop.load %b[%j] : !loop.array<f32, 1>
      %p = arith.mulf %x, %z : f32
      loop.store %p, %y[%i, %j] : !loop.array<f32, 2>
      loop.yield
    }
    loop.yield
  }
  loop.return
}

// A reduction inside stays, for the lanes of an item. Its length depends on the
// item, so that it is not a flat index.
// CHECK-LABEL: loop.kernel @triangle
// CHECK-SAME: flat_extents = {{\[\[}}"n"]]
// CHECK: loop.reduce sum (%{{.*}}) = %{{.*}} to %[[I:arg3]]
loop.kernel @triangle kind(gufunc) (%a: !loop.array<f32, 2>, %y: !loop.array<f32, 1>,
    %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = loop.reduce sum (%j) = %c0 to %i step %c1 : f32 {
      %x = loop.load %a[%i, %j] : !loop.array<f32, 2>
      loop.yield %x : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Not flat: two loops; a result; a load around the loop from what it writes; a
// sum of floats, which runs in order.
// CHECK-LABEL: loop.kernel @two
// CHECK-NOT: flat_extents
loop.kernel @two kind(gufunc) (%y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %f = arith.constant 1.0 : f32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %f, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.accumulate add %f, %y[%c0] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
// CHECK-LABEL: loop.kernel @around
// CHECK-NOT: flat_extents
loop.kernel @around kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %f = loop.load %v[%c0] : !loop.array<f32, 1>
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %f, %v[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
// CHECK-LABEL: loop.kernel @in_order
// CHECK-NOT: flat_extents
loop.kernel @in_order kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %f = arith.constant 1.0 : f32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.accumulate add %f, %v[%c0] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
