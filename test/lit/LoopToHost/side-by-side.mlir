// RUN: %kern-opt %s --pass-pipeline="builtin.module(loop-map-to-host{across=true},loop-distribute{sequential=true},loop-to-host{lanes=4},canonicalize)" | FileCheck %s
// RUN: %kern-opt %s --pass-pipeline="builtin.module(loop-map-to-host,loop-distribute{sequential=true},loop-to-host)" | FileCheck %s --check-prefix=GENERAL
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-map-to-host{across=true},loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm arch=znver5})" | FileCheck %s --check-prefix=LARGE
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-map-to-host{across=true},loop-distribute{sequential=true},loop-to-host,kern-emit{as=host-llvm arch=x86-64-v3})" | FileCheck %s --check-prefix=SMALL

// LARGE: fadd {{.*}}<256 x float>
// SMALL-NOT: <256 x float>

// Unless it is asked for, there is no such form.
// GENERAL-NOT: __across

// A body that only adds up, in several loops, takes 64 loop elements at once. In a block of 256
// iterations those of the same partial sum, 32 as in the vectors along a core,
// follow one another, and only then it is stored.
// CHECK-LABEL: llvm.func internal @norm__by_16(
// CHECK-SAME: %{{.*}}: i64, %[[V:.*]]: !llvm.ptr, %[[STRIDE:.*]]: i64, %{{.*}}: i64, %[[Y:.*]]: !llvm.ptr, %{{.*}}: i64, %[[GAP:.*]]: i64)
// CHECK: %[[SUMS:.*]] = llvm.alloca %c8192_i64 x i8
// CHECK: ^{{.*}}(%[[BLOCK:.*]]: i64):
// CHECK: %[[LATER:.*]] = arith.addi %[[BLOCK]], %c256_i64
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}, %[[LATER]]
// CHECK: ^{{.*}}(%[[K:.*]]: i64, %[[SUM:.*]]: vector<64xf32>):
// CHECK-NEXT: arith.cmpi sge, %[[K]], %[[END]]
// CHECK: llvm.store %{{.*}}, %{{.*}} : vector<64xf32>
// CHECK-NOT: llvm.intr.prefetch
// In a short row the second half of these begins a gap before the end of the
// first half.
// CHECK: %[[HALF:.*]] = arith.addi %[[GAP]], %c32_i64
// CHECK-NEXT: %[[BYTES:.*]] = arith.muli %[[HALF]], %c4_i64
// CHECK-NEXT: %[[SECOND:.*]] = llvm.getelementptr %[[FIRST:.*]][%[[BYTES]]]
// CHECK-NEXT: %[[X1:.*]] = llvm.load %[[FIRST]] {alignment = 1 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK-NEXT: %[[X2:.*]] = llvm.load %[[SECOND]] {alignment = 1 : i64} : !llvm.ptr -> vector<32xf32>
// CHECK-NEXT: %[[X:.*]] = llvm.shufflevector %[[X1]], %[[X2]] [0, 1, {{.*}}, 62, 63]
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[SQUARE]] fastmath<reassoc> : vector<64xf32>
// CHECK-NEXT: %[[STEP:.*]] = arith.addi %[[K]], %c32_i64
// CHECK-NEXT: cf.br ^{{.*}}(%[[STEP]], %[[NEXT]] : i64, vector<64xf32>) {loop_annotation

// Shorter rows have partial sums in memory, of which those that have no element
// are left out.
// CHECK-LABEL: llvm.func internal @norm__by_8(
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<-0.000000e+00> : vector<32xf32>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK: llvm.alloca %c4096_i64 x i8
// CHECK-NEXT: %[[SUMS:.*]] = llvm.alloca %c4096_i64 x i8
// CHECK: %[[SOME:.*]] = arith.minsi %{{.*}}, %c32_i64
// CHECK: arith.maxsi %[[SOME]], %c1_i64
// CHECK: llvm.store %[[ZERO]], %[[SUMS]]
// CHECK: llvm.store %[[NONE]], %{{.*}} : vector<32xf32>
// An iteration adds to its own partial sum, and fetches a later row if rows are
// apart.
// CHECK: %[[OWN:.*]] = arith.andi %[[K:.*]], %c31_i64
// CHECK: %[[SUM:.*]] = llvm.load %{{.*}} -> vector<32xf32>
// CHECK: %[[NEAR:.*]] = arith.cmpi ult, %{{.*}}, %c2047_i64
// CHECK: %[[ROWS:.*]] = arith.select %[[NEAR]], %c0_i64, %c32_i64
// CHECK: %[[AHEAD:.*]] = arith.addi %[[K]], %[[ROWS]]
// CHECK: arith.minsi %[[AHEAD]]
// CHECK-COUNT-2: llvm.intr.prefetch
// CHECK-NOT: cf.cond_br
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<16xf32>
// CHECK: %[[X:.*]] = llvm.shufflevector
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[SQUARE]] fastmath<reassoc> : vector<32xf32>
// CHECK: llvm.store %[[NEXT]]
// CHECK: cf.br {{.*}} {loop_annotation
// The second half is added to the first one.
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<32xf32>

// No more iterations than partial sums are added up eight at a time. Half of
// them are there, and others may not be. No flag lets a square join a sum.
// CHECK-LABEL: llvm.func internal @norm__by_4(
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[N:.*]], %c32_i64
// CHECK: arith.mulf %{{.*}} : vector<16xf32>
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK: %[[OTHER:.*]] = arith.mulf %{{.*}} : vector<16xf32>
// CHECK: arith.select %[[THERE]], %[[OTHER]], %{{.*}} : vector<16xf32>
// CHECK: arith.addf %{{[0-9]+}}, %{{[0-9]+}} : vector<16xf32>

