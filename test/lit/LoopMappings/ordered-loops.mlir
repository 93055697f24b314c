// RUN: %kern-opt %s --loop-map="staged=true" | FileCheck %s --check-prefix=STAGED
// RUN: %kern-opt %s --loop-map="together=true" | FileCheck %s --check-prefix=TOGETHER

// A thread runs a loop in order and the prange after it. What they read goes
// through the same tile.
// STAGED-LABEL: loop.kernel @centred
// STAGED-COUNT-2: loop.local
// STAGED-NOT: loop.local
// STAGED-COUNT-2: loop.stage_in %arg0
// STAGED: loop.stage_in %arg0
// STAGED: loop.stage_out %arg1
// STAGED-NOT: loop.parallel

// Or the lanes of a warp read for the loop, four strips ahead, and share the
// prange.
// TOGETHER-LABEL: loop.kernel @centred
// TOGETHER-SAME: loop.warps
// TOGETHER: loop.lane
// TOGETHER: cf.cond_br %{{.*}}, ^bb3, ^bb1(
// TOGETHER: ^bb1(%{{.*}}: i64, %{{.*}}: f32, %[[MINE:[a-z0-9]+]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
// TOGETHER: ^bb2:
// TOGETHER: loop.load %arg0
// The first group of a strip has its elements before the first iteration.
// TOGETHER-COUNT-8: loop.of_lane %[[MINE]]
// TOGETHER: ^bb3:
// TOGETHER-COUNT-4: loop.load %arg0
// The group after this one, and a single iteration.
// TOGETHER-COUNT-9: loop.of_lane %[[MINE]]
// TOGETHER: loop.parallel
loop.kernel @centred kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>,
    %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"],
                core_extents = [[["n"]], [["n"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %f = arith.constant 0.0 : f32
  cf.br ^head(%c0, %f : i64, f32)
^head(%i: i64, %acc: f32):
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^body, ^exit
^body:
  %x = loop.load %v[%i] : !loop.array<f32, 1>
  %sum = arith.addf %acc, %x : f32
  %next = arith.addi %i, %c1 : i64
  cf.br ^head(%next, %sum : i64, f32)
^exit:
  loop.parallel (%j) = (%c0) to (%n) step (%c1) {
    %z = loop.load %v[%j] : !loop.array<f32, 1>
    %d = arith.subf %z, %acc : f32
    loop.store %d, %y[%j] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
