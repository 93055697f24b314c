// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host=lanes=4 | FileCheck %s

// A core of constant size: four loop elements at once. Each core element is a
// vector, gathered by the offsets of the lanes.
// CHECK-LABEL: llvm.func internal @scaled__lanes(
// CHECK-SAME: %[[V:.*]]: !llvm.ptr, %[[AT:.*]]: vector<4xi64>, %[[STRIDE:.*]]: i64, %[[K:.*]]: vector<4xf64>,
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i8
// CHECK: %[[X:.*]] = llvm.intr.masked.gather %[[FIRST]]
// CHECK: arith.mulf %[[X]], %[[K]] : vector<4xf64>
// CHECK: llvm.intr.masked.scatter

// A second body is for a scalar that is the same for all loop elements.
// CHECK-LABEL: llvm.func internal @scaled__uniform(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: vector<4xi64>, %{{.*}}: i64, %{{.*}}: f64,

// CHECK-LABEL: llvm.func @scaled__general(
// CHECK-SAME: passthrough = ["kern-vectors"]
// CHECK: cf.cond_br %{{.*}}, ^[[SAME:bb[0-9]+]], ^[[DIFFERENT:bb[0-9]+]]
// CHECK: ^[[DIFFERENT]]:
// The remaining lanes of the last vector take the last loop element.
// CHECK: arith.minsi %{{.*}}, %{{.*}} : vector<4xi64>
// CHECK: llvm.call @scaled__uniform
// CHECK: arith.minsi %{{.*}}, %{{.*}} : vector<4xi64>
// CHECK: llvm.call @scaled__lanes
loop.kernel @scaled kind(gufunc) (%v: !loop.array<f64, 1>, %k: f64, %y: !loop.array<f64, 1>)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 1>,
                core_extents = [[["2"]], [], [["2"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = loop.load %v[%c0] : !loop.array<f64, 1>
  %b = loop.load %v[%c1] : !loop.array<f64, 1>
  %p = arith.mulf %a, %k : f64
  %q = arith.mulf %b, %k : f64
  loop.store %p, %y[%c1] : !loop.array<f64, 1>
  loop.store %q, %y[%c0] : !loop.array<f64, 1>
  loop.return
}

// Many core elements, or a number that is known at the call: one loop element
// at a time.
// CHECK-NOT: @long__lanes
// CHECK: llvm.func internal @long__body(
loop.kernel @long kind(gufunc) (%v: !loop.array<f64, 1>, %y: !loop.array<f64, 1>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 1>,
                core_extents = [[["100"]], [["1"]]]} {
  %c0 = arith.constant 0 : i64
  %a = loop.load %v[%c0] : !loop.array<f64, 1>
  loop.store %a, %y[%c0] : !loop.array<f64, 1>
  loop.return
}
