// RUN: %kern-opt %s --loop-map="staged=true" | FileCheck %s
// RUN: %kern-opt %s --loop-map="staged=true" --loop-distribute --loop-to-gpu=sm=90 | FileCheck %s --check-prefix=GPU

// RUN: %kern-opt %s --loop-map="staged=true spread=true" --split-input-file | FileCheck %s --check-prefix=SPREAD
// RUN: %kern-opt %s --loop-map="staged=true spread=true" --loop-distribute --loop-to-gpu=sm=90 | FileCheck %s --check-prefix=FEW

// A loop in order: strips of 32 iterations, of which the next three are fetched
// meanwhile. Groups of eight iterations, of which four elements at once come
// from and go to shared memory, the next ones before the last four are stored;
// and one by one what is left.
// CHECK-LABEL: loop.kernel @running
// CHECK-SAME: staged
// CHECK-DAG: %[[OUT:.*]] = loop.local[%{{.*}}] {bytes = ["144"], loop.chunked, per_lane, shared}
// CHECK-DAG: %[[IN:.*]] = loop.local[%{{.*}}] {bytes = ["528"], loop.chunked, per_lane, shared}
// CHECK-COUNT-3: loop.stage_in %arg0{{.*}}, %[[IN]]
// CHECK: cf.br ^[[STRIPS:.*]](
// CHECK: ^[[STRIPS]](%[[FIRST:.*]]: i64, %{{.*}}: f32):
// CHECK: cf.cond_br %{{.*}}, ^[[STRIP:.*]], ^[[EXIT:.*]]
// CHECK: ^[[STRIP]]:
// CHECK: loop.stage_out %arg1{{.*}}, %[[OUT]]
// CHECK: loop.stage_in %arg0{{.*}}, %[[IN]]
// CHECK: loop.stage_wait {loop.ahead = 3 : i64}
// CHECK: %[[X:.*]]:4 = loop.load_chunk %[[IN]]
// CHECK: cf.br ^[[GROUPS:.*]](%[[FIRST]], %{{.*}}, %[[X]]#0, %[[X]]#1, %[[X]]#2, %[[X]]#3
// CHECK: ^[[GROUPS]](%[[I:.*]]: i64, %[[ACC:.*]]: f32, %[[X0:.*]]: f32, %[[X1:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[HEAD:.*]](%[[I]], %[[ACC]]
// CHECK: %[[REST:.*]]:4 = loop.load_chunk %[[IN]]
// CHECK: %[[S0:.*]] = arith.addf %[[ACC]], %[[X0]]
// CHECK: %[[S1:.*]] = arith.addf %[[S0]], %[[X1]]
// CHECK: loop.store_chunk(%[[S0]], %[[S1]], %{{.*}}, %[[S3:.*]]), %[[OUT]]
// CHECK: %[[NEXT:.*]]:4 = loop.load_chunk %[[IN]]
// CHECK: %[[S4:.*]] = arith.addf %[[S3]], %[[REST]]#0
// CHECK: loop.store_chunk(%[[S4]], %{{.*}}), %[[OUT]]
// CHECK: cf.br ^[[GROUPS]]({{.*}}, %[[NEXT]]#0, %[[NEXT]]#1, %[[NEXT]]#2, %[[NEXT]]#3
// CHECK-SAME: loop_annotation
// CHECK: ^[[HEAD]](%[[J:.*]]: i64, %[[LAST:.*]]: f32):
// CHECK: %[[Y:.*]] = loop.load %[[IN]]
// CHECK: %[[SUM:.*]] = arith.addf %[[LAST]], %[[Y]]
// CHECK: loop.store %[[SUM]], %[[OUT]]
// CHECK: ^[[EXIT]]:
// CHECK: loop.stage_out %arg1{{.*}}, %[[OUT]]
// CHECK: loop.return
// A warp with few loop elements has their tiles alone.
// SPREAD-LABEL: loop.kernel @running
// SPREAD-SAME: loop.spread
// SPREAD-DAG: loop.local{{.*}}bytes = ["528"], loop.chunked, loop.spread
// SPREAD-DAG: loop.local{{.*}}bytes = ["1040"], loop.chunked, loop.spread
// 16 bytes a lane if all lanes can, else one element.
// GPU-LABEL: llvm.func internal @running__body
// GPU-DAG: llvm.call_intrinsic "llvm.nvvm.vote.all.sync"
// GPU-DAG: llvm.call_intrinsic "llvm.nvvm.shfl.sync.idx.i32"
// GPU-DAG: llvm.call_intrinsic "llvm.nvvm.cp.async.cg.shared.global.16"
// GPU-DAG: llvm.call_intrinsic "llvm.nvvm.cp.async.ca.shared.global.4"
// GPU-DAG: llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"
// GPU-DAG: llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"
// GPU-LABEL: llvm.func ptx_kernelcc @running__staged(
// Eight rows of 128 elements: eight accesses a lane, or twice sixteen elements.
// FEW-LABEL: llvm.func internal @running__body
// FEW-COUNT-8: "llvm.nvvm.cp.async.cg.shared.global.16"
// FEW-NOT: "llvm.nvvm.cp.async.cg.shared.global.16"
// FEW-COUNT-8: "llvm.nvvm.cp.async.ca.shared.global.4"
// FEW: llvm.func ptx_kernelcc @running__staged_spread(
// FEW: "llvm.nvvm.read.ptx.sreg.laneid"
loop.kernel @running kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>,
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
  loop.store %sum, %y[%i] : !loop.array<f32, 1>
  %next = arith.addi %i, %c1 : i64
  cf.br ^head(%next, %sum : i64, f32)
