//go:build rclgo

#include "support.h"

#include <stdlib.h>
#include <rcl/event.h>
#include <rcl/rcl.h>
#include <rcl/wait.h>
#include <rcutils/error_handling.h>

const char *failure(void)
{
	static _Thread_local rcutils_error_string_t text;
	text = rcutils_get_error_string();
	rcutils_reset_error();
	return text.str;
}

struct waiter {
	rcl_wait_set_t set;
	rcl_guard_condition_t wake;
};

int waiter_new(void *context, struct waiter **out)
{
	struct waiter *w = calloc(1, sizeof *w);
	if (w == NULL)
		return RCL_RET_BAD_ALLOC;
	w->set = rcl_get_zero_initialized_wait_set();
	w->wake = rcl_get_zero_initialized_guard_condition();
	rcl_ret_t rc = rcl_guard_condition_init(&w->wake, context, rcl_guard_condition_get_default_options());
	if (rc == RCL_RET_OK) {
		rc = rcl_wait_set_init(&w->set, 0, 1, 0, 0, 0, 0, context, rcl_get_default_allocator());
		if (rc != RCL_RET_OK)
			(void)rcl_guard_condition_fini(&w->wake);
	}
	if (rc != RCL_RET_OK) {
		free(w);
		return rc;
	}
	*out = w;
	return 0;
}

void waiter_free(struct waiter *w)
{
	(void)rcl_wait_set_fini(&w->set);
	(void)rcl_guard_condition_fini(&w->wake);
	free(w);
}

int waiter_wake(struct waiter *w) { return rcl_trigger_guard_condition(&w->wake); }

static rcl_ret_t add(rcl_wait_set_t *s, const struct waitable *e)
{
	switch (e->kind) {
	case SUBSCRIPTION: return rcl_wait_set_add_subscription(s, e->handle, NULL);
	case SERVICE: return rcl_wait_set_add_service(s, e->handle, NULL);
	case CLIENT: return rcl_wait_set_add_client(s, e->handle, NULL);
	case EVENT: return rcl_wait_set_add_event(s, e->handle, NULL);
	}
	return RCL_RET_INVALID_ARGUMENT;
}

// fill puts everything into the set, those of a kind in the list's order.
static rcl_ret_t fill(struct waiter *w, const struct waitable *list, size_t count)
{
	size_t n[EVENT + 1] = {0};
	for (size_t i = 0; i < count; i++)
		n[list[i].kind]++;
	rcl_ret_t rc = rcl_wait_set_clear(&w->set);
	if (rc == RCL_RET_OK)
		rc = rcl_wait_set_resize(&w->set, n[SUBSCRIPTION], 1, 0, n[CLIENT], n[SERVICE], n[EVENT]);
	if (rc == RCL_RET_OK)
		rc = rcl_wait_set_add_guard_condition(&w->set, &w->wake, NULL);
	for (size_t i = 0; i < count && rc == RCL_RET_OK; i++)
		rc = add(&w->set, &list[i]);
	return rc;
}

int waiter_wait(struct waiter *w, struct waitable *list, size_t count)
{
	rcl_ret_t rc = fill(w, list, count);
	if (rc == RCL_RET_OK)
		rc = rcl_wait(&w->set, -1);
	if (rc != RCL_RET_OK)
		return rc;
	size_t n[EVENT + 1] = {0};
	for (size_t i = 0; i < count; i++) { // what is not ready was made NULL
		size_t at = n[list[i].kind]++;
		switch (list[i].kind) {
		case SUBSCRIPTION: list[i].ready = w->set.subscriptions[at] != NULL; break;
		case SERVICE: list[i].ready = w->set.services[at] != NULL; break;
		case CLIENT: list[i].ready = w->set.clients[at] != NULL; break;
		case EVENT: list[i].ready = w->set.events[at] != NULL; break;
		}
	}
	return 0;
}
