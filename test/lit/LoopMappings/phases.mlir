// RUN: %kern-opt %s --loop-map="flat=true phase=1" | FileCheck %s --check-prefix=FIRST
// RUN: %kern-opt %s --loop-map="flat=true phase=2" | FileCheck %s --check-prefix=SECOND
// RUN: %kern-opt %s --loop-map="flat=true phase=3" | FileCheck %s --check-prefix=THIRD

// Each loop is a phase, and so are the stores between two loops. Flat, they are
// ufuncs here.
// FIRST-LABEL: loop.kernel @bordered kind(ufunc) (%arg0: f32) -> (f32)
// FIRST-SAME: loop.phase = 1
// FIRST-NEXT: loop.return %arg0
// SECOND-LABEL: loop.kernel @bordered kind(gufunc)
// SECOND-SAME: flat_extents = {{\[\[}}"1"]]
// SECOND-SAME: loop.phase = 2
// SECOND-NOT: loop.parallel
// SECOND: loop.store %{{.*}}, %arg1[%c0
// SECOND: loop.store %{{.*}}, %arg1[%{{[0-9]+}}]
// SECOND-NOT: loop.store
// SECOND: loop.return
// THIRD-LABEL: loop.kernel @bordered kind(ufunc) (%arg0: f32) -> (f32)
// THIRD-SAME: loop.phase = 3
// THIRD: %[[SUM:.*]] = arith.addf %arg0, %arg0
// THIRD: loop.return %[[SUM]]
loop.kernel @bordered kind(gufunc) (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0.0 : f32
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = loop.load %x[%i] : !loop.array<f32, 1>
    loop.store %v, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.store %z, %y[%c0] : !loop.array<f32, 1>
  %last = arith.subi %n, %c1 : i64
  loop.store %z, %y[%last] : !loop.array<f32, 1>
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = loop.load %y[%i] : !loop.array<f32, 1>
    %d = arith.addf %v, %v : f32
    loop.store %d, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// A sum would be in each of the kernels: the body stays whole.
// FIRST-LABEL: loop.kernel @centred kind(gufunc)
// FIRST-NOT: loop.phase
// FIRST: loop.reduce
// FIRST: loop.parallel
// FIRST: loop.parallel
loop.kernel @centred kind(gufunc) (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %v = loop.load %x[%i] : !loop.array<f32, 1>
    loop.yield %v : f32
  }
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.parallel (%i) = (%c1) to (%n) step (%c1) {
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// What is read between the loops is another value after the first phase.
// FIRST-LABEL: loop.kernel @read_between kind(gufunc)
// FIRST-NOT: loop.phase
// FIRST: loop.parallel
// FIRST: loop.parallel
loop.kernel @read_between kind(gufunc) (%x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = loop.load %x[%i] : !loop.array<f32, 1>
    loop.store %v, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  %f = loop.load %y[%c0] : !loop.array<f32, 1>
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    loop.store %f, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
