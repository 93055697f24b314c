// RUN: %kern-opt %s --loop-map="flat=true tile=256" | FileCheck %s

// A convolution: each thread has neighbouring results. A window of 256 results
// and 128 iterations has 383 elements, which are no whole number of chunks. If
// the first one that is needed begins a chunk, chunks that are needed whole are
// fetched at once, and the elements behind them one by one.
// CHECK-LABEL: loop.kernel @convolve
// CHECK: loop.has_chunks 4 of %arg0[{{.*}}] along 0
// CHECK: %[[STRIDE:.*]] = loop.stride 0 of %arg2
// CHECK: %[[NEAR:.*]] = arith.cmpi eq, %[[STRIDE]], %c4_i64
// CHECK: %[[WHOLE:.*]] = arith.andi %{{.*}}, %[[NEAR]]
// CHECK: cf.cond_br %[[WHOLE]],
// CHECK: arith.remui %[[FIRST:.*]], %c4_i32
// CHECK: cf.cond_br %{{.*}}, ^[[CHUNKS:bb[0-9]+]], ^[[EACH:bb[0-9]+]]
// CHECK: ^[[CHUNKS]]:
// CHECK: %[[REST:.*]] = arith.remui %[[COUNT:.*]], %c4_i32
// CHECK: %[[INCHUNKS:.*]] = arith.subi %[[COUNT]], %[[REST]]
// CHECK: %[[ISWHOLE:.*]] = arith.cmpi ult, %{{.*}}, %[[INCHUNKS]]
// CHECK: loop.fetch %arg0 {{.*}} if %[[ISWHOLE]] {loop.elements = 4 : i64}
// CHECK: arith.addi %[[FIRST]], %[[INCHUNKS]]
// CHECK: %[[ISREST:.*]] = arith.cmpi ult, %{{.*}}, %[[REST]]
// CHECK: loop.fetch %arg0 {{.*}} if %[[ISREST]] :
// CHECK: ^[[EACH]]:
// CHECK-COUNT-3: loop.fetch %arg0
// CHECK: loop.return
loop.kernel @convolve kind(gufunc) (%x: !loop.array<f32, 1>, %w: !loop.array<f32, 1>,
    %y: !loop.array<f32, 1>, %n: i64, %k: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n", "k"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %d = arith.subi %n, %k : i64
  %m = arith.addi %d, %c1 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    %end = arith.addi %i, %k : i64
    %last = arith.subi %end, %c1 : i64
    %s = loop.reduce sum (%j) = %c0 to %k step %c1 : f32 {
      %p = arith.subi %last, %j : i64
      %a = loop.load %x[%p] : !loop.array<f32, 1>
      %b = loop.load %w[%j] : !loop.array<f32, 1>
      %q = arith.mulf %a, %b : f32
      loop.yield %q : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
