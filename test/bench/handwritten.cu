// What a careful person writes for each piece of work: 16-byte accesses, read
// only inputs through the read-only path, full 256-thread blocks. Compiled by
// NVRTC in the run in which they are measured.
typedef long long i64;
typedef unsigned short half_bits;

__device__ float to_float(half_bits h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}
__device__ half_bits to_half(float f) {
  half_bits h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
  return h;
}

// U vectors of 16 bytes a thread, a block's width apart; n counts vectors.
template <class T, int U, class F>
__device__ void map_one(const uint4 *a, uint4 *o, i64 n, F f) {
  i64 first = (i64)blockIdx.x * blockDim.x * U + threadIdx.x;
  uint4 x[U];
#pragma unroll
  for (int u = 0; u < U; ++u)
    if (first + u * blockDim.x < n) x[u] = __ldg(a + first + u * blockDim.x);
#pragma unroll
  for (int u = 0; u < U; ++u)
    if (first + u * blockDim.x < n) {
      T *p = (T *)&x[u];
#pragma unroll
      for (int k = 0; k < 16 / sizeof(T); ++k) p[k] = f(p[k]);
      o[first + u * blockDim.x] = x[u];
    }
}
template <class T, int U, class F>
__device__ void map_two(const uint4 *a, const uint4 *b, uint4 *o, i64 n, F f) {
  i64 first = (i64)blockIdx.x * blockDim.x * U + threadIdx.x;
  uint4 x[U], y[U];
#pragma unroll
  for (int u = 0; u < U; ++u)
    if (first + u * blockDim.x < n) {
      x[u] = __ldg(a + first + u * blockDim.x);
      y[u] = __ldg(b + first + u * blockDim.x);
    }
#pragma unroll
  for (int u = 0; u < U; ++u)
    if (first + u * blockDim.x < n) {
      T *p = (T *)&x[u], *q = (T *)&y[u];
#pragma unroll
      for (int k = 0; k < 16 / sizeof(T); ++k) p[k] = f(p[k], q[k]);
      o[first + u * blockDim.x] = x[u];
    }
}

#define ONE(NAME, T, U, ...)                                                   \
  extern "C" __global__ void NAME(const uint4 *__restrict__ a,                \
                                  uint4 *__restrict__ o, i64 n) {             \
    map_one<T, U>(a, o, n, __VA_ARGS__);                                      \
  }
#define TWO(NAME, T, U, ...)                                                   \
  extern "C" __global__ void NAME(const uint4 *__restrict__ a,                \
                                  const uint4 *__restrict__ b,                \
                                  uint4 *__restrict__ o, i64 n) {             \
    map_two<T, U>(a, b, o, n, __VA_ARGS__);                                   \
  }

TWO(add_f32, float, 1, [](float x, float y) { return x + y; })
TWO(add_f64, double, 1, [](double x, double y) { return x + y; })
TWO(add_u8, unsigned char, 2,
    [](unsigned char x, unsigned char y) { return (unsigned char)(x + y); })
TWO(multiply_c64, float2, 1, [](float2 x, float2 y) {
  return make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
})
TWO(hidden_f32, float, 1,
    [](float g, float w) { return tanhf(g / 255.0f * w); })
ONE(gelu_f16, half_bits, 2, [](half_bits h) {
  float x = to_float(h);
  return to_half(0.5f * x * (1.0f + erff(x * 0.70710678f)));
})

extern "C" __global__ void zero_suppress_i16(const uint4 *__restrict__ a,
                                             uint4 *__restrict__ o, i64 n,
                                             short threshold) {
  map_one<short, 2>(
      a, o, n, [=](short x) { return x < threshold ? (short)0 : x; });
}
extern "C" __global__ void gaussian_f32(const uint4 *__restrict__ a,
                                        uint4 *__restrict__ o, i64 n,
                                        float mean, float sigma) {
  float scale = sigma * 2.50662827463100050f;
  map_one<float, 1>(a, o, n, [=](float x) {
    float z = (x - mean) / sigma;
    return expf(-0.5f * z * z) / scale;
  });
}
extern "C" __global__ void gaussian_f64(const uint4 *__restrict__ a,
                                        uint4 *__restrict__ o, i64 n,
                                        double mean, double sigma) {
  double scale = sigma * 2.50662827463100050;
  map_one<double, 1>(a, o, n, [=](double x) {
    double z = (x - mean) / sigma;
    return exp(-0.5 * z * z) / scale;
  });
}

#define INDEX                                                                  \
  i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;                         \
  if (i >= n) return;

__device__ float distance(float a, float b, float c, float d) {
  float s1, c1, s2, c2;
  sincosf(b, &s1, &c1);
  sincosf(d, &s2, &c2);
  float x = a * c1 - c * c2, y = a * s1 - c * s2;
  return sqrtf(x * x + y * y);
}
extern "C" __global__ void
polar_f32(const float4 *__restrict__ a, const float4 *__restrict__ b,
          const float4 *__restrict__ c, const float4 *__restrict__ d,
          float4 *__restrict__ o, i64 n) {
  INDEX
  float4 p = a[i], q = b[i], r = c[i], s = d[i];
  o[i] = make_float4(distance(p.x, q.x, r.x, s.x),
                     distance(p.y, q.y, r.y, s.y),
                     distance(p.z, q.z, r.z, s.z),
                     distance(p.w, q.w, r.w, s.w));
}

