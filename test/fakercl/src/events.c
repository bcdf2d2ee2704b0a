#include "fake.h"

rcl_event_t rcl_get_zero_initialized_event(void) { return (rcl_event_t){NULL, false}; }
rcl_ret_t rcl_event_fini(rcl_event_t *e) { e->impl = NULL; return RCL_RET_OK; }

rcl_ret_t rcl_publisher_event_init(rcl_event_t *e, const rcl_publisher_t *p, rcl_publisher_event_type_t t)
{
	(void)t;
	*e = (rcl_event_t){p->impl, true};
	return RCL_RET_OK;
}

rcl_ret_t rcl_subscription_event_init(rcl_event_t *e, const rcl_subscription_t *s, rcl_subscription_event_type_t t)
{
	(void)t;
	*e = (rcl_event_t){s->impl, false};
	return RCL_RET_OK;
}

static int kind(uint32_t policy)
{
	switch (policy) {
	case DDS_DURABILITY_QOS_POLICY_ID: return RMW_QOS_POLICY_DURABILITY;
	case DDS_DEADLINE_QOS_POLICY_ID: return RMW_QOS_POLICY_DEADLINE;
	case DDS_LIVELINESS_QOS_POLICY_ID: return RMW_QOS_POLICY_LIVELINESS;
	case DDS_RELIABILITY_QOS_POLICY_ID: return RMW_QOS_POLICY_RELIABILITY;
	case DDS_HISTORY_QOS_POLICY_ID: return RMW_QOS_POLICY_HISTORY;
	}
	return RMW_QOS_POLICY_INVALID;
}

rcl_ret_t rcl_take_event(const rcl_event_t *e, void *out)
{
	uint32_t policy = e->publisher ? offered_mismatch(e->impl->e.entity) : requested_mismatch(e->impl->e.entity);
	*(rmw_qos_incompatible_event_status_t *)out = (rmw_qos_incompatible_event_status_t){policy != 0, policy != 0, kind(policy)};
	return RCL_RET_OK;
}
