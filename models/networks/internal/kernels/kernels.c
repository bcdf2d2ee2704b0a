#include "kernels.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#ifdef __x86_64__

#define NAME(x) avx512_##x
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512")))
#define W 16
#define MR 8
#define NV 2
#include "body.h"

#define NAME(x) avx2_##x
#define TARGET __attribute__((target("avx2,fma")))
#define W 8
#define MR 6
#define NV 2
#include "body.h"

#endif

#define NAME(x) any_##x
#define TARGET
#define W 4
#define MR 4
#define NV 2
#include "body.h"

const struct kernels *set(int i) {
#ifdef __x86_64__
	if (i == 0)
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") ? &avx512_kernels : NULL;
	if (i == 1)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &avx2_kernels : NULL;
#endif
	return i == 2 ? &any_kernels : NULL;
}
