// RUN: %kern-opt %s | FileCheck %s --check-prefix=OP
// RUN: %kern-opt %s --loop-distribute --loop-to-gpu | FileCheck %s --check-prefix=GPU
// RUN: %kern-opt %s --loop-distribute=sequential=true --loop-to-host | FileCheck %s --check-prefix=HOST

// The body takes the record behind its arguments; a lane that fails leaves, and
// there is one lane.
// GPU-LABEL: llvm.func internal @sum__body(
// GPU-SAME: %[[RECORD:[^ ]*]]: !llvm.ptr<1>) -> f32
// GPU-NOT: llvm.nvvm.barrier
// GPU: %[[OK:.*]] = arith.cmpi ult
// GPU: cf.cond_br %[[OK]], ^{{.*}}, ^[[FAILED:.*]]
// GPU: ^[[FAILED]]:
// GPU: llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} monotonic monotonic{{.*}} : !llvm.ptr<1>, i64
// GPU: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<1>
// GPU: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr<1>
// GPU: %[[ZERO:.*]] = llvm.mlir.zero : f32
// GPU: llvm.return %[[ZERO]] : f32
// The kernel's last word.
// GPU-LABEL: llvm.func ptx_kernelcc @sum__general(
// GPU-SAME: %[[WORD:[^ ]*]]: !llvm.ptr<1>) attributes
// GPU-SAME: checks = [{axis = 0 : i64, kind = "index", place = "F.kern:2:9", text = "v"}]
// GPU-SAME: shared_extents = []
// GPU: llvm.call @sum__body(
// GPU-SAME: %[[WORD]])

// HOST-LABEL: llvm.func @sum__general(
// HOST-SAME: %[[WORDS:.*]]: !llvm.ptr)
// Nothing is a vector. n, the dimension, three operands, a core stride, the record.
// HOST-NOT: loop_vectorize
// HOST: llvm.getelementptr %[[WORDS]][9]
// HOST-NOT: llvm.getelementptr %[[WORDS]][10]

// OP-LABEL: loop.kernel @sum
loop.kernel @sum kind(gufunc) (%v: !loop.array<f32, 1>, %i: i64, %n: i64) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"],
                checks = [{axis = 0 : i64, kind = "index",
                           place = "F.kern:2:9", text = "v"}]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = loop.reduce sum (%k) = %c0 to %n step %c1 : f32 {
    %at = arith.addi %k, %i : i64
    %ok = arith.cmpi ult, %at, %n : i64
    // OP: loop.check 0 %{{.*}}, %{{.*}}, %{{.*}}
    loop.check 0 %ok, %at, %n
    %x = loop.load %v[%at] : !loop.array<f32, 1>
    loop.yield %x : f32
  }
  loop.return %s : f32
}

// Elements of a ufunc run one by one.
// GPU-LABEL: llvm.func ptx_kernelcc @positive__contiguous(
// GPU-SAME: !llvm.ptr<1>) attributes
// HOST-LABEL: llvm.func @positive__strided(
// HOST-NOT: loop_vectorize
loop.kernel @positive kind(ufunc) (%x: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>,
                checks = [{axis = 0 : i64, kind = "assert",
                           place = "F.kern:5:5", text = "`x > 0` does not hold"}]} {
  %zero = arith.constant 0.0 : f32
  %ok = arith.cmpf ogt, %x, %zero : f32
  loop.check 0 %ok
  loop.return %x : f32
}
