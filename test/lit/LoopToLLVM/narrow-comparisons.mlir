// RUN: %kern-opt %s --loop-narrow-comparisons | FileCheck %s

// The input is clamped and the other side widened no further than needed.
// CHECK-LABEL: loop.kernel @below
// CHECK-SAME: (%[[X:.*]]: i16, %[[T:.*]]: i64)
// CHECK: %[[LOW:.*]] = arith.constant -2147483648 : i64
// CHECK: %[[MAX:.*]] = arith.maxsi %[[T]], %[[LOW]] : i64
// CHECK: %[[HIGH:.*]] = arith.constant 2147483647 : i64
// CHECK: %[[MIN:.*]] = arith.minsi %[[MAX]], %[[HIGH]] : i64
// CHECK: %[[WORD:.*]] = arith.trunci %[[MIN]] : i64 to i32
// CHECK: %[[VALUE:.*]] = arith.extsi %[[X]] : i16 to i32
// CHECK: arith.cmpi slt, %[[VALUE]], %[[WORD]] : i32
loop.kernel @below kind(ufunc) (%x: i16, %t: i64) -> (i1)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %w = arith.extsi %x : i16 to i64
  %c = arith.cmpi slt, %w, %t : i64
  loop.return %c : i1
}

// The other way round, unsigned: clamped as unsigned, on the same side.
// CHECK-LABEL: loop.kernel @above
// CHECK-SAME: (%[[X:.*]]: i8, %[[T:.*]]: i64)
// CHECK: %[[MIN:.*]] = arith.minui %[[T]], %{{.*}} : i64
// CHECK: %[[WORD:.*]] = arith.trunci %[[MIN]] : i64 to i32
// CHECK: %[[VALUE:.*]] = arith.extui %[[X]] : i8 to i32
// CHECK: arith.cmpi ult, %[[WORD]], %[[VALUE]] : i32
loop.kernel @above kind(ufunc) (%x: i8, %t: i64) -> (i1)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %w = arith.extui %x : i8 to i64
  %c = arith.cmpi ult, %t, %w : i64
  loop.return %c : i1
}

// Not a value as wide as the comparison would be, not one that is not an input,
// and not a signed value compared as unsigned.
// CHECK-LABEL: loop.kernel @others
// CHECK-COUNT-3: arith.cmpi {{.*}} : i64
// CHECK-NOT: arith.cmpi
loop.kernel @others kind(ufunc) (%x: i16, %y: i32, %t: i64) -> (i1)
    attributes {num_inputs = 3 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %wide = arith.extsi %y : i32 to i64
  %a = arith.cmpi slt, %wide, %t : i64
  %w = arith.extsi %x : i16 to i64
  %sum = arith.addi %t, %wide : i64
  %b = arith.cmpi slt, %w, %sum : i64
  %c = arith.cmpi ult, %w, %t : i64
  %ab = arith.andi %a, %b : i1
  %abc = arith.andi %ab, %c : i1
  loop.return %abc : i1
}
