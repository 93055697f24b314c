// RUN: %kern-opt %s --loop-map="across=true" --loop-distribute | FileCheck %s --check-prefix=LOOPS
// RUN: %kern-opt %s --loop-map="across=true" --loop-distribute --loop-to-gpu | FileCheck %s
// RUN: %kern-opt %s --loop-map="flat=true across=true" --loop-distribute | FileCheck %s --check-prefix=FLAT
// RUN: %kern-opt %s --loop-map="flat=true across=true" --loop-distribute --loop-to-gpu | FileCheck %s --check-prefix=DIVIDE

// A row of the block takes the iterations of several lanes: first those whose
// numbers differ by multiples of 32, and then those that differ by multiples of
// the block's height.
// LOOPS-LABEL: loop.kernel @total
// LOOPS: %[[ROW:.*]] = loop.lane
// LOOPS: %[[LANES:.*]] = loop.lane_count
// LOOPS: cf.br ^[[GROUPS:bb[0-9]+]](%[[ROW]], %{{.*}} : i64, f32)
// LOOPS: %[[LIKE:.*]] = arith.addf %[[SUM:.*]], %[[MINE:.*]] : f32
// LOOPS: %[[NEXT:.*]] = arith.addi %[[NUMBER:.*]], %c32_i64
// LOOPS: cf.br ^[[NUMBERS:bb[0-9]+]](%[[NEXT]], %[[LIKE]] : i64, f32)
// LOOPS: ^[[GROUPS]](%[[FIRST:.*]]: i64, %[[ALL:.*]]: f32):
// LOOPS: %[[END:.*]] = arith.minsi %[[LANES]], %c32_i64
// LOOPS: arith.cmpi slt, %[[FIRST]], %[[END]]
// LOOPS: ^[[NUMBERS]](%[[NUMBER]]: i64, %[[SUM]]: f32):
// LOOPS: arith.cmpi slt, %[[NUMBER]], %[[LANES]]
// LOOPS: %[[ROWS:.*]] = loop.group_size
// LOOPS: %[[TOTAL:.*]] = arith.addf %[[ALL]], %[[SUM]]
// LOOPS: %[[LATER:.*]] = arith.addi %[[FIRST]], %[[ROWS]]
// LOOPS: cf.br ^[[GROUPS]](%[[LATER]], %[[TOTAL]] : i64, f32)
// Elements one by one, from a place of which LLVM knows nothing.
// LOOPS-NOT: loop.has_chunks
// LOOPS: loop.keep
// LOOPS-COUNT-16: loop.load %
// LOOPS: loop.combine sum %[[ALL]]

// The rows of a column go to neighbouring lanes through shared memory and back,
// with two barriers.
// CHECK-LABEL: llvm.func internal @total__body
// CHECK: arith.xori
// CHECK: llvm.store
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK: llvm.intr.cttz
// CHECK: llvm.load
// CHECK: llvm.call_intrinsic "llvm.nvvm.shfl.sync.bfly.f32"
// CHECK: llvm.store
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK-NOT: llvm.nvvm.barrier
// CHECK: llvm.func ptx_kernelcc @total__across
loop.kernel @total kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : f32
}

// What neighbouring lanes have in common is read in chunks, if it lies so: four
// of them, and sixteen elements of the other array.
// FLAT-LABEL: loop.kernel @columns
// FLAT: loop.has_chunks 4 of %arg0[{{.*}}] along 0
// FLAT-NOT: loop.has_chunks
// FLAT-COUNT-4: loop.load_chunk %arg0
// FLAT-NOT: loop.load_chunk
// FLAT: loop.return
// Few items are divided by multiplying with the word after the range.
// DIVIDE-LABEL: llvm.func ptx_kernelcc @columns__flat_across(
// DIVIDE-SAME: %[[COUNT:arg0]]: i64,
// DIVIDE-SAME: %[[RANGE:arg11]]: i64, %[[WORD:arg12]]: i64, %arg13: !llvm.ptr<1>
// DIVIDE-SAME: divisors = true
// DIVIDE: arith.cmpi ult, %[[COUNT]], %c2147483648_i64
// DIVIDE: arith.trunci %[[RANGE]]
// DIVIDE: arith.trunci %[[WORD]]
// DIVIDE: arith.divui %{{.*}}, %[[RANGE]]
loop.kernel @columns kind(gufunc) (%x: !loop.array<f32, 1>, %a: !loop.array<f32, 2>,
    %y: !loop.array<f32, 1>, %m: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%j) = (%c0) to (%n) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %m step %c1 : f32 {
      %u = loop.load %x[%p] : !loop.array<f32, 1>
      %v = loop.load %a[%p, %j] : !loop.array<f32, 2>
      %w = arith.mulf %u, %v : f32
      loop.yield %w : f32
    }
    loop.store %s, %y[%j] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
