// RUN: %kern-opt %s --loop-write-out | FileCheck %s

// A short reduction that looks up a value for each iteration is written out.
// CHECK-LABEL: loop.kernel @weighted
// CHECK-NOT: loop.reduce
// CHECK-NOT: loop.lookup
// CHECK: arith.constant 2.000000e+00 : f32
// CHECK: arith.constant 3.000000e+00 : f32
// CHECK: arith.constant 5.000000e+00 : f32
// CHECK: loop.return
loop.kernel @weighted kind(ufunc) (%x: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %sum = loop.reduce sum (%i) = %c0 to %c3 step %c1 : f32 {
    %v = loop.lookup dense<[2.0, 3.0, 5.0]> : tensor<3xf32>[%i] : f32
    %p = arith.mulf %v, %x : f32
    loop.yield %p : f32
  }
  loop.return %sum : f32
}

// Backwards, of bools, which are bytes in a table; two reductions deep.
// CHECK-LABEL: loop.kernel @nested
// CHECK-NOT: loop.reduce
// CHECK-NOT: loop.lookup
// CHECK: loop.return
loop.kernel @nested kind(ufunc) (%x: i1) -> (i1)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %back = arith.constant -1 : i64
  %any = loop.reduce any (%i) = %c1 to %back step %back : i1 {
    %inner = loop.reduce all (%j) = %c0 to %c2 step %c1 : i1 {
      %row = arith.muli %i, %c2 : i64
      %at = arith.addi %row, %j : i64
      %v = loop.lookup dense<[0, 1, 1, 1]> : tensor<4xi8>[%at] : i1
      %and = arith.andi %v, %x : i1
      loop.yield %and : i1
    }
    loop.yield %inner : i1
  }
  loop.return %any : i1
}

// One whose iterations look up one value stays a loop.
// CHECK-LABEL: loop.kernel @one_value
// CHECK: loop.reduce
loop.kernel @one_value kind(ufunc) (%x: f32, %k: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  %sum = loop.reduce sum (%i) = %c0 to %c3 step %c1 : f32 {
    %v = loop.lookup dense<[2.0, 3.0, 5.0]> : tensor<3xf32>[%k] : f32
    %p = arith.mulf %v, %x : f32
    loop.yield %p : f32
  }
  loop.return %sum : f32
}

// So does a long one, and one whose extent is not constant.
// CHECK-LABEL: loop.kernel @long
// CHECK: loop.reduce
// CHECK: loop.reduce
loop.kernel @long kind(ufunc) (%x: f32, %n: i64) -> (f32, f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0, 0>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c65 = arith.constant 65 : i64
  %a = loop.reduce sum (%i) = %c0 to %c65 step %c1 : f32 {
    %v = loop.lookup dense<2.0> : tensor<65xf32>[%i] : f32
    loop.yield %v : f32
  }
  %b = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %v = loop.lookup dense<2.0> : tensor<65xf32>[%i] : f32
    loop.yield %v : f32
  }
  loop.return %a, %b : f32, f32
}
