// RUN: %kern-opt %s --loop-map="privatised=true" | FileCheck %s
// RUN: %kern-opt %s --loop-map="privatised=true sliced=true" --loop-distribute --loop-to-gpu | FileCheck %s --check-prefix=GPU

// A histogram: the block clears its copies, counts in them, and adds them.
// CHECK-LABEL: loop.kernel @histogram
// CHECK-SAME: %[[N:arg2]]: i64, %[[COPIES:arg3]]: i64)
// CHECK-SAME: privatised
// CHECK: %[[MINE:.*]] = loop.local[%{{.*}}, %[[COPIES]]] {bytes = ["4", "256", "*"], shared} : !loop.array<i32, 2>
// CHECK: loop.parallel
// CHECK: loop.store %{{.*}}, %[[MINE]]
// CHECK: %[[LANE:.*]] = loop.lane
// CHECK: %[[COPY:.*]] = arith.andi %[[LANE]]
// Whole chunks of 16 bytes first, four at once; then the rest.
// CHECK: loop.has_chunks 16 of %arg0
// CHECK: loop.parallel {{.*}} {loop.together = 4 : i64}
// CHECK: %{{.*}}:16 = loop.load_chunk %arg0
// CHECK-COUNT-16: loop.accumulate {{ *}}add %{{.*}}, %[[MINE]][%{{.*}}, %[[COPY]]]
// CHECK: loop.parallel
// CHECK: loop.load %arg0
// CHECK: loop.accumulate {{ *}}add %{{.*}}, %[[MINE]][%{{.*}}, %[[COPY]]]
// CHECK: loop.parallel
// CHECK: %[[SUM:.*]] = loop.local
// CHECK: loop.parallel
// CHECK: loop.load %[[MINE]]
// CHECK: loop.accumulate {{ *}}add %{{.*}}, %[[SUM]]
// CHECK: loop.accumulate {{ *}}add %{{.*}}, %arg1
// GPU-LABEL: llvm.func internal @histogram__body
// GPU: llvm.mlir.addressof @__kern_tiles : !llvm.ptr<3>
// GPU: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic : !llvm.ptr<3>, i32
// GPU: llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic : !llvm.ptr<1>, i32
// The copies follow launch, slices and blocks.
// GPU-LABEL: llvm.func ptx_kernelcc @histogram__sliced_privatised(
// GPU-SAME: %arg10: i64, %arg11: i64, %arg12: i64, %arg13: i64, %arg14: !llvm.ptr<1>
loop.kernel @histogram kind(gufunc) (%v: !loop.array<i8, 1>, %h: !loop.array<i32, 1>,
    %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"],
                core_extents = [[["n"]], [["256"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<i8, 1>
    %k = arith.extui %x : i8 to i64
    loop.accumulate add %one, %h[%k] : !loop.array<i32, 1>
    loop.yield
  }
  loop.return
}

// The least of floats: copies begin at infinity, and bits are compared.
// CHECK-LABEL: loop.kernel @least
// CHECK-SAME: privatised
// CHECK: %[[INFINITY:.*]] = arith.constant 0x7F800000 : f32
// CHECK: loop.store %[[INFINITY]]
// CHECK: loop.accumulate {{ *}}fmin_nan
// GPU-LABEL: llvm.func internal @least__body
// GPU-DAG: llvm.atomicrmw min %{{.*}} monotonic : !llvm.ptr<3>, i32
// GPU-DAG: llvm.atomicrmw umax %{{.*}} monotonic : !llvm.ptr<3>, i32
// GPU-DAG: llvm.atomicrmw min %{{.*}} monotonic : !llvm.ptr<1>, i32
// GPU-DAG: llvm.atomicrmw umax %{{.*}} monotonic : !llvm.ptr<1>, i32
loop.kernel @least kind(gufunc) (%v: !loop.array<i8, 1>, %w: !loop.array<f32, 1>,
    %h: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"],
                core_extents = [[["n"]], [["n"]], [["256"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<i8, 1>
    %k = arith.extui %x : i8 to i64
    %y = loop.load %w[%i] : !loop.array<f32, 1>
    loop.accumulate fmin_nan %y, %h[%k] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Not privatised: elements of a single iteration; floats, whose order matters;
// arrays that the loop also reads; integers without atomic operations.
// CHECK-LABEL: loop.kernel @others
// CHECK-NOT: privatised
loop.kernel @others kind(gufunc) (%v: !loop.array<i64, 1>, %a: !loop.array<i32, 1>,
    %b: !loop.array<f32, 1>, %c: !loop.array<i32, 1>, %d: !loop.array<i16, 1>, %n: i64)
    attributes {num_inputs = 5 : i64, num_dims = 1 : i64,
                output_ranks = array<i64>, dim_names = ["n"],
                core_extents = [[["n"]], [["n"]], [["n"]], [["n"]], [["n"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i32 = arith.constant 1 : i32
  %i16 = arith.constant 1 : i16
  %f32 = arith.constant 1.0 : f32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = loop.load %v[%i] : !loop.array<i64, 1>
    loop.accumulate add %i32, %a[%i] : !loop.array<i32, 1>
    %x = loop.load %c[%k] : !loop.array<i32, 1>
    loop.accumulate add %x, %c[%i] : !loop.array<i32, 1>
    loop.accumulate add %i16, %d[%k] : !loop.array<i16, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = loop.load %v[%i] : !loop.array<i64, 1>
    loop.accumulate add %f32, %b[%k] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
