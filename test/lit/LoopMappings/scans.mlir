// RUN: %kern-opt %s --loop-map="resident=2" | FileCheck %s --check-prefixes=CHECK,ROWS
// RUN: %kern-opt %s --loop-map="sliced=true resident=8" | FileCheck %s --check-prefixes=CHECK,BACK
// RUN: %kern-opt %s --loop-map="sliced=true resident=8 ahead=true" --loop-distribute | FileCheck %s --check-prefix=AHEAD
// RUN: %kern-opt %s --loop-map="resident=2" --loop-distribute | FileCheck %s --check-prefix=LANES
// RUN: %kern-opt %s --loop-map="across=true" --loop-distribute | FileCheck %s --check-prefix=ACROSS
// RUN: %kern-opt %s --loop-map="across=true" --loop-distribute --loop-to-gpu | FileCheck %s --check-prefix=GPU

// A lane keeps chunks of the row; or blocks share it, with words for each tile
// of 16384 elements, and for each group of tiles.
// CHECK-LABEL: loop.kernel @sums
// ROWS-SAME: loop.blocks = 3 : i64, loop.warps, {{.*}}resident = 2
// ROWS-NOT: loop.local
// ROWS: loop.scan {{.*}} {
// ROWS: {kept = 2 : i64}
// BACK-SAME: %[[LAUNCH:arg3]]: i64, %[[SLICE:arg4]]: i64, %[[SLICES:arg5]]: i64)
// BACK-SAME: cooperative, {{.*}}launches = 1 : i64, loop.blocks = 1 : i64
// BACK-SAME: resident = 8
// BACK: %[[WORDS:.*]] = loop.local zeroed[%{{.*}}] {bytes = ["n", "0", "max", "16383", "+", "16384", "//", "1", "+", "16", "*"], slot = 0 : i64} : !loop.array<i64, 1>
// BACK: loop.scan {{.*}} through %[[WORDS]]
// BACK: kept = 8

// Two chunks of a row in one strip: nothing is combined among warps.
// LANES-LABEL: loop.kernel @sums
// LANES-COUNT-2: loop.load_chunk %arg0
// LANES-NOT: loop.load_chunk
// LANES-NOT: loop.of_warps
// LANES-COUNT-2: loop.store_chunk
// LANES-LABEL: loop.kernel @centred

// The next tile is on the way when one is scanned. A tile's sum is published
// before the tile before it is finished.
// AHEAD-LABEL: loop.kernel @sums
// AHEAD: %[[TILES:.*]] = loop.shared at 0 : !loop.array<f32, 1>
// AHEAD-COUNT-8: loop.fetch %arg0 at %{{.*}} to %[[TILES]]
// AHEAD: loop.stage_wait {loop.ahead = 1 : i64}
// AHEAD-COUNT-8: loop.fetch %arg0 at %{{.*}} to %[[TILES]]
// AHEAD: loop.stage_wait {loop.ahead = 1 : i64}
// AHEAD-COUNT-8: loop.load_chunk %[[TILES]]
// AHEAD: loop.of_warps
// AHEAD: loop.publish
// AHEAD: loop.await_word
// AHEAD: loop.of_warps
// AHEAD: loop.publish
// AHEAD-COUNT-8: loop.store_chunk

// A row of threads has one lane of 32 scans. Warps exchange what is transposed. A
// row of one chunk is summed by one lane.
// ACROSS-LABEL: loop.kernel @sums
// ACROSS: loop.lane_count
// ACROSS: loop.transpose %{{.*}} : (i64) -> (i64)
// ACROSS-COUNT-32: loop.load %arg0
// ACROSS: loop.transpose %{{.*}} : (f32, f32, f32, f32, f32, f32, f32, f32)
// ACROSS: loop.earlier_lane 1 before
// ACROSS-NOT: loop.of_warps
// ACROSS: loop.transpose %{{.*}} : (f32, f32, f32, f32, f32, f32, f32, f32)
// ACROSS-COUNT-32: loop.store %{{.*}}, %arg1
// GPU-LABEL: llvm.func internal @sums__body
// GPU: llvm.mlir.addressof @__kern_transposed
// GPU: "llvm.nvvm.barrier.cta.sync.aligned.all"
// GPU: "llvm.nvvm.shfl.sync.up.i32"
loop.kernel @sums kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64) -> ()
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %no = arith.constant false
  %t = loop.scan %c0 to %n step %c1 from (%zero) if %no : (f32) {
  ^bb0(%i: i64):
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.give %x : f32
  } combine {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    loop.give %s : f32
  } write {
  ^bb0(%i: i64, %s: f32):
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.give
  } -> (f32)
  loop.return
}

// A scan beside another loop that needs it goes in launches.
// CHECK-LABEL: loop.kernel @centred
// ROWS-NOT: kept
// BACK-NOT: cooperative
// BACK-NOT: kept
// BACK: loop.return
loop.kernel @centred kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64) -> ()
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %no = arith.constant false
  %t = loop.scan %c0 to %n step %c1 from (%zero) if %no : (f32) {
  ^bb0(%i: i64):
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.give %x : f32
  } combine {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    loop.give %s : f32
  } write {
  ^bb0(%i: i64, %s: f32):
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.give
  } -> (f32)
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %y[%i] : !loop.array<f32, 1>
    %z = arith.subf %x, %t : f32
    loop.store %z, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
