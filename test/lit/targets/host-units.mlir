// The same kernel for CPUs of several generations: the widest registers that
// each of them is good at, and the vector functions for those.
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=x86-64})" | FileCheck %s --check-prefix=SSE
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=haswell})" | FileCheck %s --check-prefix=AVX2
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=znver4})" | FileCheck %s --check-prefix=AVX2
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=icelake-server})" | FileCheck %s --check-prefix=AVX2
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=znver5})" | FileCheck %s --check-prefix=AVX512
// RUN: %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute{sequential=true},loop-to-host,kern-emit{as=asm arch=emeraldrapids})" | FileCheck %s --check-prefix=AVX512

// No division of an index, and no branch, within a block.
// SSE-LABEL: growth__contiguous:
// SSE-NOT: %{{[yz]}}mm
// SSE-NOT: {{idiv|divq}}
// SSE: divps %xmm
// SSE: callq{{.*}}_ZGVbN4v_expf
// SSE-NOT: %{{[yz]}}mm
// SSE: retq

// AVX2-LABEL: growth__contiguous:
// AVX2-NOT: %zmm
// AVX2-NOT: {{idiv|divq}}
// AVX2: vdivps {{.*}}%ymm
// AVX2: {{callq|movabsq}}{{.*}}_ZGVdN8v_expf
// AVX2-NOT: %zmm
// AVX2: retq

// AVX512-LABEL: growth__contiguous:
// AVX512-NOT: {{idiv|divq}}
// AVX512: vdivps {{.*}}%zmm
// AVX512: {{callq|movabsq}}{{.*}}_ZGVeN16v_expf
// AVX512: retq
func.func private @kern.exp.f32(f32) -> f32
loop.kernel @growth kind(ufunc) (%a: f32, %b: f32) -> (f32)
    attributes {num_inputs = 2 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %q = arith.divf %a, %b : f32
  %c = func.call @kern.exp.f32(%q) : (f32) -> f32
  loop.return %c : f32
}
