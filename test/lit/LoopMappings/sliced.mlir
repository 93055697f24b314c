// RUN: %kern-opt %s --loop-map="sliced=true" | FileCheck %s
// RUN: %kern-opt %s --loop-map="sliced=true" --loop-distribute | FileCheck %s --check-prefix=LANES
// RUN: %kern-opt %s --loop-map="sliced=true across=true" --loop-distribute --loop-to-gpu | FileCheck %s --check-prefix=GPU

// The first launch stores each slice's sum, the second one combines them.
// CHECK-LABEL: loop.kernel @total
// CHECK-SAME: %[[LAUNCH:arg2]]: i64, %[[SLICE:arg3]]: i64, %[[SLICES:arg4]]: i64)
// CHECK-SAME: launches = 2
// CHECK-SAME: shared_extents = {{\[\[}}"n"]]
// CHECK-SAME: sliced_launches = 1
// CHECK: %[[PARTS:.*]] = loop.local[%{{.*}}] {bytes = ["4"], per_slice, slot = 0 : i64} : !loop.array<f32, 1>
// CHECK: %[[NOW:.*]] = arith.cmpi eq, %[[LAUNCH]]
// CHECK: %[[MINE:.*]] = loop.reduce sum
// CHECK: loop.load %arg0
// CHECK: %[[PLACE:.*]] = arith.select %[[NOW]], %[[SLICE]], %[[SLICES]]
// CHECK: loop.store %[[MINE]], %[[PARTS]][%[[PLACE]]]
// CHECK: %[[ALL:.*]] = loop.reduce sum
// CHECK: loop.load %[[PARTS]]
// CHECK: loop.return %[[ALL]]
// One word for each of launch, slices and blocks, between n and the pointer.
// GPU-LABEL: llvm.func ptx_kernelcc @total__across_sliced(
// GPU-SAME: %arg9: i64, %arg10: i64, %arg11: i64, %arg12: i64, %arg13: !llvm.ptr<1>
// GPU-SAME: across, {{.*}}launches = 2 : i64
// GPU-SAME: sliced
// GPU: llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.y"
// GPU: llvm.call @total__body
// Nobody waits for what only the next launch reads.
// LANES-LABEL: loop.kernel @total
// LANES-NOT: loop.barrier
// LANES: loop.return
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

