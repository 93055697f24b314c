// RUN: %kern-opt %s --loop-distribute --loop-to-gpu | FileCheck %s
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu=loop-dims=1 | FileCheck %s --check-prefix=ROW
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu=one-lane | FileCheck %s --check-prefix=ONE
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu=of-block | FileCheck %s --check-prefix=BLOCK

// CHECK: llvm.mlir.global internal @__kern_group_4() {addr_space = 3 : i32
// CHECK: llvm.func internal @norm__body(%[[P:.*]]: !llvm.ptr<1>, %[[S:.*]]: i64, %[[F:.*]]: f32, %[[N:.*]]: i64, %[[LANE:.*]]: i64, %[[GROUP:.*]]: i64) -> f32
// Chunks of 16 bytes where elements lie side by side, at a multiple of that.
// CHECK: %[[DENSE:.*]] = arith.cmpi eq, %[[S]], %c4_i64
// CHECK: %[[BITS:.*]] = llvm.ptrtoint
// CHECK: %[[LOW:.*]] = arith.andi %[[BITS]], %c15_i64
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[LOW]]
// CHECK: %[[WIDE:.*]] = arith.andi %[[DENSE]], %[[WHOLE]]
// CHECK: cf.cond_br %[[WIDE]],
// CHECK-COUNT-3: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// Elsewhere four loads first, each at a byte offset.
// CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %[[S]] : i64
// CHECK: llvm.getelementptr %[[P]][%[[AT]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
// One lane has nothing to combine.
// CHECK: arith.cmpi eq, %[[GROUP]]
// The warps of a whole block combine first, through shared memory.
// CHECK: llvm.mlir.addressof @__kern_group_4
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK: %[[ACTIVE:.*]] = llvm.call_intrinsic "llvm.nvvm.activemask"
// CHECK: arith.cmpi eq, %[[ACTIVE]], %c-1_i32
// CHECK: %[[MASK:.*]] = arith.shli
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// Then the lanes of one warp exchange: all of it if all are there, else those of
// the group.
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(%c-1_i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(%[[MASK]],

// One lane has nothing to exchange nor to wait for, and in a group of several
// warps these are whole.
// ONE-NOT: __kern_group
// ONE-NOT: llvm.nvvm.shfl
// ONE-NOT: barrier
// BLOCK-LABEL: llvm.func internal @norm__body(
// BLOCK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// BLOCK-NOT: activemask
// BLOCK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"(%c-1_i32
// BLOCK-NOT: llvm.nvvm.shfl
// BLOCK-LABEL: llvm.func internal @twice__body(
// BLOCK-NOT: llvm.nvvm.bar.warp.sync

// count, n0 … n5, group, flags, n; pointer, six strides, one core stride;
// pointer, value, six strides; pointer, six strides.
// CHECK-LABEL: llvm.func ptx_kernelcc @norm__general(
// CHECK-SAME: %[[COUNT:arg0]]: i64,
// CHECK-SAME: %[[SIZE:arg7]]: i64, %arg8: i64, %[[NN:arg9]]: i64, %arg10: !llvm.ptr<1>,
// CHECK-SAME: %[[CORE:arg17]]: i64, %arg18: !llvm.ptr<1>, %arg19: i64,
// CHECK-SAME: %arg26: !llvm.ptr<1>,
// CHECK-SAME: %arg32: i64)
// CHECK-SAME: elements = 4 : i64
// CHECK-SAME: shared_extents = {{\[\[}}"n"]]
// One short loop over one array: as many threads as possible wait for memory.
// CHECK-SAME: ["nvvm.maxntid", "1024"], ["nvvm.maxnreg", "40"]
// CHECK: arith.cmpi slt, %{{.*}}, %[[COUNT]] : i64
// CHECK: llvm.call @norm__body(%{{.*}}, %[[CORE]], %{{.*}}, %[[NN]], %[[L:.*]], %[[SIZE]])
// Calls with one loop dimension divide nothing. Parameters are the same.
// ROW-LABEL: llvm.func ptx_kernelcc @norm__general(
// ROW-SAME: %[[STRIDE:arg11]]: i64
// ROW-SAME: %arg32: i64)
// ROW-NOT: divui
// ROW-NOT: remui
// ROW: arith.muli %{{.*}}, %[[STRIDE]] : i64
// ROW-NOT: divui
// ROW: llvm.return
// Lane 0 writes the scalar result.
// CHECK: arith.cmpi eq, %[[L]]
// CHECK: llvm.store
loop.kernel @norm kind(gufunc) (%v: !loop.array<f32, 1>, %f: f32, %n: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %y = arith.mulf %x, %f : f32
    loop.yield %y : f32
  }
  loop.return %s : f32
}

// Barriers: none for one lane, within the warp, or of the block.
// CHECK-LABEL: llvm.func internal @twice__body
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK: llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"
// CHECK-NOT: nvvm.maxnreg
// Nothing is shared by one lane alone: blocks stay small.
// CHECK-LABEL: llvm.func ptx_kernelcc @first__general
// CHECK-SAME: "nvvm.maxntid", "256"
loop.kernel @twice kind(gufunc) (%y: !loop.array<i32, 1>, %n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1 : i32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %one, %y[%i] : !loop.array<i32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %y[%i] : !loop.array<i32, 1>
    %z = arith.addi %x, %x : i32
    loop.store %z, %y[%i] : !loop.array<i32, 1>
    loop.yield
  }
  loop.return
}
loop.kernel @first kind(gufunc) (%v: !loop.array<i8, 1>, %n: i64) -> (i8)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %x = loop.load %v[%c0] : !loop.array<i8, 1>
  loop.return %x : i8
}

// Two arrays.
// CHECK-LABEL: llvm.func ptx_kernelcc @both__general
// CHECK-SAME: ["nvvm.maxntid", "1024"], ["nvvm.maxnreg", "48"]
loop.kernel @both kind(gufunc) (%v: !loop.array<f32, 1>, %w: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %y = loop.load %w[%i] : !loop.array<f32, 1>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  }
  loop.return %s : f32
}

// Two loops keep values between them.
// CHECK-LABEL: llvm.func ptx_kernelcc @again__general
// CHECK-NOT: nvvm.maxnreg
loop.kernel @again kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %t = loop.reduce fmax_nan (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %u = arith.addf %s, %t : f32
  loop.return %u : f32
}