^exit:
  loop.return
}

// Small cores: whole, and copied into the thread's own memory. Three words are
// an odd number already; four times 16 bytes are not. What is written in part is
// read before.
// CHECK-LABEL: loop.kernel @difference
// CHECK-SAME: loop.unrolled
// CHECK-SAME: staged
// CHECK: %[[TILE:.*]] = loop.local[%{{.*}}, %{{.*}}] {bytes = ["80"], loop.chunked, per_lane, shared}
// CHECK: loop.stage_in %arg0[%{{.*}}, %{{.*}}] (%{{.*}}, %{{.*}}), %[[TILE]][%{{.*}}] size 16
// CHECK: loop.stage_in %arg1[%{{.*}}] (%{{.*}}), %{{.*}} size 3
// CHECK: loop.stage_wait
// CHECK: %[[IN:.*]] = loop.local[%{{.*}}, %{{.*}}] {bytes = ["64"]}
// CHECK-COUNT-4: loop.load_chunk %[[TILE]]{{.*}} -> f32, f32, f32, f32
// CHECK: %[[OUT:.*]] = loop.local[%{{.*}}] {bytes = ["16"]}
// CHECK-COUNT-2: loop.load %[[IN]]
// CHECK: loop.store %{{.*}}, %[[OUT]][
// CHECK-COUNT-3: loop.store_chunk({{.*}}), %[[LINE:.*]][
// CHECK: loop.stage_out %arg1{{.*}}, %[[LINE]][%{{.*}}] size 3
// CHECK-NEXT: loop.return
loop.kernel @difference kind(gufunc) (%v: !loop.array<f32, 2>, %y: !loop.array<f32, 1>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 1>,
                core_extents = [[["4"], ["4"]], [["3"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = loop.load %v[%c0, %c1] : !loop.array<f32, 2>
  %b = loop.load %v[%c1, %c0] : !loop.array<f32, 2>
  %d = arith.subf %a, %b : f32
  loop.store %d, %y[%c0] : !loop.array<f32, 1>
  loop.return
}

// A result like an operand uses the operand's memory.
// CHECK-LABEL: loop.kernel @first
// CHECK: %[[TILE:.*]] = loop.local[%{{.*}}] {bytes = ["8"], loop.chunked, per_lane, shared}
// CHECK-NOT: loop.stage_in %arg1
// CHECK: loop.stage_in %arg0[%{{.*}}] (%{{.*}}), %[[TILE]]
// CHECK-NOT: loop.stage_in
// CHECK: loop.store_chunk(%{{.*}}, %{{.*}}), %[[TILE]][
// CHECK: loop.stage_out %arg1[%{{.*}}] (%{{.*}}), %[[TILE]]
loop.kernel @first kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 1>,
                core_extents = [[["2"]], [["2"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = loop.load %v[%c0] : !loop.array<f32, 1>
  loop.store %a, %y[%c0] : !loop.array<f32, 1>
  loop.store %a, %y[%c1] : !loop.array<f32, 1>
  loop.return
}

// So it does if what it was before is read there, before the operand.
// CHECK-LABEL: loop.kernel @positive
// CHECK: %[[TILE:.*]] = loop.local[%{{.*}}] {bytes = ["8"], loop.chunked, per_lane, shared}
// CHECK: loop.stage_in %arg1[%{{.*}}] (%{{.*}}), %[[TILE]]
// CHECK: loop.stage_wait
// CHECK: loop.load_chunk %[[TILE]]
// CHECK: loop.stage_in %arg0[%{{.*}}] (%{{.*}}), %[[TILE]]
// CHECK: loop.stage_wait
// CHECK: loop.stage_out %arg1[%{{.*}}] (%{{.*}}), %[[TILE]]
loop.kernel @positive kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 1>,
                core_extents = [[["2"]], [["2"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %a = loop.load %v[%c0] : !loop.array<f32, 1>
  loop.store %a, %y[%c0] : !loop.array<f32, 1>
  %more = arith.cmpf ogt, %a, %zero : f32
  cf.cond_br %more, ^store, ^done
^store:
  loop.store %a, %y[%c1] : !loop.array<f32, 1>
  cf.br ^done
^done:
  loop.return
}

// A loop over rows and columns writes all of a result.
// CHECK-LABEL: loop.kernel @transposed
// CHECK: loop.stage_in %arg0
// CHECK-NOT: loop.stage_in
// CHECK: loop.stage_out %arg1
// CHECK-LABEL: loop.kernel @inner
// CHECK: loop.stage_in %arg1
// CHECK: loop.stage_in %arg0
// CHECK: loop.stage_out %arg1
loop.kernel @transposed kind(gufunc) (%v: !loop.array<f32, 2>, %y: !loop.array<f32, 2>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 2>,
                core_extents = [[["3"], ["3"]], [["3"], ["3"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%c3, %c3) step (%c1, %c1) {
    %x = loop.load %v[%j, %i] : !loop.array<f32, 2>
    loop.store %x, %y[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}
loop.kernel @inner kind(gufunc) (%v: !loop.array<f32, 2>, %y: !loop.array<f32, 2>)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 2>,
                core_extents = [[["3"], ["3"]], [["3"], ["3"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  loop.parallel (%i, %j) = (%c0, %c1) to (%c3, %c3) step (%c1, %c1) {
    %x = loop.load %v[%j, %i] : !loop.array<f32, 2>
    loop.store %x, %y[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

// A loop with a second exit would let a warp diverge; rows of any length go to
// groups of lanes.
// CHECK-LABEL: loop.kernel @total
// CHECK-NOT: staged
loop.kernel @total kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"],
                core_extents = [[["n"]], []]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : f32
}
