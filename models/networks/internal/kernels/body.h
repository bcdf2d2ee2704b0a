// The kernels for one instruction set. kernels.c includes this file once for each, with
//   NAME(x)  the names of that set
//   TARGET   the attribute that lets the compiler use it
//   W        floats in a vector
//   MR, NV   rows and vectors of the tile of a product that stays in registers

typedef float NAME(vec) __attribute__((vector_size(4 * W), aligned(4), may_alias));
typedef int32_t NAME(ints) __attribute__((vector_size(4 * W), aligned(4), may_alias));
#define V NAME(vec)
#define I NAME(ints)
#define NR (NV * W)

TARGET static inline V NAME(load)(const float *p, long n) {
	if (n >= W) return *(const V *)p;
	V v = {0};
	for (long i = 0; i < n; i++) v[i] = p[i];
	return v;
}

TARGET static inline void NAME(store)(float *p, V v, long n) {
	if (n >= W) {
		*(V *)p = v;
		return;
	}
	for (long i = 0; i < n; i++) p[i] = v[i];
}

// pack copies b [k, n], element (p, j) at b[p*rs + j*cs], into panels of NR columns.
TARGET static void NAME(pack)(float *dst, const float *b, long k, long n, long rs, long cs) {
	for (long j = 0; j < n; j += NR) {
		long wide = n - j < NR ? n - j : NR;
		for (long p = 0; p < k; p++, dst += NR) {
			const float *row = b + p * rs + j * cs;
			if (cs == 1 && wide == NR) {
				memcpy(dst, row, sizeof(float) * NR);
				continue;
			}
			for (long i = 0; i < wide; i++) dst[i] = row[i * cs];
			for (long i = wide; i < NR; i++) dst[i] = 0;
		}
	}
}

// tile is MR rows of a product with one panel, c [MR, NR].
TARGET static inline __attribute__((always_inline)) void NAME(tile)(
	long rows, long k, const float *a, long rs, long cs, const float *b, float *c, long ldc, const float *bias, int add) {
	V acc[MR][NV];
#pragma GCC unroll 16
	for (int i = 0; i < MR; i++)
#pragma GCC unroll 4
		for (int j = 0; j < NV; j++)
			acc[i][j] = i >= rows ? (V){0} : add ? *(const V *)(c + i * ldc + j * W) : bias ? *(const V *)(bias + j * W) : (V){0};
	const float *from[MR];
#pragma GCC unroll 16
	for (int i = 0; i < MR; i++) from[i] = a + (i < rows ? i : 0) * rs;
	for (long p = 0; p < k; p++, b += NR) {
		V column[NV];
#pragma GCC unroll 4
		for (int j = 0; j < NV; j++) column[j] = *(const V *)(b + j * W);
#pragma GCC unroll 16
		for (int i = 0; i < MR; i++) {
			float x = from[i][p * cs];
#pragma GCC unroll 4
			for (int j = 0; j < NV; j++) acc[i][j] += x * column[j];
		}
	}
#pragma GCC unroll 16
	for (int i = 0; i < MR; i++)
		if (i < rows)
#pragma GCC unroll 4
			for (int j = 0; j < NV; j++) *(V *)(c + i * ldc + j * W) = acc[i][j];
}

// multiply is c [m, n] = a b, + c, or + bias [n]; a's element (i, p) is a[i*rs + p*cs].
TARGET static void NAME(multiply)(
	long m, long n, long k, const float *a, long rs, long cs, const float *packed, float *c, long ldc, const float *bias, int add) {
	for (long j = 0; j < n; j += NR, packed += k * NR) {
		long wide = n - j < NR ? n - j : NR;
		float edge[NR] = {0}, part[MR * NR];
		const float *b = bias ? bias + j : NULL;
		if (b && wide < NR) b = memcpy(edge, b, sizeof(float) * wide);
		for (long i = 0; i < m; i += MR) {
			long rows = m - i < MR ? m - i : MR;
			const float *from = a + i * rs;
			float *to = c + i * ldc + j;
			if (wide == NR && rows == MR) {
				NAME(tile)(MR, k, from, rs, cs, packed, to, ldc, b, add);
				continue;
			}
			for (long r = 0; add && r < rows; r++) memcpy(part + r * NR, to + r * ldc, sizeof(float) * wide);
			NAME(tile)(rows, k, from, rs, cs, packed, part, NR, b, add);
			for (long r = 0; r < rows; r++) memcpy(to + r * ldc, part + r * NR, sizeof(float) * wide);
		}
	}
}

