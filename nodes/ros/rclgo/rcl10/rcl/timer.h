// rclgo calls rcl_timer_init, which rcl has no more since version 10 (Kilted): this header, found before rcl's own, supplies it.
#include_next <rcl/timer.h>

#ifndef STRIPSWM_RCL_TIMER_INIT
#define STRIPSWM_RCL_TIMER_INIT

#if !__has_include(<rcl/localhost.h>) // which went with it
static inline rcl_ret_t rcl_timer_init(rcl_timer_t *timer, rcl_clock_t *clock, rcl_context_t *context, int64_t period,
	const rcl_timer_callback_t callback, rcl_allocator_t allocator) {
	return rcl_timer_init2(timer, clock, context, period, callback, allocator, true);
}
#endif
#endif