// A loop that needs a result runs in the launch after it; loops that need none
// of each other share a launch. No launch follows the last loop here.
// CHECK-LABEL: loop.kernel @centred
// CHECK-SAME: launches = 2
// CHECK-SAME: sliced_launches = 2
loop.kernel @centred kind(gufunc) (%v: !loop.array<f32, 1>, %y: !loop.array<f32, 1>,
    %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
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
  %d = arith.subf %s, %t : f32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %z = arith.subf %x, %d : f32
    loop.store %z, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// The slice of an extremum leads to its position among the elements, whose
// value is computed again.
// CHECK-LABEL: loop.kernel @place
// CHECK: %[[LOCAL:.*]] = loop.reduce arg_fmax
// CHECK: arith.cmpi sge, %[[LOCAL]]
// CHECK: loop.reduce arg_fmax
// CHECK: %[[AT:.*]] = loop.load %{{.*}} : !loop.array<i64, 1>
// CHECK: loop.load %arg0
// CHECK: loop.yield %{{.*}}, %{{.*}} : f32, i1
// Launches that write the slices' positions read none.
// CHECK: loop.reduce sum
// CHECK-NEXT: loop.load %{{.*}} : !loop.array<i64, 1>
// CHECK-NEXT: loop.yield
loop.kernel @place kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce arg_fmax (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : i64
}

// A load around the loops from what they write would change between launches.
// CHECK-LABEL: loop.kernel @overwritten
// CHECK-NOT: launches
loop.kernel @overwritten kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %f = loop.load %v[%c0] : !loop.array<f32, 1>
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %f, %v[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// A scan stores its results in the second launch, after the combination of the
// preceding slices from the first one.
// CHECK-LABEL: loop.kernel @sums
// CHECK-SAME: launches = 2
// CHECK-SAME: sliced_launches = 2
// CHECK: %[[PARTS:.*]] = loop.local[%{{.*}}] {bytes = ["4"], per_slice, slot = 0 : i64} : !loop.array<f32, 1>
// CHECK: %[[MINE:.*]] = loop.scan
// CHECK-NOT: loop.store
// CHECK: write {
// CHECK-NEXT: }
// CHECK: loop.store %[[MINE]], %[[PARTS]]
// CHECK: %[[AHEAD:.*]] = loop.scan
// CHECK: loop.load %[[PARTS]]
// CHECK: loop.scan {{.*}} from(%[[AHEAD]])
// CHECK: loop.store %{{.*}}, %arg1
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

// Stores beside the loops to an array that these touch have a launch of their
// own, in which one slice runs them: after the loops that come before, and
// before those that come after.
// CHECK-LABEL: loop.kernel @bordered
// CHECK-SAME: launches = 4
// CHECK-SAME: sliced_launches = 4
// CHECK: arith.cmpi eq, %arg2, %c0
// CHECK: loop.parallel
// CHECK: %[[SECOND:.*]] = arith.cmpi eq, %arg2, %c1
// CHECK: %[[END:.*]] = arith.select %[[SECOND]]
// CHECK-NEXT: loop.parallel {{.*}} to (%[[END]])
// CHECK-NEXT: loop.store %{{.*}}, %arg0[%c0
// CHECK-NEXT: loop.store %{{.*}}, %arg0[%{{.*}}]
// CHECK-NEXT: loop.yield
// CHECK: arith.cmpi eq, %arg2, %c2
// CHECK: loop.parallel
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %arg2, %c3
// CHECK: %[[TO:.*]] = arith.select %[[LAST]]
// CHECK-NEXT: loop.parallel {{.*}} to (%[[TO]])
// CHECK-NEXT: loop.store %{{.*}}, %arg0[%c1
loop.kernel @bordered kind(gufunc) (%y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 0 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %z, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.store %z, %y[%c0] : !loop.array<f32, 1>
  %last = arith.subi %n, %c1 : i64
  loop.store %z, %y[%last] : !loop.array<f32, 1>
  loop.parallel (%i) = (%c1) to (%last) step (%c1) {
    %x = loop.load %y[%i] : !loop.array<f32, 1>
    %d = arith.addf %x, %x : f32
    loop.store %d, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.store %z, %y[%c1] : !loop.array<f32, 1>
  loop.return
}

// An array of the loop element is in memory that all slices share: what one
// launch leaves there the next one reads. Zeroing it is a loop, too.
// CHECK-LABEL: loop.kernel @kept
// CHECK-SAME: launches = 3
// CHECK: %[[T:.*]] = loop.local[%{{.*}}] {bytes = ["4", "n", "*"], slot = 0 : i64} : !loop.array<f32, 1>
// CHECK: arith.cmpi eq, %arg3, %c0
// CHECK: loop.parallel
// CHECK: loop.store %cst{{.*}}, %[[T]]
// CHECK: arith.cmpi eq, %arg3, %c1
// CHECK: loop.parallel
// CHECK: loop.store %{{.*}}, %[[T]]
// CHECK: arith.cmpi eq, %arg3, %c2
// CHECK: loop.parallel
// CHECK: loop.load %[[T]]
loop.kernel @kept kind(gufunc) (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %t = loop.local[%n] {bytes = ["4", "n", "*"], zeroed} : !loop.array<f32, 1>
  loop.parallel (%i) = (%c1) to (%n) step (%c1) {
    %v = loop.load %x[%i] : !loop.array<f32, 1>
    loop.store %v, %t[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = loop.load %t[%i] : !loop.array<f32, 1>
    loop.store %v, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