// gauss is the normal distribution at x and its density: Abramowitz and Stegun,
// 7.1.26, which is good to 1.5e-7.
TARGET static inline void NAME(gauss)(V x, V *below, V *density) {
	V half = x * x * -0.5f, least = (V){0} - 87.f;
	I keeps = half > least;
	half = (V)((keeps & (I)half) | (~keeps & (I)least));
	// exp: 2^n times a polynomial of what is left, from -ln 2/2 to ln 2/2.
	V n = half * 1.44269504f - 0.5f;
	I whole = __builtin_convertvector(n, I);
	n = __builtin_convertvector(whole, V);
	V r = half - n * 0.693359375f + n * 2.12194440e-4f;
	V e = r * 1.9875691500e-4f + 1.3981999507e-3f;
	e = e * r + 8.3334519073e-3f;
	e = e * r + 4.1665795894e-2f;
	e = e * r + 1.6666665459e-1f;
	e = e * r + 5.0000001201e-1f;
	e = e * r * r + r + 1.f;
	e = (V)((I)e + (whole << 23));
	I sign = (I)x & INT32_MIN;
	V t = 1.f / ((V)((I)x ^ sign) * (0.3275911f * 0.70710678f) + 1.f);
	V tail = t * 1.061405429f - 1.453152027f;
	tail = tail * t + 1.421413741f;
	tail = tail * t - 0.284496736f;
	tail = (tail * t + 0.254829592f) * t * e * 0.5f;
	*below = 0.5f + (V)((I)(0.5f - tail) ^ sign);
	*density = e * 0.39894228f;
}

TARGET static void NAME(gelu)(float *y, const float *x, long n) {
	for (long i = 0; i < n; i += W) {
		V v = NAME(load)(x + i, n - i), below, density;
		NAME(gauss)(v, &below, &density);
		NAME(store)(y + i, v * below, n - i);
	}
}

// gelu_back turns dy into dx in place, and gives y again.
TARGET static void NAME(gelu_back)(float *dy, float *y, const float *x, long n) {
	for (long i = 0; i < n; i += W) {
		V v = NAME(load)(x + i, n - i), d = NAME(load)(dy + i, n - i), below, density;
		NAME(gauss)(v, &below, &density);
		NAME(store)(y + i, v * below, n - i);
		NAME(store)(dy + i, d * (below + v * density), n - i);
	}
}

TARGET static float NAME(sum)(V v) {
	float s = 0;
	for (int i = 0; i < W; i++) s += v[i];
	return s;
}

TARGET static void NAME(norm)(float *y, float *scale, const float *x, long rows, long n, float epsilon) {
	for (long r = 0; r < rows; r++, x += n, y += n) {
		V s = {0}, q = {0};
		for (long i = 0; i < n; i += W) s += NAME(load)(x + i, n - i);
		float mean = NAME(sum)(s) / n;
		for (long i = 0; i < n; i += W) {
			V d = NAME(load)(x + i, n - i) - mean;
			if (n - i < W) d = NAME(load)((const float *)&d, n - i);
			q += d * d;
		}
		float k = scale[r] = 1 / sqrtf(NAME(sum)(q) / n + epsilon);
		for (long i = 0; i < n; i += W) NAME(store)(y + i, (NAME(load)(x + i, n - i) - mean) * k, n - i);
	}
}

