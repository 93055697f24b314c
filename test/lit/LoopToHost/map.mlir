// RUN: %kern-opt %s --split-input-file --pass-pipeline="builtin.module(loop-map-to-host)" | FileCheck %s
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-map-to-host,loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=haswell})" | FileCheck %s --check-prefix=ASM

// A plain product of matrices has no body: two factors and the result, each with the
// dimensions that rows, columns and sums run along, and their extents.
// CHECK-LABEL: loop.kernel @product
// CHECK-SAME: %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-SAME: dim_names = ["m", "k", "n", "$part", "$parts"]
// CHECK-SAME: loop.parts
// CHECK-SAME: loop.product = [array<i64: 0, 0, -1, 1>, array<i64: 1, -1, 1, 0>, array<i64: 2, 0, 1, -1>, array<i64: 0, 2, 1>]
// CHECK-NEXT: loop.return

// Twelve sums of vectors, each with a multiplication by a row's element.
// ASM-LABEL: product__block_16:
// ASM-COUNT-12: vfmadd{{.*}}ps {{.*}}%ymm
// ASM-NOT: vfmadd
// ASM: j{{[a-z]+}} .L
// ASM-LABEL: product__general:
loop.kernel @product kind(gufunc)
    (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>, %c: !loop.array<f32, 2>,
     %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f32 {
      %x = loop.load %a[%i, %p] : !loop.array<f32, 2>
      %y = loop.load %b[%p, %j] : !loop.array<f32, 2>
      %z = arith.mulf %x, %y fastmath<contract> : f32
      loop.yield %z : f32
    }
    loop.store %s, %c[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

// What is computed of the sums is the rest. It reads them from the result, over
// the rows and columns of a part.
// CHECK-LABEL: loop.kernel @layer
// CHECK-SAME: %[[R0:[a-z0-9]+]]: i64, %[[R1:[a-z0-9]+]]: i64, %[[C0:[a-z0-9]+]]: i64, %[[C1:[a-z0-9]+]]: i64)
// CHECK-SAME: "$part", "$parts", "$firstRow", "$endRow", "$firstColumn", "$endColumn"]
// CHECK-SAME: loop.product = [array<i64: 0, 0, -1, 1>, array<i64: 1, -1, 1, 0>, array<i64: 3, 0, 1, -1>, array<i64: 0, 2, 1>]
// CHECK-SAME: loop.rest
// CHECK: loop.parallel (%[[I:.*]], %[[J:.*]]) = (%[[R0]], %[[C0]]) to (%[[R1]], %[[C1]])
// CHECK-NOT: loop.reduce
// CHECK-NEXT: %[[SUM:.*]] = loop.load %[[OUT:.*]][%[[I]], %[[J]]]
// CHECK: arith.addf %[[SUM]]
// CHECK: loop.store %{{.*}}, %[[OUT]][%[[I]], %[[J]]]
loop.kernel @layer kind(gufunc)
    (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>, %v: !loop.array<f32, 1>,
     %c: !loop.array<f32, 2>, %m: i64, %k: i64, %n: i64)
    attributes {num_inputs = 3 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "k", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %s = loop.reduce sum (%p) = %c0 to %k step %c1 : f32 {
      %x = loop.load %a[%i, %p] : !loop.array<f32, 2>
      %y = loop.load %b[%p, %j] : !loop.array<f32, 2>
      %z = arith.mulf %x, %y fastmath<contract> : f32
      loop.yield %z : f32
    }
    %w = loop.load %v[%j] : !loop.array<f32, 1>
    %t = arith.addf %s, %w : f32
    %r = arith.maximumf %t, %zero : f32
    loop.store %r, %c[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

// Of other loops a call runs a part of the outermost range. That of a matrix
// and a vector is a sum along each row; products that are rounded stay.
// CHECK-LABEL: loop.kernel @rows
// CHECK-SAME: %[[M:.*]]: i64, %{{.*}}: i64, %[[PART:.*]]: i64, %[[PARTS:.*]]: i64)
// CHECK-SAME: loop.parts
// CHECK: %[[FIRST:.*]] = arith.muli %[[TRIPS:.*]], %[[PART]]
// CHECK: arith.divui %[[FIRST]], %[[PARTS]]
// CHECK: %[[LAST:.*]] = arith.muli %[[TRIPS]],
// CHECK: arith.divui %[[LAST]], %[[PARTS]]
// CHECK: loop.parallel
loop.kernel @rows kind(gufunc)
    (%a: !loop.array<f32, 2>, %x: !loop.array<f32, 1>, %y: !loop.array<f32, 1>,
     %m: i64, %n: i64)
    attributes {num_inputs = 2 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%m) step (%c1) {
    %s = loop.reduce sum (%p) = %c0 to %n step %c1 : f32 {
      %u = loop.load %a[%i, %p] : !loop.array<f32, 2>
      %v = loop.load %x[%p] : !loop.array<f32, 1>
      %z = arith.mulf %u, %v fastmath<contract> : f32
      loop.yield %z : f32
    }
    loop.store %s, %y[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}

// Iterations that add to the same element stay together, and so does what is
// beside the loop.
// CHECK-LABEL: loop.kernel @histogram
// CHECK-NOT: loop.parts
// CHECK: loop.parallel
loop.kernel @histogram kind(gufunc)
    (%v: !loop.array<i64, 1>, %h: !loop.array<i64, 1>, %n: i64, %m: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 1>, dim_names = ["n", "m"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %at = loop.load %v[%i] : !loop.array<i64, 1>
    loop.accumulate add %c1, %h[%at] : !loop.array<i64, 1>
    loop.yield
  }
  loop.return
}
