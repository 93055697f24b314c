// RUN: %kern-opt %s --loop-map="flat=true tile=256 warpgroups=true" | FileCheck %s
// RUN: %kern-opt %s --loop-map="flat=true tile=256 warpgroups=true" --loop-distribute --loop-to-gpu="sm=90" | FileCheck %s --check-prefix=GPU
// RUN: %kern-opt %s --loop-map="flat=true tile=128 warpgroups=true" | FileCheck %s --check-prefix=OTHER

// Four warps of an sm_90a multiply together, and read shared memory themselves.
// A loop for each way in which the arrays may lie.
// CHECK-LABEL: loop.kernel @halves
// CHECK-SAME: loop.tile = array<i64: 128, 256, 256, 147456, 1>
// CHECK-NOT: loop.multiply_matrices
// CHECK: loop.await {loop.ahead = 1 : i64}
// CHECK-NEXT: loop.fence_shared
// CHECK-NEXT: loop.barrier
// CHECK: loop.start_product
// CHECK-NOT: leftTransposed
// CHECK: loop.await_product {{.*}}loop.ahead = 1
// CHECK-NEXT: loop.barrier
// CHECK: loop.fetch_part %{{.*}} of %arg0
// CHECK: loop.fetch_part %{{.*}} of %arg1
// CHECK: loop.await_product
// CHECK-NOT: loop.ahead
// CHECK: loop.barrier
// CHECK: loop.start_product {{.*}}leftTransposed}
// CHECK: loop.start_product {{.*}}rightTransposed}
// CHECK: loop.start_product {{.*}}leftTransposed, rightTransposed}
// CHECK-NOT: loop.start_product
// CHECK-NOT: loop.multiply_matrices

// A descriptor has the distance of 1024 bytes between groups of eight lines, and
// that of 8192 between columns of a transposed array.
// GPU: llvm.mlir.global external @__kern_tiles() {addr_space = 3 : i32, alignment = 1024 : i64}
// GPU: fence.proxy.async.shared::cta;
// GPU: wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {$0, {{.*}}$127}, $128, $129, p, 1, 1, 0, 0;
// GPU-SAME: $134, $135, p, 1, 1, 0, 0; wgmma.commit_group.sync.aligned;
// GPU: wgmma.wait_group.sync.aligned 1;
// GPU: cp.async.cg.shared.global
// GPU: wgmma.wait_group.sync.aligned 0;
// GPU: $128, $129, p, 1, 1, 1, 0;
// GPU: $128, $129, p, 1, 1, 0, 1;
// GPU: $128, $129, p, 1, 1, 1, 1;

// Other tiles stay with the instructions of one warp.
// OTHER: loop.multiply_matrices
// OTHER-NOT: loop.start_product
loop.kernel @halves kind(gufunc) (%a: !loop.array<f16, 2>, %b: !loop.array<f16, 2>,
    %c: !loop.array<f16, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f32 {
      %x = loop.load %a[%i, %p] : !loop.array<f16, 2>
      %y = loop.load %b[%p, %j] : !loop.array<f16, 2>
      %u = arith.extf %x : f16 to f32
      %v = arith.extf %y : f16 to f32
      %z = arith.mulf %u, %v fastmath<contract> : f32
      loop.yield %z : f32
    }
    %r = arith.truncf %s : f32 to f16
    loop.store %r, %c[%i, %j] : !loop.array<f16, 2>
    loop.yield
  }
  loop.return
}
