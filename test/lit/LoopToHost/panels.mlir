// RUN: %kern-opt %s --pass-pipeline="builtin.module(loop-map-to-host{across=true},loop-distribute{sequential=true},loop-to-host{lanes=4},canonicalize)" | FileCheck %s

// A body of one sum runs for all loop elements of a call, in steps of 16, by
// panels. There are 32 partial sums, as in the vectors along a core.
// CHECK-LABEL: llvm.func internal @scaled_dot__in_panels(
// CHECK-SAME: %{{.*}}: i64, %[[V:.*]]: !llvm.ptr, %[[VROW:.*]]: i64, %[[VSTEP:.*]]: i64, %[[W:.*]]: !llvm.ptr, %[[WROW:.*]]: i64, %[[WSTEP:.*]]: i64, %[[SCALE:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[COUNT:.*]]: i64, %[[EARLY:.*]]: i64, %[[SSTEP:.*]]: i64)
// CHECK: %[[SUMS:.*]] = llvm.alloca %c393216_i64 x i8
// CHECK: %[[ALL:.*]] = arith.addi %[[COUNT]], %[[EARLY]]

// Where rows are short and less than a kilobyte apart, they are read in their
// order; else four of a partial sum are added up in a register.
// CHECK: %[[VNEXT:.*]] = arith.addi %[[VROW]], %c1023_i64
// CHECK-NEXT: %[[VNEAR:.*]] = arith.cmpi ult, %[[VNEXT]], %c2047_i64
// CHECK: arith.addi %[[WROW]], %c1023_i64
// CHECK: %[[ROWS:.*]] = arith.select %{{.*}}, %c32_i64, %c128_i64

// The bits of a group's number, reversed, are those of its first partial sum.
// CHECK: %[[BIT:.*]] = arith.andi %[[GROUP:.*]], %c1_i64
// CHECK-NEXT: arith.muli %[[BIT]], %c16_i64

// A step begins before the end of the last one where too few are left. An array
// that is the same for all loop elements stays where it is.
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]], %c16_i64
// CHECK-NEXT: %[[LEFT:.*]] = arith.minsi %{{.*}}, %[[LAST]]
// CHECK-NEXT: %[[FIRST:.*]] = arith.maxsi %[[LEFT]], %c0_i64
// CHECK: arith.muli %[[FIRST]], %[[VSTEP]]
// CHECK: arith.muli %[[FIRST]], %[[WSTEP]]
// CHECK: arith.muli %[[FIRST]], %[[SSTEP]]

// CHECK: arith.addi %{{.*}}, %[[ROWS]]
// CHECK: ^{{.*}}(%[[K:[0-9]+]]: i64, %[[SUM:[0-9]+]]: vector<16xf32>):  // 3 preds
// CHECK-NEXT: arith.cmpi sge, %[[K]]
// Short rows of the next block are fetched, if they are apart.
// CHECK: arith.addi %[[K]], %c128_i64
// CHECK: llvm.intr.prefetch
// CHECK: llvm.intr.prefetch
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %{{.*}} fastmath<reassoc> : vector<16xf32>
// CHECK-NEXT: %[[LATER:.*]] = arith.addi %[[K]], %c32_i64
// CHECK-NEXT: cf.br ^{{.*}}(%[[LATER]], %[[NEXT]] : i64, vector<16xf32>)

// A group is added to the one that waits for it, for each 1 at the end of its
// number.
// CHECK: arith.shrui %[[GROUP]]

// Four of few rows are added up at once.
// CHECK: arith.addf %{{[0-9]+}}, %{{[0-9]+}} : vector<16xf32>

// Rows of fewer than 16 loop elements have no panel.
// CHECK-NOT: @scaled_dot__by_16
// CHECK-NOT: @scaled_dot__by_8
// CHECK: llvm.func internal @scaled_dot__by_4(
// CHECK: llvm.func internal @scaled_dot__by_2(
// CHECK: llvm.func internal @scaled_dot__by_1(
// CHECK-LABEL: llvm.func @scaled_dot__across(
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sge, %[[ROW:.*]], %c16_i64
// CHECK: llvm.call @scaled_dot__in_panels(
// CHECK: llvm.call @scaled_dot__by_4(
loop.kernel @scaled_dot kind(gufunc) (%v: !loop.array<f32, 1>, %w: !loop.array<f32, 1>, %scale: f32, %n: i64) -> (f32)
    attributes {num_inputs = 3 : i64, num_dims = 1 : i64, dim_names = ["n"], output_ranks = array<i64: 0>, core_extents = [[["n"]], [["n"]], [], []]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %sum = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %y = loop.load %w[%i] : !loop.array<f32, 1>
    %product = arith.mulf %x, %y : f32
    %scaled = arith.mulf %product, %scale : f32
    loop.yield %scaled : f32
  }
  loop.return %sum : f32
}

// What has several loops goes by blocks of iterations.
// CHECK-NOT: @variance__in_panels
// CHECK: llvm.func internal @variance__by_16(
loop.kernel @variance kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, dim_names = ["n"], output_ranks = array<i64: 0>, core_extents = [[["n"]], []]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %mean = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %sum = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %away = arith.subf %x, %mean : f32
    %square = arith.mulf %away, %away : f32
    loop.yield %square : f32
  }
  loop.return %sum : f32
}
