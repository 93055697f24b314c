// RUN: %kern-opt %s --loop-map="flat=true tile=64" --split-input-file | FileCheck %s
// RUN: %kern-opt %s --loop-map="flat=true tile=256" --split-input-file | FileCheck %s --check-prefix=WIDE
// RUN: %kern-opt %s --loop-map="flat=true tile=64" --loop-distribute --loop-to-gpu="sm=80" --split-input-file | FileCheck %s --check-prefix=GPU

// A thread computes 8 results, one above the other. All of them together read
// 9 rows, and only if none of them is on the border. Otherwise it computes one
// after the other.
// CHECK-LABEL: loop.kernel @above
// CHECK-SAME: loop.tile = array<i64: 32, 64, 256, 1, 1>
// CHECK: %[[FIRST:.*]] = arith.addi
// CHECK: cf.cond_br %{{.*}}, ^[[TOGETHER:.*]], ^[[SERIAL:.*]]
// CHECK: loop.load %arg0[%{{[^ ]*}}, %{{[^ ]*}}] : !loop.array<f32, 2>
// CHECK: ^[[TOGETHER]]:
// CHECK-COUNT-8: arith.cmpi eq
// CHECK-COUNT-7: arith.andi
// CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[PARTED:bb[0-9]+]]
// CHECK: loop.load %arg0[{{.*}}] {loop.dense, loop.offset = array<i64: 0, 0>}
// CHECK-COUNT-7: loop.load %arg0[{{.*}}] {loop.dense, loop.offset = array<i64: {{[1-7]}}, 0>}
// CHECK-NEXT: loop.load %arg0[{{.*}}] {loop.dense, loop.offset = array<i64: -1, 0>}
// CHECK-NOT: loop.load
// CHECK-COUNT-8: arith.subf
// CHECK-COUNT-8: loop.store
// CHECK: ^[[PARTED]]:
// CHECK-NEXT: cf.cond_br %{{.*}}, ^[[SERIAL]], ^{{.*}}
// GPU-LABEL: llvm.func ptx_kernelcc @above__flat_tiled64
// GPU-SAME: ["nvvm.maxntid", "256"]
loop.kernel @above kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %border = arith.cmpi eq, %i, %c0 : i64
    cf.cond_br %border, ^copy, ^inside
  ^copy:
    %e = loop.load %a[%i, %j] : !loop.array<f32, 2>
    loop.store %e, %b[%i, %j] : !loop.array<f32, 2>
    loop.yield
  ^inside:
    %up = arith.subi %i, %c1 : i64
    %x = loop.load %a[%i, %j] : !loop.array<f32, 2>
    %y = loop.load %a[%up, %j] : !loop.array<f32, 2>
    %z = arith.subf %x, %y : f32
    loop.store %z, %b[%i, %j] : !loop.array<f32, 2>
    loop.yield
  }
  loop.return
}

// -----

// Products of the same elements are computed once: what joins a sum was chosen
// before.
// CHECK-LABEL: loop.kernel @weighted
// CHECK-SAME: loop.tile
// CHECK-NOT: loop.keep
// CHECK: loop.return
loop.kernel @weighted kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %half = arith.constant 0.5 : f32
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %border = arith.cmpi eq, %i, %c0 : i64
    cf.cond_br %border, ^end, ^inside
  ^inside:
    %up = arith.subi %i, %c1 : i64
    %x = loop.load %a[%i, %j] : !loop.array<f32, 2>
    %y = loop.load %a[%up, %j] : !loop.array<f32, 2>
    %p = arith.mulf %x, %half : f32
    %q = arith.mulf %y, %half : f32
    %z = arith.addf %p, %q : f32
    loop.store %z, %b[%i, %j] : !loop.array<f32, 2>
    cf.br ^end
  ^end:
    loop.yield
  }
  loop.return
}

// -----

// Elements that iterations write must not be read ahead.
// CHECK-LABEL: loop.kernel @inout
// CHECK-NOT: loop.tile
// CHECK: loop.return
loop.kernel @inout kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %border = arith.cmpi eq, %i, %c0 : i64
    cf.cond_br %border, ^end, ^inside
  ^inside:
    %up = arith.subi %i, %c1 : i64
    %x = loop.load %a[%i, %j] : !loop.array<f32, 2>
    %y = loop.load %a[%up, %j] : !loop.array<f32, 2>
    %z = arith.subf %x, %y : f32
    loop.store %z, %a[%i, %j] : !loop.array<f32, 2>
    loop.store %z, %b[%i, %j] : !loop.array<f32, 2>
    cf.br ^end
  ^end:
    loop.yield
  }
  loop.return
}

// -----

// Iterations have no element in common.
// CHECK-LABEL: loop.kernel @alone
// CHECK-NOT: loop.tile
// CHECK: loop.return
loop.kernel @alone kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %border = arith.cmpi eq, %i, %c0 : i64
    cf.cond_br %border, ^end, ^inside
  ^inside:
    %x = loop.load %a[%i, %j] : !loop.array<f32, 2>
    loop.store %x, %b[%i, %j] : !loop.array<f32, 2>
    cf.br ^end
  ^end:
    loop.yield
  }
  loop.return
}