__device__ void price(float s, float k, float t, float r, float v, float &call,
                      float &put) {
  float root = v * sqrtf(t);
  float d1 = (logf(s / k) + (r + 0.5f * v * v) * t) / root, d2 = d1 - root;
  float n1 = normcdff(d1), n2 = normcdff(d2), present = k * expf(-r * t);
  call = s * n1 - present * n2;
  put = present * (1 - n2) - s * (1 - n1);
}
extern "C" __global__ void
black_scholes_f32(const float4 *__restrict__ s, const float4 *__restrict__ k,
                  const float4 *__restrict__ t, const float4 *__restrict__ r,
                  const float4 *__restrict__ v, float4 *__restrict__ call,
                  float4 *__restrict__ put, i64 n) {
  INDEX
  float4 S = s[i], K = k[i], T = t[i], R = r[i], V = v[i], c, p;
  price(S.x, K.x, T.x, R.x, V.x, c.x, p.x);
  price(S.y, K.y, T.y, R.y, V.y, c.y, p.y);
  price(S.z, K.z, T.z, R.z, V.z, c.z, p.z);
  price(S.w, K.w, T.w, R.w, V.w, c.w, p.w);
  call[i] = c;
  put[i] = p;
}

// --- layouts; columns in vectors of four ---------------------------------

__device__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
// Eight rows a thread share one vector of the bias.
extern "C" __global__ void row_bias(const float4 *__restrict__ a,
                                    const float4 *__restrict__ b,
                                    float4 *__restrict__ o, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float4 bias = b[c];
  i64 row = (i64)blockIdx.y * 8;
  for (int k = 0; k < 8; ++k)
    o[(row + k) * columns + c] = sum(a[(row + k) * columns + c], bias);
}
extern "C" __global__ void column_bias(const float4 *__restrict__ a,
                                       const float *__restrict__ b,
                                       float4 *__restrict__ o, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  i64 row = (i64)blockIdx.y * 4;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float s = b[row + k];
    o[(row + k) * columns + c] =
        sum(a[(row + k) * columns + c], make_float4(s, s, s, s));
  }
}
extern "C" __global__ void outer_sum(const float *__restrict__ a,
                                     const float4 *__restrict__ b,
                                     float4 *__restrict__ o, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float4 bias = b[c];
  i64 row = (i64)blockIdx.y * 4;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float s = a[row + k];
    o[(row + k) * columns + c] = sum(make_float4(s, s, s, s), bias);
  }
}
// Every second element: whole cache lines are read, half of them is used.
extern "C" __global__ void every_second(const float4 *__restrict__ a,
                                        const float4 *__restrict__ b,
                                        float2 *__restrict__ o, i64 n) {
  INDEX
  float4 x = a[i], y = b[i];
  o[i] = make_float2(x.x + y.x, x.z + y.z);
}
extern "C" __global__ void reversed_sum(const float4 *__restrict__ a,
                                        const float4 *__restrict__ b,
                                        float4 *__restrict__ o, i64 n) {
  INDEX
  float4 x = a[n - 1 - i];
  o[i] = sum(make_float4(x.w, x.z, x.y, x.x), b[i]);
}
// o = a.T + b, tile by tile through shared memory; blocks of 32 by 8.
extern "C" __global__ void transposed_sum(const float *__restrict__ a,
                                          const float *__restrict__ b,
                                          float *__restrict__ o, int m) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
#pragma unroll
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] =
        a[(i64)(x + threadIdx.y + k) * m + y + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 32; k += 8) {
    i64 i = (i64)(y + threadIdx.y + k) * m + x + threadIdx.x;
    o[i] = tile[threadIdx.x][threadIdx.y + k] + b[i];
  }
}

// --- norms of rows -------------------------------------------------------

__device__ float square(float4 v) {
  return v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
}
// Four lanes a row of 16.
extern "C" __global__ void norm_lanes(const float4 *__restrict__ a,
                                      float *__restrict__ o) {
  i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
  float s = square(a[i]);
  s += __shfl_xor_sync(~0u, s, 1);
  s += __shfl_xor_sync(~0u, s, 2);
  if ((threadIdx.x & 3) == 0) o[i >> 2] = sqrtf(s);
}
// A warp a row; k counts vectors.
extern "C" __global__ void norm_warp(const float4 *__restrict__ a,
                                     float *__restrict__ o, int k) {
  i64 row = (i64)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const float4 *p = a + row * k;
  float s = 0;
  for (int j = threadIdx.x & 31; j < k; j += 32) s += square(p[j]);
  for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
  if (!(threadIdx.x & 31)) o[row] = sqrtf(s);
}
// A block a row.
extern "C" __global__ void norm_block(const float4 *__restrict__ a,
                                      float *__restrict__ o, int k) {
  const float4 *p = a + (i64)blockIdx.x * k;
  __shared__ float part[32];
  float s = 0;
#pragma unroll 4
  for (int j = threadIdx.x; j < k; j += blockDim.x) s += square(p[j]);
  for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
  if (!(threadIdx.x & 31)) part[threadIdx.x >> 5] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(~0u, s, d);
    if (!threadIdx.x) o[blockIdx.x] = sqrtf(s);
  }
}

// Keeps the device busy for some clock cycles, so that what is enqueued behind
// it runs back to back.
extern "C" __global__ void busy(i64 cycles) {
  i64 begin = clock64();
  while (clock64() - begin < cycles) {
  }
}
