// RUN: %kern-opt %s --loop-map="flat=true unrolled=true tile=128 constants=0,0,2,3" | FileCheck %s --check-prefix=WIDE
// RUN: %kern-opt %s --loop-map="flat=true unrolled=true tile=64 constants=0,0,2,3" | FileCheck %s --check-prefix=ROWS
// RUN: %kern-opt %s --loop-map="flat=true unrolled=true tile=128" | FileCheck %s --check-prefix=NONE
// RUN: %kern-opt %s --loop-map="flat=true unrolled=true tile=128 constants=0,0,2,3" --loop-distribute --loop-to-gpu="sm=90" | FileCheck %s --check-prefix=GPU

// A thread has 4 rows of 4 columns. Each of the 5 rows that they read is read
// once: four elements at a time, of which all are needed, then the two that are
// left.
// WIDE-LABEL: loop.kernel @filtered
// WIDE-SAME: loop.tile = array<i64: 16, 128, 128, 1, 1>
// WIDE: loop.has_chunks 4 of %arg0
// WIDE: loop.has_chunks 4 of %arg2
// WIDE: cf.cond_br %{{.*}}, ^[[TOGETHER:.*]], ^[[SERIAL:.*]]
// WIDE: ^[[TOGETHER]]:
// WIDE-NOT: loop.reduce
// WIDE: loop.load_chunk %arg0{{.*}} {loop.dense, loop.offset = array<i64: 0, 0>}{{.*}} -> f32, f32, f32, f32
// WIDE-COUNT-6: loop.load %arg1
// WIDE-COUNT-4: loop.store_chunk
// GPU-LABEL: llvm.func ptx_kernelcc @filtered__flat_unrolled_tiled128

// With a column for each lane, a thread has 8 rows and reads 9 of 3 elements.
// ROWS-LABEL: loop.kernel @filtered
// ROWS-SAME: loop.tile = array<i64: 32, 64, 256, 1, 1>
// ROWS-NOT: loop.load_chunk
// ROWS: loop.return

// Without constants there is nothing to write out.
// NONE-LABEL: loop.kernel @filtered
// NONE-NOT: loop.tile =
// NONE: loop.reduce
loop.kernel @filtered kind(gufunc) (%x: !loop.array<f32, 2>, %w: !loop.array<f32, 2>,
    %y: !loop.array<f32, 2>, %m: i64, %n: i64, %r: i64, %s: i64)
    attributes {num_inputs = 2 : i64, num_dims = 4 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n", "r", "s"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %mr = arith.subi %m, %r : i64
  %rows = arith.addi %mr, %c1 : i64
  %ns = arith.subi %n, %s : i64
  %columns = arith.addi %ns, %c1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%rows, %columns) step (%c1, %c1) {
    %sum = loop.reduce sum (%u) = %c0 to %r step %c1 : f32 {
      %inner = loop.reduce sum (%v) = %c0 to %s step %c1 : f32 {
        %row = arith.addi %i, %u : i64
        %column = arith.addi %j, %v : i64
        %e = loop.load %x[%row, %column] : !loop.array<f32, 2>
        %f = loop.load %w[%u, %v] : !loop.array<f32, 2>
        %p = arith.mulf %e, %f : f32
        loop.yield %p : f32
      }
      loop.yield %inner : f32
    }
    loop.store %sum, %y[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}
