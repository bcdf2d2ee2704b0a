//go:build rclgo

#include "support.h"

#include <stdlib.h>
#include <rcl/event.h>
#include <rcl/rcl.h>
#include <rcutils/error_handling.h>
#include <rmw/events_statuses/incompatible_qos.h>
#include <rmw/qos_policy_kind.h>

void *event_new(const void *endpoint, bool publisher)
{
	rcl_event_t *e = malloc(sizeof *e);
	if (e == NULL)
		return NULL;
	*e = rcl_get_zero_initialized_event();
	rcl_ret_t rc = publisher ? rcl_publisher_event_init(e, endpoint, RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS)
	                         : rcl_subscription_event_init(e, endpoint, RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS);
	if (rc == RCL_RET_OK)
		return e;
	rcutils_reset_error();
	free(e);
	return NULL;
}

void event_free(void *event)
{
	(void)rcl_event_fini(event);
	free(event);
}

const char *take_policy(const void *event)
{
	rmw_qos_incompatible_event_status_t s = {0};
	if (rcl_take_event(event, &s) != RCL_RET_OK) {
		rcutils_reset_error();
		return NULL;
	}
	if (s.total_count_change == 0)
		return NULL;
	switch ((int)s.last_policy_kind) {
	case RMW_QOS_POLICY_DURABILITY: return "durability";
	case RMW_QOS_POLICY_DEADLINE: return "deadline";
	case RMW_QOS_POLICY_LIVELINESS: return "liveliness";
	case RMW_QOS_POLICY_RELIABILITY: return "reliability";
	case RMW_QOS_POLICY_HISTORY: return "history";
	}
	return "a policy that the rmw does not name";
}
