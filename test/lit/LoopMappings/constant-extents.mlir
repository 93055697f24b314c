// RUN: %kern-opt %s --loop-map="staged=true constants=3,0" | FileCheck %s

// The first dimension is a constant: in the body, in the extents of operands,
// and in what follows from it.
// CHECK-LABEL: loop.kernel @scaled
// CHECK-SAME: %arg2: i64, %[[N:.*]]: i64)
// CHECK-SAME: core_extents = {{\[\[\["3"\], \["n"\]\], \[\["5"\]\]\]}}
// CHECK-SAME: loop.unrolled
// CHECK-NOT: %arg2
// CHECK: %[[THREE:.*]] = arith.constant 3 : i64
// CHECK: %[[SIX:.*]] = arith.constant 6 : i64
// CHECK-NOT: %arg2
// CHECK: arith.addi %[[N]], %[[SIX]]
// CHECK-NOT: %arg2
loop.kernel @scaled kind(gufunc) (%v: !loop.array<f32, 2>, %y: !loop.array<i64, 1>,
    %s: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["s", "n"],
                core_extents = [[["s"], ["n"]], [["s", "2", "*", "1", "-"]]]} {
  %c0 = arith.constant 0 : i64
  %c2 = arith.constant 2 : i64
  %twice = arith.muli %s, %c2 : i64
  %sum = arith.addi %twice, %n : i64
  loop.store %sum, %y[%c0] : !loop.array<i64, 1>
  loop.return
}
