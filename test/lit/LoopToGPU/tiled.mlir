// RUN: %kern-opt %s --loop-distribute --loop-to-gpu="contiguous=false strided=false tiled=true" | FileCheck %s

// As much shared memory as the launch says.
// CHECK: llvm.mlir.global external @__kern_tiles() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// n0 … n5, rank, tiles, five divisors, inputs that lie across, flags; pointer,
// value and six strides of the input; pointer and six strides of the output.
// CHECK-LABEL: llvm.func ptx_kernelcc @negate__tiled(
// CHECK-SAME: %arg15: i64, %arg16: !llvm.ptr<1>, %arg17: i64,
// CHECK-SAME: %arg24: !llvm.ptr<1>, %arg25: i64,
// CHECK-SAME: %arg30: i64)
// CHECK-SAME: block = 256 : i64, disjoint = false, elements = 32 : i64, form = "tiled"
// CHECK-NOT: {{div|rem}}
// Directly or transposed, by uniform choices of strides; transposed inputs go
// through shared memory.
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<1> -> f64
// CHECK-NOT: !llvm.ptr<1> -> f64
// CHECK-COUNT-4: llvm.store %{{.*}} : f64, !llvm.ptr<3>
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> f64
// CHECK-COUNT-4: llvm.call @negate__body
// CHECK-COUNT-4: llvm.store %{{.*}} : f64, !llvm.ptr<1>
// CHECK-NOT: llvm.store
loop.kernel @negate kind(ufunc) (%a: f64) -> (f64)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = arith.negf %a : f64
  loop.return %c : f64
}