// norm_back turns dy into dx in place; y is norm's output.
TARGET static void NAME(norm_back)(float *dy, const float *y, const float *scale, long rows, long n) {
	for (long r = 0; r < rows; r++, y += n, dy += n) {
		V s = {0}, q = {0};
		for (long i = 0; i < n; i += W) {
			V d = NAME(load)(dy + i, n - i);
			s += d;
			q += d * NAME(load)(y + i, n - i);
		}
		float mean = NAME(sum)(s) / n, along = NAME(sum)(q) / n;
		for (long i = 0; i < n; i += W) {
			V d = NAME(load)(dy + i, n - i) - mean - NAME(load)(y + i, n - i) * along;
			NAME(store)(dy + i, d * scale[r], n - i);
		}
	}
}

TARGET static void NAME(add_to_rows)(float *x, const float *row, long rows, long n) {
	for (long r = 0; r < rows; r++, x += n)
		for (long i = 0; i < n; i += W) NAME(store)(x + i, NAME(load)(x + i, n - i) + NAME(load)(row + i, n - i), n - i);
}

TARGET static void NAME(add_rows)(float *sum, const float *x, long rows, long n) {
	for (long i = 0; i < n; i += W) {
		V s = NAME(load)(sum + i, n - i);
		for (long r = 0; r < rows; r++) s += NAME(load)(x + r * n + i, n - i);
		NAME(store)(sum + i, s, n - i);
	}
}

// frame copies W channels of a map into one with a border of zeros half wide.
TARGET static void NAME(frame)(V *padded, const float *x, long side, long stride, long half, long n) {
	long wide = side + 2 * half;
	for (long y = 0; y < side; y++)
		for (long c = 0; c < side; c++) padded[(y + half) * wide + c + half] = NAME(load)(x + (y * side + c) * stride, n);
}

#define ACROSS 8 // places of a row that stay in registers

// depthwise is a convolution of each channel of a map [side*side, n] with taps
// [kernel*kernel, n], plus bias [n] or, without one, plus what is there. kernel is a
// constant where it is called.
TARGET static inline __attribute__((always_inline)) void NAME(convolve)(
	float *out, const float *x, const float *taps, const float *bias, float *scratch, long side, long n, const long kernel) {
	long half = kernel / 2, wide = side + 2 * half;
	V *padded = (V *)scratch;
	for (long i = 0; i < wide * wide; i++) padded[i] = (V){0};
	for (long c = 0; c < n; c += W) {
		NAME(frame)(padded, x + c, side, n, half, n - c);
		V first = bias ? NAME(load)(bias + c, n - c) : (V){0};
		for (long y = 0; y < side; y++)
			for (long from = 0; from < side; from += ACROSS) {
				long places = side - from < ACROSS ? side - from : ACROSS;
				V acc[ACROSS];
#pragma GCC unroll 8
				for (int i = 0; i < ACROSS; i++)
					acc[i] = bias ? first : i < places ? NAME(load)(out + (y * side + from + i) * n + c, n - c) : (V){0};
				for (long ky = 0; ky < kernel; ky++) {
					if (y + ky < half || y + ky >= side + half) continue;
					const V *row = padded + (y + ky) * wide + from;
#pragma GCC unroll 8
					for (long kx = 0; kx < kernel; kx++) {
						V tap = NAME(load)(taps + (ky * kernel + kx) * n + c, n - c);
#pragma GCC unroll 8
						for (int i = 0; i < ACROSS; i++) acc[i] += tap * row[kx + i];
					}
				}
				for (int i = 0; i < places; i++) NAME(store)(out + (y * side + from + i) * n + c, acc[i], n - c);
			}
	}
}

