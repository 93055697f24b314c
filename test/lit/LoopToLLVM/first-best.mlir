// RUN: %kern-opt %s --loop-distribute | FileCheck %s
// RUN: %kern-opt %s --loop-map="sliced" --loop-distribute | FileCheck %s --check-prefix=SLICED

// A lane reads two chunks at once and finds their largest element, a NaN if
// there is one.
// CHECK-LABEL: loop.kernel @largest
// CHECK: loop.has_chunks 4
// CHECK: ^{{.*}}(%[[K:.*]]: i64, %[[VALUE:.*]]: f32, %[[PLACE:.*]]: i64):
// CHECK: %[[A:.*]]:4 = loop.load_chunk %arg0[%[[K]]]
// CHECK: loop.load_chunk
// CHECK: arith.maximumf %[[A]]#0, %[[A]]#1
// CHECK-COUNT-5: arith.maximumf
// CHECK: %[[BEST:.*]] = arith.maximumf
// Only if it is better than what was found before, its place is looked for:
// CHECK: arith.cmpf ugt, %[[BEST]], %[[VALUE]]
// CHECK: cf.cond_br %{{.*}}, ^[[FOUND:bb[0-9]+]], ^[[NEXT:bb[0-9]+]](%[[VALUE]], %[[PLACE]] :
// CHECK: ^[[FOUND]]:
// CHECK: %[[ISNAN:.*]] = arith.cmpf uno, %[[BEST]], %[[BEST]]
// CHECK: cf.cond_br %[[ISNAN]], ^[[NANS:bb[0-9]+]], ^[[NUMBERS:bb[0-9]+]]
// the first NaN,
// CHECK: ^[[NANS]]:
// CHECK-COUNT-6: arith.cmpf uno
// CHECK: arith.cmpf uno, %[[A]]#0, %[[A]]#0
// CHECK: cf.br ^[[AT:bb[0-9]+]](
// or the first number that is equal to it.
// CHECK: ^[[NUMBERS]]:
// CHECK-COUNT-6: arith.cmpf oeq
// CHECK: %[[IT:.*]] = arith.cmpf oeq, %[[A]]#0, %[[BEST]]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: arith.select %[[IT]], %[[ZERO]]
// CHECK: cf.br ^[[AT]](
// CHECK: ^[[AT]](%[[NUMBER:.*]]: i32):
// CHECK: arith.shrui %[[NUMBER]]
// CHECK: arith.andi %[[NUMBER]]
// CHECK: arith.muli
// CHECK: cf.br ^[[NEXT]](%[[BEST]],
// Then one chunk at a time, and single elements.
// CHECK: loop.load_chunk
// CHECK-NOT: arith.maximumf
// CHECK: loop.combine arg_fmax

// Slices have four chunks at once, then two.
// SLICED-LABEL: loop.kernel @largest
// SLICED: loop.keep
// SLICED-COUNT-15: arith.maximumf
// SLICED: arith.shrui
// SLICED-COUNT-7: arith.maximumf
// SLICED: arith.shrui
// SLICED: loop.combine arg_fmax
loop.kernel @largest kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce arg_fmax (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : i64
}

// An integer is no NaN.
// CHECK-LABEL: loop.kernel @smallest
// CHECK-COUNT-7: arith.minui
// CHECK-NOT: arith.minui
// CHECK: arith.cmpi ult
// CHECK: cf.cond_br
// CHECK: cf.br
// CHECK-COUNT-7: arith.cmpi eq
// CHECK: loop.combine arg_umin
loop.kernel @smallest kind(gufunc) (%v: !loop.array<i32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce arg_umin (%i) = %c0 to %n step %c1 : i32 {
    %x = loop.load %v[%i] : !loop.array<i32, 1>
    loop.yield %x : i32
  }
  loop.return %s : i64
}

// Elements of f64 are compared one by one.
// CHECK-LABEL: loop.kernel @others
// CHECK-NOT: arith.maximumf
// CHECK: loop.combine arg_fmax
loop.kernel @others kind(gufunc) (%v: !loop.array<f64, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce arg_fmax (%i) = %c0 to %n step %c1 : f64 {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    loop.yield %x : f64
  }
  loop.return %s : i64
}
