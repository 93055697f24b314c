// RUN: %kern-opt %s --loop-map="sliced=true recentred=true resident=2" | FileCheck %s
// RUN: %kern-opt %s --loop-map="sliced=true recentred=true resident=2" --loop-distribute | FileCheck %s --check-prefix=LANES --implicit-check-not=loop.barrier
// RUN: %kern-opt %s --loop-map="sliced=true recentred=true resident=2" --loop-distribute --loop-to-gpu | FileCheck %s --check-prefix=GPU
// RUN: %kern-opt %s --loop-map="sliced=true resident=2" | FileCheck %s --check-prefix=PLAIN

// All loops run in the first launch, about the slice's own mean, and the second
// one combines what they find.
// CHECK-LABEL: loop.kernel @variance
// CHECK-SAME: launches = 2 : i64, loop.recentred
// CHECK-SAME: sliced_launches = 1
// CHECK: %[[SUM:.*]] = loop.reduce sum
// CHECK: loop.store %[[SUM]], %[[SUMS:[0-9]+]]
// CHECK: %[[OWN:.*]] = arith.divf %[[SUM]]
// CHECK: %[[R:.*]] = loop.reduce sum
// CHECK: %[[D:.*]] = arith.subf %{{.*}}, %[[OWN]]
// CHECK-NEXT: loop.yield %[[D]]
// CHECK: %[[Q:.*]] = loop.reduce sum
// CHECK: %[[E:.*]] = arith.subf %{{.*}}, %[[OWN]]
// CHECK-NEXT: %[[F:.*]] = arith.mulf %[[E]], %[[E]]
// CHECK-NEXT: loop.yield %[[F]]
// CHECK: loop.store %[[R]], %[[RS:[0-9]+]]
// CHECK: loop.store %[[Q]], %[[QS:[0-9]+]]
// CHECK: %[[ALL:.*]] = loop.reduce sum {{.*}}loop.mostly_empty
// CHECK: %[[MEAN:.*]] = arith.divf %[[ALL]]
// CHECK: %[[S:.*]] = loop.reduce sum {{.*}}loop.mostly_empty
// CHECK: loop.load %[[SUMS]]
// CHECK: loop.load %[[RS]]
// CHECK: loop.load %[[QS]]
// CHECK: arith.maximumf
// CHECK: arith.subf %{{.*}}, %[[MEAN]]
// CHECK: loop.return %[[MEAN]], %[[S]]
// The slice's chunks are read once. A launch without any reads the first one.
// Nothing is combined where there is nothing to combine, and nobody waits for
// what only the next launch reads.
// LANES-LABEL: loop.kernel @variance
// LANES: arith.maxsi
// LANES-COUNT-2: loop.load_chunk %arg0
// LANES-NOT: loop.load_chunk
// LANES-COUNT-3: loop.combine sum
// LANES: cf.cond_br %{{.*}}, ^{{bb[0-9]+}}, ^[[NONE:bb[0-9]+]](%{{.*}} : f32)
// LANES: loop.combine sum
// LANES: ^[[NONE]](%{{.*}}: f32):
// LANES: cf.cond_br %{{.*}}, ^{{bb[0-9]+}}, ^[[LAST:bb[0-9]+]](%{{.*}} : f32)
// LANES: loop.combine sum
// LANES: ^[[LAST]](%{{.*}}: f32):
// LANES-NOT: loop.combine
// LANES: loop.return
// A smaller grid has a warp for each item.
// GPU-LABEL: llvm.func ptx_kernelcc @variance__sliced_recentred_resident(
// GPU-SAME: %[[GROUP:arg7]]: i64, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: i64, %[[BLOCKS:arg12]]: i64
// GPU: llvm.nvvm.read.ptx.sreg.nctaid.x
// GPU: arith.cmpi slt, %{{.*}}, %[[BLOCKS]]
// GPU: arith.minui %[[GROUP]], %c32_i64
// Otherwise slices wait for one another.
// PLAIN-LABEL: loop.kernel @variance
// PLAIN-SAME: cooperative
// PLAIN-NOT: loop.mostly_empty
// PLAIN: loop.return
loop.kernel @variance kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32, f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %count = arith.sitofp %n : i64 to f32
  %m = arith.divf %s, %count : f32
  %q = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.subf %x, %m : f32
    %dd = arith.mulf %d, %d fastmath<contract> : f32
    loop.yield %dd : f32
  }
  loop.return %m, %q : f32, f32
}

// What precise mode has not marked, and other values, are added up as written.
// CHECK-LABEL: loop.kernel @precise
// CHECK-NOT: loop.recentred
// CHECK: loop.return
loop.kernel @precise kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32, f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %q = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.subf %x, %s : f32
    %dd = arith.mulf %d, %d : f32
    loop.yield %dd : f32
  }
  loop.return %s, %q : f32, f32
}

// CHECK-LABEL: loop.kernel @others
// CHECK-NOT: loop.recentred
// CHECK: loop.return
loop.kernel @others kind(gufunc) (%v: !loop.array<f32, 1>, %w: !loop.array<f32, 1>, %n: i64) -> (f32, f32)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0, 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %w[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %q = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %d = arith.subf %x, %s : f32
    %dd = arith.mulf %d, %d fastmath<contract> : f32
    loop.yield %dd : f32
  }
  loop.return %s, %q : f32, f32
}
