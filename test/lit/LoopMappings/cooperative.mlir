// RUN: %kern-opt %s --loop-map="sliced=true resident=2" | FileCheck %s
// RUN: %kern-opt %s --loop-map="sliced=true resident=2" --loop-distribute --loop-to-gpu="sm=75" | FileCheck %s --check-prefix=GPU
// RUN: %kern-opt %s --loop-map="sliced=true resident=2 ahead=true" --loop-distribute | FileCheck %s --check-prefix=AHEAD
// RUN: %kern-opt %s --loop-map="sliced=true resident=2 ahead=true" --loop-distribute --loop-to-gpu="sm=90" | FileCheck %s --check-prefix=FETCH

// Slices publish a word with their value and a mark, and await the words of others.
// CHECK-LABEL: loop.kernel @centred
// CHECK-SAME: %[[FIRST:arg3]]: i64, %[[SLICE:arg4]]: i64, %[[SLICES:arg5]]: i64)
// CHECK-SAME: cooperative
// CHECK-SAME: launches = 1
// CHECK: %[[WORDS:.*]] = loop.local[%{{.*}}] {bytes = ["8"], per_slice, slot = 0 : i64} : !loop.array<i64, 1>
// CHECK: %[[MINE:.*]] = loop.reduce sum {{.*}} attributes {loop.to_first}
// CHECK: arith.bitcast %[[MINE]] : f32 to i32
// CHECK: loop.publish %{{.*}} to %[[WORDS]][%{{.*}}]
// CHECK: loop.reduce sum {{.*}} attributes {loop.unchunked}
// CHECK: loop.await_word %[[WORDS]]
// CHECK: loop.parallel
// The first warp combines what a slice has found. Each combination has slots of
// its own, and one barrier.
// GPU-LABEL: llvm.func internal @centred__body
// GPU: llvm.mlir.addressof @__kern_group_4_of_512_0
// GPU: "llvm.nvvm.barrier.cta.sync.aligned.all"
// GPU-NEXT: %[[WARP:.*]] = arith.constant 32
// GPU-NEXT: %[[FIRST:.*]] = arith.cmpi slt, %{{.*}}, %[[WARP]]
// GPU-NEXT: cf.cond_br %[[FIRST]]
// GPU-NOT: "llvm.nvvm.barrier.cta.sync.aligned.all"
// GPU: llvm.store %{{.*}}, %{{.*}} atomic syncscope("device") monotonic
// GPU: llvm.load %{{.*}} atomic syncscope("device") monotonic
// GPU: llvm.call_intrinsic "llvm.nvvm.nanosleep"
// GPU-LABEL: llvm.func ptx_kernelcc @centred__sliced_resident(
// A team continues with the item that follows by the number of teams.
// GPU: ^[[LOOP:.*]](%[[ITEM:.*]]: i64):
// GPU: llvm.call @centred__body
// The rows of the first loop element are fetched at once, those of the next one
// after the first sum.
// AHEAD-LABEL: loop.kernel @centred
// AHEAD-SAME: %[[BEFORE:arg3]]: i64, %{{.*}}: i64, %{{.*}}: i64, %[[AHEAD:arg6]]: i64)
// AHEAD-SAME: ahead, cooperative
// AHEAD: arith.cmpi eq, %[[BEFORE]]
// AHEAD: loop.fetch %arg0
// AHEAD: loop.fetch %arg0
// AHEAD: loop.await
// AHEAD: loop.shared at 0
// AHEAD: loop.load_chunk
// AHEAD: arith.addi %[[AHEAD]]
// AHEAD: loop.fetch %arg0
// AHEAD: loop.fetch %arg0
// AHEAD: loop.combine sum %{{.*}} to_first
// AHEAD: loop.publish
// AHEAD-NOT: loop.fetch
// AHEAD: loop.return
// FETCH: cp.async.cg.shared.global
// FETCH: cp.async.wait_all
loop.kernel @centred kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.subf %x, %s : f32
    loop.store %d, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// With two exchanges a team fetches half of its next rows after each of them.
// AHEAD-LABEL: loop.kernel @scaled
// AHEAD: loop.load_chunk
// AHEAD-NOT: loop.fetch
// AHEAD: loop.await_word
// AHEAD: loop.fetch %arg0
// AHEAD-NOT: loop.fetch
// AHEAD: loop.await_word
// AHEAD: loop.fetch %arg0
// AHEAD-NOT: loop.fetch
// AHEAD: loop.return
loop.kernel @scaled kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %t = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.subf %x, %s : f32
    loop.yield %d : f32
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.divf %x, %t : f32
    loop.store %d, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Where combinations would have too much memory of their own, they share that
// of 512 threads, so that two blocks still fit on a multiprocessor.
// GPU-LABEL: llvm.func internal @nearest__body
// GPU-NOT: __kern_group_8_of_512_0
// GPU: llvm.mlir.addressof @__kern_group_8_of_512 :
// GPU: llvm.mlir.addressof @__kern_group_index8_of_512 :
loop.kernel @nearest kind(gufunc) (%v: !loop.array<f64, 1>, %y: !loop.array<f64, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %at = loop.reduce arg_fmax (%i) = %c0 to %n step %c1 : f64 {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    loop.yield %x : f64
  }
  %top = loop.reduce sum (%i) = %c0 to %n step %c1 : f64 {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    loop.yield %x : f64
  }
  %p = arith.sitofp %at : i64 to f64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f64, 1>
    %d = arith.subf %x, %top : f64
    %e = arith.mulf %d, %p : f64
    loop.store %e, %y[%i] : !loop.array<f64, 1>
    loop.yield
  }
  loop.return
}
