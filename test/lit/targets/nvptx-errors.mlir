// RUN: not %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu,kern-emit{as=ptx arch=sm_70})" 2>&1 | FileCheck %s --check-prefix=SM
// RUN: not %kern-opt %s -o /dev/null --pass-pipeline="builtin.module(loop-distribute,loop-to-gpu,kern-emit{as=ptx arch=sm_75})" 2>&1 | FileCheck %s --check-prefix=FUNCTION

// SM: PTX for sm_70 is not supported
// FUNCTION: the target has no function frobnicate for f32
func.func private @kern.frobnicate.f32(f32) -> f32
loop.kernel @f kind(ufunc) (%a: f32) -> (f32)
    attributes {num_inputs = 1 : i64, num_dims = 0 : i64,
                output_ranks = array<i64: 0>} {
  %c = func.call @kern.frobnicate.f32(%a) : (f32) -> f32
  loop.return %c : f32
}
