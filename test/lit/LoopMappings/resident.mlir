// RUN: %kern-opt %s --loop-map="resident=2" --loop-distribute | FileCheck %s
// RUN: %kern-opt %s --loop-map="resident=2" --loop-distribute --loop-to-gpu | FileCheck %s --check-prefix=GPU

// Memory is read once, in two chunks and a tail. The squares of the second loop
// come from the same values; the third keeps what the second has computed.
// CHECK-LABEL: loop.kernel @centred
// CHECK-SAME: resident = 2
// CHECK: %[[LANE:.*]] = loop.lane
// CHECK: arith.cmpi ult
// CHECK: arith.minui
// CHECK: loop.load_chunk %arg0[%{{.*}}] along 0
// CHECK: loop.load_chunk %arg0[%{{.*}}] along 0
// CHECK: loop.load %arg0
// CHECK-NOT: loop.load
// CHECK: loop.combine sum
// CHECK: %[[D:.*]] = arith.subf
// CHECK-NEXT: %[[KEPT:.*]] = loop.keep %[[D]]
// CHECK: loop.combine sum
// CHECK-NOT: loop.load
// CHECK: arith.divf %[[KEPT]]
// CHECK: loop.store_chunk
// CHECK: loop.store_chunk
// CHECK: loop.store
// CHECK: loop.return
// GPU-LABEL: llvm.func ptx_kernelcc @centred__resident(
// GPU-SAME: chunks = 2 : i64
// GPU-SAME: ["nvvm.maxntid", "512"], ["nvvm.minctasm", "2"]
loop.kernel @centred kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %q = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.subf %x, %s : f32
    %d2 = arith.mulf %d, %d : f32
    loop.yield %d2 : f32
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.subf %x, %s : f32
    %r = arith.divf %d, %q : f32
    loop.store %r, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Each loop has constants of its own, and rows are read before the first one.
// CHECK-LABEL: loop.kernel @stored_first
// CHECK: loop.load_chunk %arg0[%{{.*}}] along 0
// CHECK: loop.store_chunk
// CHECK: loop.combine sum
loop.kernel @stored_first kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1, 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.addf %x, %x : f32
    loop.store %d, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  %c0b = arith.constant 0 : i64
  %c1b = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0b to %n step %c1b : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : f32
}
