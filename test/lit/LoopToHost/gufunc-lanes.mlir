// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host=lanes=4 | FileCheck %s

// A core of constant size: four loop elements at once. Each core element is a
// vector in memory of the entry point.
// CHECK-LABEL: llvm.func internal @scaled__lanes(
// CHECK-SAME: %[[V:.*]]: !llvm.ptr, %[[STRIDE:.*]]: i64, %[[K:.*]]: vector<4xf64>,
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[V]]
// CHECK: %[[X:.*]] = llvm.load %[[FIRST]] {{.*}} -> vector<4xf64>
// CHECK: arith.mulf %[[X]], %[[K]] : vector<4xf64>
// CHECK: llvm.store %{{.*}} : vector<4xf64>

// A second body is for a scalar that is the same for all loop elements.
// CHECK-LABEL: llvm.func internal @scaled__uniform(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: f64,

// CHECK-LABEL: llvm.func @scaled__general(
// CHECK-SAME: passthrough = ["kern-vectors"]
// CHECK: cf.cond_br %{{.*}}, ^[[SAME:bb[0-9]+]], ^[[DIFFERENT:bb[0-9]+]]
// CHECK: ^[[DIFFERENT]]:
// CHECK: llvm.call @scaled__uniform
// The remaining lanes of the last vector take the last loop element.
// CHECK: %[[FULL:.*]] = arith.cmpi sle
// CHECK: arith.minsi %{{.*}}, %{{.*}} : vector<4xi64>
// Without gaps, a whole vector of elements is put in order; else lanes are
// gathered.
// CHECK: arith.constant 16 : i64
// CHECK: %[[DENSE:.*]] = arith.cmpi eq
// CHECK: %[[BOTH:.*]] = arith.andi %[[FULL]], %[[DENSE]]
// CHECK: %[[CORE:.*]] = arith.andi %[[BOTH]]
// CHECK: cf.cond_br %[[CORE]]
// CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xf64>
// CHECK: llvm.shufflevector %{{.*}} [0, 2, 4, 6]
// CHECK: llvm.shufflevector %{{.*}} [1, 3, 5, 7]
// CHECK-COUNT-2: llvm.intr.masked.gather
// CHECK: llvm.call @scaled__lanes
// CHECK: llvm.shufflevector %{{.*}} [0, 4, 1, 5, 2, 6, 3, 7]
// CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : vector<8xf64>, !llvm.ptr
// CHECK-COUNT-2: llvm.intr.masked.scatter
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

// The body gathers from an operand of more elements.
// CHECK-LABEL: llvm.func internal @some__lanes(
// CHECK-SAME: %[[V:.*]]: !llvm.ptr, %[[AT:.*]]: vector<4xi64>, %[[STRIDE:.*]]: i64, %{{.*}}: !llvm.ptr, %{{.*}}: i64)
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, i8
// CHECK: llvm.intr.masked.gather %[[FIRST]]
// CHECK-LABEL: llvm.func @some__general(
loop.kernel @some kind(gufunc) (%v: !loop.array<f64, 1>, %y: !loop.array<f64, 1>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 1>,
                core_extents = [[["17"]], [["1"]]]} {
  %c0 = arith.constant 0 : i64
  %a = loop.load %v[%c0] : !loop.array<f64, 1>
  loop.store %a, %y[%c0] : !loop.array<f64, 1>
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