// CHECK-LABEL: llvm.func internal @norm__by_2(
// Rows of less than a vector have lanes that do as the first one.
// CHECK-LABEL: llvm.func internal @norm__by_1(
// CHECK-SAME: %[[LANES:[a-z0-9]*]]: i64) attributes
// CHECK: %[[PRESENT:.*]] = arith.cmpi sgt, %{{.*}}, %{{.*}} : vector<4xi64>
// CHECK: %[[SOME:.*]] = llvm.intr.masked.load %{{.*}}, %[[PRESENT]]
// CHECK: %[[READ:.*]] = llvm.freeze %[[SOME]]
// CHECK: %[[FIRST:.*]] = llvm.extractelement %[[READ]][%c0_i64 : i64]
// CHECK: arith.select %[[PRESENT]], %[[READ]], %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: arith.addf %{{.*}}, %{{.*}} : vector<4xf32>

// The last vector of a row may begin before the one before it has ended, and
// its halves share elements in rows of less than that. Sums of no more elements
// than there are partial sums begin with four vectors.
// CHECK-LABEL: llvm.func @norm__across(
// CHECK-SAME: elements = 32 : i64, form = "across"
// CHECK-SAME: passthrough = ["kern-vectors"]
// What takes 16 registers of a cache line is for CPUs that have them.
// CHECK: %[[PLACE:.*]] = llvm.mlir.addressof @kern.large_registers
// CHECK: %[[MANY:.*]] = arith.cmpi sgt, %{{.*}}, %c8_i64
// CHECK: %[[BYTE:.*]] = llvm.load %[[PLACE]]
// CHECK: %[[HAS:.*]] = arith.cmpi ne, %[[BYTE]]
// CHECK: %[[BLOCKS:.*]] = arith.andi %[[MANY]], %[[HAS]]
// CHECK: arith.cmpi sge, %[[COUNT:.*]], %c32_i64
// CHECK: arith.andi %{{.*}}, %[[BLOCKS]]
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]], %c64_i64
// CHECK-NEXT: %[[AT:.*]] = arith.minsi %{{.*}}, %[[LAST]]
// CHECK-NEXT: arith.maxsi %[[AT]], %c0_i64
// CHECK-NEXT: %[[ALL:.*]] = arith.minsi %[[COUNT]], %c64_i64
// CHECK: %[[NONE:.*]] = arith.subi %[[ALL]], %c64_i64
// CHECK-NEXT: llvm.call @norm__by_16({{.*}}, %[[NONE]])
// CHECK: arith.andi %{{.*}}, %[[MANY]]
// CHECK: llvm.call @norm__by_8(
// CHECK-NOT: %[[MANY]]
// CHECK: llvm.call @norm__by_4(
// CHECK: llvm.call @norm__by_1(
loop.kernel @norm kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, dim_names = ["n"], output_ranks = array<i64: 0>, core_extents = [[["n"]], []]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %sum = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %square = arith.mulf %x, %x : f32
    loop.yield %square : f32
  }
  %total = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  %both = arith.addf %sum, %total : f32
  %y = math.sqrt %both : f32
  loop.return %y : f32
}

// One of two arrays may be the same for all loop elements. A maximum needs no
// partial ones: its value does not depend on the order. Only sums take more
// vectors.
// CHECK-NOT: @largest__by_16
// CHECK-LABEL: llvm.func internal @largest__by_8(
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %{{.*}}, %c0_i64
// CHECK-NOT: llvm.alloca
// CHECK: cf.cond_br %[[SAME]], ^[[ONE:bb[0-9]+]], ^[[EACH:bb[0-9]+]]
// CHECK: ^[[ONE]]:
// CHECK: llvm.load %{{.*}} -> f32
// CHECK: ^[[EACH]]:
// CHECK-COUNT-2: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : vector<32xf32>
loop.kernel @largest kind(gufunc) (%v: !loop.array<f32, 1>, %w: !loop.array<f32, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64, dim_names = ["n"], output_ranks = array<i64: 0>, core_extents = [[["n"]], [["n"]], []]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %max = loop.reduce fmax_nan (%i) = %c0 to %n step %c1 : f32 {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %y = loop.load %w[%i] : !loop.array<f32, 1>
    %both = arith.mulf %x, %y : f32
    loop.yield %both : f32
  }
  loop.return %max : f32
}

// What loop elements find at places of their own stays in the general form, as
// do arrays that a body changes and iterations that are lanes themselves.
// CHECK-LABEL: llvm.func @found__general(
// CHECK-NOT: llvm.func @found__across(
loop.kernel @found kind(gufunc) (%v: !loop.array<f32, 1>, %w: !loop.array<i64, 1>, %n: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64, dim_names = ["n"], output_ranks = array<i64: 0>, core_extents = [[["n"]], [["n"]], []]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %sum = loop.reduce sum (%i) = %c0 to %n step %c1 : f32 {
    %at = loop.load %w[%i] : !loop.array<i64, 1>
    %x = loop.load %v[%at] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %sum : f32
}

// CHECK-LABEL: llvm.func @doubled__general(
loop.kernel @doubled kind(gufunc) (%v: !loop.array<f32, 1>, %n: i64) -> ()
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64, dim_names = ["n"], output_ranks = array<i64>, core_extents = [[["n"]]]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = loop.load %v[%i] : !loop.array<f32, 1>
    %y = arith.addf %x, %x : f32
    loop.store %y, %v[%i] : !loop.array<f32, 1>
    loop.yield
  }
  loop.return
}