TARGET static void NAME(depthwise)(
	float *out, const float *x, const float *taps, const float *bias, float *scratch, long side, long n, long kernel) {
	if (kernel == 7)
		NAME(convolve)(out, x, taps, bias, scratch, side, n, 7);
	else
		NAME(convolve)(out, x, taps, bias, scratch, side, n, kernel);
}

// depthwise_taps adds the derivative by the taps, given that by the output.
TARGET static void NAME(depthwise_taps)(
	float *taps, const float *x, const float *dy, float *scratch, long side, long n, long kernel) {
	long half = kernel / 2, wide = side + 2 * half;
	V *padded = (V *)scratch;
	for (long i = 0; i < wide * wide; i++) padded[i] = (V){0};
	for (long c = 0; c < n; c += W) {
		NAME(frame)(padded, x + c, side, n, half, n - c);
		for (long ky = 0; ky < kernel; ky++)
			for (long kx = 0; kx < kernel; kx += ACROSS) {
				long places = kernel - kx < ACROSS ? kernel - kx : ACROSS;
				V acc[ACROSS];
#pragma GCC unroll 8
				for (int i = 0; i < ACROSS; i++) acc[i] = (V){0};
				for (long y = 0; y < side; y++) {
					if (y + ky < half || y + ky >= side + half) continue;
					const V *row = padded + (y + ky) * wide + kx;
					for (long col = 0; col < side; col++) {
						V d = NAME(load)(dy + (y * side + col) * n + c, n - c);
#pragma GCC unroll 8
						for (int i = 0; i < ACROSS; i++) acc[i] += d * row[col + i];
					}
				}
				for (int i = 0; i < places; i++) {
					float *to = taps + (ky * kernel + kx + i) * n + c;
					NAME(store)(to, NAME(load)(to, n - c) + acc[i], n - c);
				}
			}
	}
}

// cut makes rows of the patches of a picture [size, size, 3].
TARGET static void NAME(cut)(float *rows, const uint8_t *picture, long size, long patch, float mean, float scale) {
	long line = 3 * patch;
	for (long y = 0; y < size / patch; y++)
		for (long x = 0; x < size / patch; x++)
			for (long r = 0; r < patch; r++, rows += line) {
				const uint8_t *from = picture + ((y * patch + r) * size + x * patch) * 3;
				for (long i = 0; i < line; i++) rows[i] = (from[i] - mean) * scale;
			}
}

// adam is one step of AdamW; teacher follows the weights, where there is one.
TARGET static void NAME(adam)(
	float *w, float *first, float *second, float *teacher, const float *gradient, const float *mask, long n, struct adam o) {
	for (long i = 0; i < n; i += W) {
		V d = NAME(load)(gradient + i, n - i), x = NAME(load)(w + i, n - i);
		V m = NAME(load)(first + i, n - i) * o.beta1 + d * (1 - o.beta1);
		V v = NAME(load)(second + i, n - i) * o.beta2 + d * d * (1 - o.beta2);
		V at = v / o.correction2, root;
		for (int k = 0; k < W; k++) root[k] = sqrtf(at[k]);
		V step = m / o.correction1 / (root + o.epsilon) + NAME(load)(mask + i, n - i) * x * o.decay;
		x -= step * o.rate;
		NAME(store)(w + i, x, n - i);
		NAME(store)(first + i, m, n - i);
		NAME(store)(second + i, v, n - i);
		if (teacher) NAME(store)(teacher + i, NAME(load)(teacher + i, n - i) * o.ema + x * (1 - o.ema), n - i);
	}
}

static const struct kernels NAME(kernels) = {
	NR, W, NAME(pack), NAME(multiply), NAME(gelu), NAME(gelu_back), NAME(norm), NAME(norm_back), NAME(add_to_rows), NAME(add_rows),
	NAME(depthwise), NAME(depthwise_taps), NAME(cut), NAME(adam),
};

#undef V
#undef I
#undef NR
#undef ACROSS
#undef NAME
#undef TARGET
#undef W
#undef MR
#undef NV
