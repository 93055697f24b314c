// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host=lanes=4 | FileCheck %s

// The body for unit strides: whole vectors, and the iterations that are left.
// CHECK-LABEL: llvm.func internal @windows__body__unit(
// CHECK: llvm.call @windows__body__iteration_0__vectors
// CHECK: llvm.call @windows__body__iteration_0(

// Four iterations at once. `w` is one number for all of them, `x` and `y` are
// read and written side by side, and `r` the other way round.
// CHECK-LABEL: llvm.func internal @windows__body__iteration_0__lanes(
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<4xf32>, !llvm.ptr
// CHECK: %[[W:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[R:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.shufflevector %[[R]], %[[R]] [3, 2, 1, 0]
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<4xf32>

// The last vector ends with the last iteration: what it does twice has the same
// results.
// CHECK-LABEL: llvm.func internal @windows__body__iteration_0__vectors(
// CHECK-SAME: passthrough = ["noinline", "kern-vectors"]
// CHECK: llvm.call @windows__body__iteration_0__lanes
// CHECK: llvm.call @windows__body__iteration_0__lanes
// CHECK: llvm.return %{{.*}} : i64

// CHECK-LABEL: llvm.func internal @windows__body__iteration_0(
// CHECK-NOT: reassoc
// CHECK: llvm.return

// Strides other than those of neighbours: each iteration by itself if sums are
// short.
// CHECK-LABEL: llvm.func internal @windows__body(
// CHECK: %[[LIMIT:.*]] = arith.constant 256 : i64
// CHECK: arith.cmpi sle, %{{.*}}, %[[LIMIT]] : i64
// CHECK-NOT: __vectors
// CHECK: llvm.call @windows__body__iteration_0(

loop.kernel @windows kind(gufunc)
    (%x: !loop.array<f32, 1>, %w: !loop.array<f32, 1>, %y: !loop.array<f32, 1>,
     %n: i64, %k: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = loop.reduce sum (%j) = %c0 to %k step %c1 : f32 {
      %a = loop.load %w[%j] : !loop.array<f32, 1>
      %at = arith.addi %i, %j : i64
      %b = loop.load %x[%at] : !loop.array<f32, 1>
      %left = arith.subi %j, %i : i64
      %r = loop.load %x[%left] : !loop.array<f32, 1>
      %p = arith.mulf %a, %b fastmath<contract> : f32
      %q = arith.mulf %p, %r : f32
      loop.yield %q : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Iterations that read rows, whose elements are far apart: their sums are in
// vectors instead.
// CHECK-NOT: @rows__body__iteration
// CHECK: llvm.func internal @rows__body(
loop.kernel @rows kind(gufunc)
    (%a: !loop.array<f32, 2>, %y: !loop.array<f32, 1>, %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %n step %c1 : f32 {
      %u = loop.load %a[%i, %p] : !loop.array<f32, 2>
      loop.yield %u : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Iterations that read what they have written do not run twice.
// CHECK-LABEL: llvm.func internal @grown__body__iteration_0__vectors(
// CHECK: llvm.call @grown__body__iteration_0__lanes
// CHECK-NOT: llvm.call
// CHECK: llvm.return %{{.*}} : i64
loop.kernel @grown kind(gufunc)
    (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64, %k: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %b = loop.load %x[%i] : !loop.array<f32, 1>
    cf.br ^header(%c0 : i64)
  ^header(%j: i64):
    %more = arith.cmpi slt, %j, %k : i64
    cf.cond_br %more, ^body, ^done
  ^body:
    %a = loop.load %y[%i] : !loop.array<f32, 1>
    %s = arith.addf %a, %b : f32
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    %next = arith.addi %j, %c1 : i64
    cf.br ^header(%next : i64)
  ^done:
    loop.yield
  }
  loop.return
}
