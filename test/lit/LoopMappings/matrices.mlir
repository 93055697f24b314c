// RUN: %kern-opt %s --loop-map="flat=true tile=64" --split-input-file | FileCheck %s
// RUN: %kern-opt %s --loop-map="flat=true tile=64" --loop-distribute --loop-to-gpu="sm=90" --split-input-file | FileCheck %s --check-prefix=GPU
// RUN: %kern-opt %s --loop-map="flat=true tile=64" --loop-distribute --loop-to-gpu="sm=80" --split-input-file | FileCheck %s --check-prefix=OLD

// Matrix units multiply halves. A loop for each way in which the arrays
// may lie reads them transposed or not.
// CHECK-LABEL: loop.kernel @halves
// CHECK-SAME: loop.tile = array<i64: 64, 64, 128, 55296, 1>
// CHECK-NOT: loop.reduce
// CHECK: loop.await {loop.ahead = 1 : i64}
// CHECK-NEXT: loop.barrier
// CHECK: loop.fetch_part %{{.*}} of %arg0
// CHECK: loop.fetch_part %{{.*}} of %arg1
// CHECK: loop.load_matrices %{{.*}} -> i32, i32, i32, i32
// CHECK: loop.multiply_matrices f16 %{{.*}} : i32, i32, i32, i32 by i32, i32 to f32, f32, f32, f32 -> f32, f32, f32, f32
// CHECK: loop.load_matrices transposed
// What is still being fetched must not overwrite the results.
// CHECK: {{loop.await$}}
// CHECK-NEXT: loop.barrier
// CHECK: loop.store %{{.*}}, %arg2
// GPU-LABEL: llvm.func {{.*}}@halves__body
// GPU: setp.ge.s32 p, $2, 0; @p cp.async.cg.shared.global [$0], [$1], 16, $2;
// GPU: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];
// GPU: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$0, $1, $2, $3};
// GPU: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// GPU: llvm.func ptx_kernelcc @halves__flat_tiled64
// GPU-SAME: ["nvvm.maxntid", "128"], ["nvvm.minctasm", "2"]
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

// -----

// f64, of b transposed by its indices, with something after the sum. Before
// sm_90 the units are smaller.
// CHECK-LABEL: loop.kernel @doubles
// CHECK-SAME: loop.tile = array<i64: 64, 64, 128, 61440, 1>
// CHECK: loop.multiply_matrices f64
// CHECK: math.tanh
// GPU-LABEL: llvm.func {{.*}}@doubles__body
// GPU: mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64
// OLD-LABEL: llvm.func {{.*}}@doubles__body
// OLD-NOT: m16n8k16
// OLD: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$0, $1}, {$4}, {$6}, {$0, $1}; mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$2, $3}, {$5}, {$6}, {$2, $3};
loop.kernel @doubles kind(gufunc) (%a: !loop.array<f64, 2>, %b: !loop.array<f64, 2>,
    %c: !loop.array<f64, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f64 {
      %x = loop.load %a[%i, %p] : !loop.array<f64, 2>
      %y = loop.load %b[%j, %p] : !loop.array<f64, 2>
      %z = arith.mulf %x, %y fastmath<contract> : f64
      loop.yield %z : f64
    }
    %r = math.tanh %s : f64
    loop.store %r, %c[%i, %j] : !loop.array<f64, 2>
    loop.yield
  }
  loop.return
}

// -----

// A product that must be rounded is not for these units.
// CHECK-LABEL: loop.kernel @precise
// CHECK-SAME: loop.tile = array<i64: 64, 64, 256,
// CHECK-NOT: loop.multiply_matrices
loop.kernel @precise kind(gufunc) (%a: !loop.array<f64, 2>, %b: !loop.array<f64, 2>,
    %c: !loop.array<f64, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f64 {
      %x = loop.load %a[%i, %p] : !loop.array<f64, 2>
      %y = loop.load %b[%p, %j] : !loop.array<f64, 2>
      %z = arith.mulf %x, %y : f64
      loop.yield %z : f64
    }
    loop.store %s, %c[%i, %j] : !loop.array<f64, 2>
    loop.yield
  }
  loop.return
}

// -----

// Nor is a sum whose factors depend on both rows and columns.
// CHECK-LABEL: loop.kernel @shifted
// CHECK-NOT: loop.multiply_matrices
loop.kernel @shifted kind(gufunc) (%a: !loop.array<f64, 2>, %b: !loop.array<f64, 1>,
    %c: !loop.array<f64, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f64 {
      %q = arith.addi %p, %j : i64
      %x = loop.load %a[%i, %p] : !loop.array<f64, 2>
      %y = loop.load %b[%q] : !loop.array<f64, 1>
      %z = arith.mulf %x, %y fastmath<contract> : f64
      loop.yield %z : f64
    }
    loop.store %s, %c[%i, %j] : !loop.array<f64, 2>
    loop.yield
  }
  loop.return
}
