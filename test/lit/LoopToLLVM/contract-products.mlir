// RUN: %kern-opt %s --pass-pipeline="builtin.module(loop-merge-products,loop-contract-products)" | FileCheck %s

// The left one of two products is added at once. A product that is needed
// elsewhere, and what may be regrouped, stay as they are. One that is written
// twice is needed twice.
// CHECK-LABEL: loop.kernel @sums
// CHECK: %[[X:.*]] = loop.load
// CHECK: %[[Y:.*]] = loop.load
// CHECK: %[[RIGHT:.*]] = arith.mulf %[[Y]], %[[Y]]
// CHECK: %[[SUM:.*]] = llvm.call_intrinsic "llvm.fmuladd"(%[[X]], %[[X]], %[[RIGHT]])
// CHECK: %[[LESS:.*]] = arith.negf %[[X]]
// CHECK: llvm.call_intrinsic "llvm.fmuladd"(%[[LESS]], %[[SUM]], %[[Y]])
// CHECK: %[[TWICE:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK: arith.subf %[[TWICE]], %[[TWICE]]
// CHECK: %[[FREE:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<reassoc,contract>
// CHECK: arith.addf %[[FREE]], %[[X]]
loop.kernel @sums kind(gufunc)
    (%x: !loop.array<f64, 1>, %y: !loop.array<f64, 1>, %z: !loop.array<f64, 2>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 2>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = loop.load %x[%i] : !loop.array<f64, 1>
    %b = loop.load %y[%i] : !loop.array<f64, 1>
    %aa = arith.mulf %a, %a fastmath<contract> : f64
    %bb = arith.mulf %b, %b fastmath<contract> : f64
    %s = arith.addf %aa, %bb fastmath<contract> : f64
    loop.store %s, %z[%i, %c0] : !loop.array<f64, 2>
    %q = arith.mulf %a, %s fastmath<contract> : f64
    %d = arith.subf %b, %q fastmath<contract> : f64
    loop.store %d, %z[%i, %c1] : !loop.array<f64, 2>
    %ab = arith.mulf %a, %b fastmath<contract> : f64
    %ba = arith.mulf %b, %a fastmath<contract> : f64
    %t = arith.subf %ab, %ba fastmath<contract> : f64
    loop.store %t, %z[%i, %i] : !loop.array<f64, 2>
    %f = arith.mulf %a, %b fastmath<reassoc,contract> : f64
    %g = arith.addf %f, %a fastmath<reassoc,contract> : f64
    loop.store %g, %z[%c1, %i] : !loop.array<f64, 2>
    loop.yield
  }
  loop.return
}

// A loop in order waits for what it carries: an addition to it takes less time
// alone, and of two products the one that waits is added at once. In vectors,
// and where the core is constant, the left one is.
// CHECK-LABEL: loop.kernel @carried
// CHECK: ^bb2:
// CHECK: %[[NEW:.*]] = arith.mulf %[[A:.*]], %[[A]]
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %[[NEW]]
// CHECK: llvm.call_intrinsic "llvm.fmuladd"(%[[SUM]], %[[A]], %{{.*}})
// CHECK: llvm.call_intrinsic "llvm.fmuladd"(%[[A]], %{{.*}}, %[[A]])
// CHECK: loop.return
loop.kernel @carried kind(gufunc)
    (%x: !loop.array<f64, 1>, %n: i64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  cf.br ^bb1(%c0, %zero : i64, f64)
^bb1(%i: i64, %s: f64):
  %isIn = arith.cmpi slt, %i, %n : i64
  cf.cond_br %isIn, ^bb2, ^bb3
^bb2:
  %a = loop.load %x[%i] : !loop.array<f64, 1>
  %new = arith.mulf %a, %a fastmath<contract> : f64
  %sum = arith.addf %s, %new fastmath<contract> : f64
  %early = arith.mulf %a, %two fastmath<contract> : f64
  %late = arith.mulf %sum, %a fastmath<contract> : f64
  %both = arith.addf %early, %late fastmath<contract> : f64
  %square = arith.mulf %a, %three fastmath<contract> : f64
  %free = arith.addf %square, %a fastmath<contract> : f64
  loop.store %free, %x[%i] : !loop.array<f64, 1>
  %next = arith.addi %i, %c1 : i64
  cf.br ^bb1(%next, %both : i64, f64)
^bb3:
  loop.return %s : f64
}

// CHECK-LABEL: loop.kernel @constant
// CHECK-NOT: arith.addf %{{.*}} : f64
// CHECK: llvm.call_intrinsic "llvm.fmuladd"
loop.kernel @constant kind(gufunc)
    (%x: !loop.array<f64, 1>) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>, dim_names = []} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = arith.constant 8 : i64
  %zero = arith.constant 0.0 : f64
  cf.br ^bb1(%c0, %zero : i64, f64)
^bb1(%i: i64, %s: f64):
  %isIn = arith.cmpi slt, %i, %n : i64
  cf.cond_br %isIn, ^bb2, ^bb3
^bb2:
  %a = loop.load %x[%i] : !loop.array<f64, 1>
  %new = arith.mulf %a, %a fastmath<contract> : f64
  %sum = arith.addf %s, %new fastmath<contract> : f64
  %next = arith.addi %i, %c1 : i64
  cf.br ^bb1(%next, %sum : i64, f64)
^bb3:
  loop.return %s : f64
}

// LLVM contracts what has the flag, as a product that is added to an element.
// CHECK-LABEL: loop.kernel @added
// CHECK-SAME: loop.products_chosen
// CHECK: %[[ADDED:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract>
// CHECK: loop.accumulate add %[[ADDED]]
loop.kernel @added kind(gufunc)
    (%x: !loop.array<f64, 1>, %y: !loop.array<f64, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = loop.load %x[%i] : !loop.array<f64, 1>
    %aa = arith.mulf %a, %a : f64
    loop.accumulate add %aa, %y[%c0] : !loop.array<f64, 1>
    loop.yield
  }
  loop.return
}
