// Kernels of a training step; body.h says what each does.
#include <stdint.h>

struct adam {
	float rate, correction1, correction2, beta1, beta2, epsilon, decay, ema;
};

struct kernels {
	long panel, width; // columns of a packed panel, floats in a vector
	void (*pack)(float *dst, const float *b, long k, long n, long rs, long cs);
	void (*multiply)(long m, long n, long k, const float *a, long rs, long cs, const float *packed, float *c, long ldc, const float *bias, int add);
	void (*gelu)(float *y, const float *x, long n);
	void (*gelu_back)(float *dy, float *y, const float *x, long n);
	void (*norm)(float *y, float *scale, const float *x, long rows, long n, float epsilon);
	void (*norm_back)(float *dy, const float *y, const float *scale, long rows, long n);
	void (*add_to_rows)(float *x, const float *row, long rows, long n);
	void (*add_rows)(float *sum, const float *x, long rows, long n);
	void (*depthwise)(float *out, const float *x, const float *taps, const float *bias, float *scratch, long side, long n, long kernel);
	void (*depthwise_taps)(float *taps, const float *x, const float *dy, float *scratch, long side, long n, long kernel);
	void (*cut)(float *rows, const uint8_t *picture, long size, long patch, float mean, float scale);
	void (*adam)(float *w, float *first, float *second, float *teacher, const float *gradient, const float *mask, long n, struct adam o);
};

// set returns the kernels of instruction set i, the best first; NULL where this
// processor lacks it, or there is none.
const struct kernels *set(int i);
