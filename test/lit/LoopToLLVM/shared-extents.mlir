// The extents of top-level loops, told from their bounds.
// RUN: %kern-opt %s --loop-distribute | FileCheck %s

// CHECK-LABEL: @valid
// CHECK-SAME: shared_extents = {{\[\[}}"n", "k", "-", "1", "+", "0", "max"]]
loop.kernel @valid kind(gufunc) (%n: i64, %k: i64)
    attributes {num_inputs = 0 : i64, num_dims = 2 : i64, output_ranks = array<i64>,
                dim_names = ["n", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %d = arith.subi %n, %k : i64
  %e = arith.addi %d, %c1 : i64
  loop.parallel (%i) = (%c0) to (%e) step (%c1) {
    loop.yield
  }
  loop.return
}

// An offset, steps up and down, and the same extent twice.
// CHECK-LABEL: @steps
// CHECK-SAME: shared_extents = {{\[\[}}"n", "2", "-", "0", "max"], ["n", "1", "+", "2", "//"], ["n"]]
loop.kernel @steps kind(gufunc) (%n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64, output_ranks = array<i64>,
                dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %m1 = arith.constant -1 : i64
  loop.parallel (%i) = (%c2) to (%n) step (%c1) {
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c2) {
    loop.yield
  }
  loop.parallel (%i) = (%n) to (%c0) step (%m1) {
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.yield
  }
  loop.return
}

// A bound that depends on data counts as the largest dimension.
// CHECK-LABEL: @data
// CHECK-SAME: shared_extents = {{\[\[}}"m", "n", "max"]]
loop.kernel @data kind(gufunc) (%last: i64, %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64, output_ranks = array<i64>,
                dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%last) step (%c1) {
    loop.yield
  }
  loop.return
}

// Existing extents stay.
// CHECK-LABEL: @given
// CHECK-SAME: shared_extents = {{\[\[}}"7"]]
loop.kernel @given kind(gufunc) (%n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64, output_ranks = array<i64>,
                dim_names = ["n"], shared_extents = [["7"]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.yield
  }
  loop.return
}