// -----

// The branches of neighbouring columns differ at the border alone. A thread of
// a wide tile computes 4 x 4 results in the columns between, and reads six rows
// of which it needs four elements at once, and one beside them on each side of
// the four rows in the middle. One more tile has the columns of the border.
// WIDE-LABEL: loop.kernel @cross
// WIDE-SAME: loop.tile = array<i64: 16, 256, 256, 1, 1>
// WIDE: %[[BORDER:.*]] = arith.cmpi eq, %arg5
// WIDE: cf.cond_br %[[BORDER]], ^[[SERIAL:bb[0-9]+]],
// WIDE-COUNT-4: loop.load_chunk %arg0{{.*}} -> f32, f32, f32, f32
// WIDE-COUNT-4: loop.store_chunk
// WIDE: ^[[SERIAL]]:
// WIDE: arith.select %[[BORDER]]
// WIDE: return
loop.kernel @cross kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %left = arith.cmpi eq, %j, %c0 : i64
    %last = arith.subi %n, %c1 : i64
    %right = arith.cmpi eq, %j, %last : i64
    %top = arith.cmpi eq, %i, %c0 : i64
    %sides = arith.ori %left, %right : i1
    %border = arith.ori %sides, %top : i1
    cf.cond_br %border, ^end, ^inside
  ^inside:
    %up = arith.subi %i, %c1 : i64
    %before = arith.subi %j, %c1 : i64
    %after = arith.addi %j, %c1 : i64
    %x = loop.load %a[%up, %j] : !loop.array<f32, 2>
    %y = loop.load %a[%i, %before] : !loop.array<f32, 2>
    %z = loop.load %a[%i, %after] : !loop.array<f32, 2>
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %z : f32
    loop.store %t, %b[%i, %j] : !loop.array<f32, 2>
    cf.br ^end
  ^end:
    loop.yield
  }
  loop.return
}

// -----

// Branches differ in the middle: no wide tiles.
// WIDE-LABEL: loop.kernel @thirds
// WIDE-NOT: loop.tile
// WIDE: loop.return
loop.kernel @thirds kind(gufunc) (%a: !loop.array<f32, 2>, %b: !loop.array<f32, 2>,
    %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 2 : i64,
                output_ranks = array<i64: 2>, dim_names = ["m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  loop.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %third = arith.remsi %j, %c3 : i64
    %border = arith.cmpi eq, %third, %c0 : i64
    cf.cond_br %border, ^end, ^inside
  ^inside:
    %up = arith.addi %i, %c1 : i64
    %x = loop.load %a[%up, %j] : !loop.array<f32, 2>
    %y = loop.load %a[%i, %j] : !loop.array<f32, 2>
    %s = arith.addf %x, %y : f32
    loop.store %s, %b[%i, %j] : !loop.array<f32, 2>
    cf.br ^end
  ^end:
    loop.yield
  }
  loop.return
}

// -----

// A thread computes 4 planes of 4 rows, one plane after the other: it has stored
// the results of the first one when it reads what only the last one needs. Three
// blocks share a multiprocessor.
// CHECK-LABEL: loop.kernel @planes
// CHECK-SAME: loop.tile = array<i64: 16, 64, 256, 1, 4>
// CHECK: loop.load %arg0[{{.*}}] {loop.dense, loop.offset = array<i64: 0, 0, 0>}
// CHECK-NOT: loop.offset = array<i64: 3, 0, 0>
// CHECK: loop.store %{{.*}} {loop.dense, loop.offset = array<i64: 0, 3, 0>}
// CHECK-NOT: loop.store
// CHECK: loop.load %arg0[{{.*}}] {loop.dense, loop.offset = array<i64: 1, 0, 0>}
// CHECK: loop.load %arg0[{{.*}}] {loop.dense, loop.offset = array<i64: 3, 0, 0>}
// GPU-LABEL: llvm.func ptx_kernelcc @planes__flat_tiled64
// GPU-SAME: ["nvvm.maxntid", "256"], ["nvvm.minctasm", "3"]
loop.kernel @planes kind(gufunc) (%a: !loop.array<f32, 3>, %b: !loop.array<f32, 3>,
    %k: i64, %m: i64, %n: i64)
    attributes {num_inputs = 1 : i64, num_dims = 3 : i64,
                output_ranks = array<i64: 3>, dim_names = ["k", "m", "n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  loop.parallel (%h, %i, %j) = (%c0, %c0, %c0) to (%k, %m, %n) step (%c1, %c1, %c1) {
    %border = arith.cmpi eq, %h, %c0 : i64
    cf.cond_br %border, ^end, ^inside
  ^inside:
    %up = arith.subi %h, %c1 : i64
    %x = loop.load %a[%h, %i, %j] : !loop.array<f32, 3>
    %y = loop.load %a[%up, %i, %j] : !loop.array<f32, 3>
    %z = arith.subf %x, %y : f32
    loop.store %z, %b[%h, %i, %j] : !loop.array<f32, 3>
    cf.br ^end
  ^end:
    loop.yield
  }
  loop.return
}
