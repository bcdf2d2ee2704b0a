#include "fake.h"

// A wait is a waitset, to which all entities are attached for each turn.
struct wait {
	dds_entity_t participant, set;
};

rcl_guard_condition_t rcl_get_zero_initialized_guard_condition(void) { return (rcl_guard_condition_t){0}; }
rcl_guard_condition_options_t rcl_guard_condition_get_default_options(void) { return (rcl_guard_condition_options_t){0}; }
rcl_ret_t rcl_guard_condition_fini(rcl_guard_condition_t *g) { dds_delete(g->condition); return RCL_RET_OK; }
rcl_ret_t rcl_trigger_guard_condition(rcl_guard_condition_t *g) { return dds_set_guardcondition(g->condition, true) < 0 ? RCL_RET_ERROR : RCL_RET_OK; }

rcl_ret_t rcl_guard_condition_init(rcl_guard_condition_t *g, rcl_context_t *c, rcl_guard_condition_options_t o)
{
	(void)o;
	g->condition = dds_create_guardcondition(c->impl->participant);
	return g->condition < 0 ? fail(RCL_RET_ERROR, "make a guard condition", g->condition) : RCL_RET_OK;
}

rcl_wait_set_t rcl_get_zero_initialized_wait_set(void) { return (rcl_wait_set_t){0}; }
bool rcl_wait_set_is_valid(const rcl_wait_set_t *w) { return w->impl != NULL; }

rcl_ret_t rcl_wait_set_init(rcl_wait_set_t *w, size_t subscriptions, size_t guards, size_t timers, size_t clients, size_t services, size_t events, rcl_context_t *c, rcl_allocator_t a)
{
	(void)a;
	*w = rcl_get_zero_initialized_wait_set();
	if ((w->impl = calloc(1, sizeof *w->impl)) == NULL)
		return RCL_RET_BAD_ALLOC;
	w->impl->participant = c->impl->participant;
	w->impl->set = dds_create_waitset(c->impl->participant);
	return rcl_wait_set_resize(w, subscriptions, guards, timers, clients, services, events);
}

rcl_ret_t rcl_wait_set_resize(rcl_wait_set_t *w, size_t subscriptions, size_t guards, size_t timers, size_t clients, size_t services, size_t events)
{
#define RESIZE(list, n) \
	w->list = realloc(w->list, ((n) + 1) * sizeof *w->list); \
	memset(w->list, 0, ((n) + 1) * sizeof *w->list);         \
	w->size_of_##list = (n)
	RESIZE(subscriptions, subscriptions);
	RESIZE(guard_conditions, guards);
	RESIZE(timers, timers);
	RESIZE(clients, clients);
	RESIZE(services, services);
	RESIZE(events, events);
	return RCL_RET_OK;
}

rcl_ret_t rcl_wait_set_clear(rcl_wait_set_t *w)
{
	return rcl_wait_set_resize(w, w->size_of_subscriptions, w->size_of_guard_conditions, w->size_of_timers, w->size_of_clients, w->size_of_services, w->size_of_events);
}

rcl_ret_t rcl_wait_set_fini(rcl_wait_set_t *w)
{
	if (w->impl != NULL)
		dds_delete(w->impl->set);
	free(w->impl);
	free(w->subscriptions);
	free(w->guard_conditions);
	free(w->timers);
	free(w->clients);
	free(w->services);
	free(w->events);
	*w = rcl_get_zero_initialized_wait_set();
	return RCL_RET_OK;
}

#define ADD(f, list, type)                                             \
	rcl_ret_t f(rcl_wait_set_t *w, const type *entity, size_t *index)     \
	{                                                                     \
		for (size_t i = 0; i < w->size_of_##list; i++)                       \
			if (w->list[i] == NULL) {                                           \
				w->list[i] = entity;                                               \
				if (index != NULL)                                                 \
					*index = i;                                                       \
				return RCL_RET_OK;                                                 \
			}                                                                   \
		return RCL_RET_WAIT_SET_FULL;                                        \
	}
ADD(rcl_wait_set_add_subscription, subscriptions, rcl_subscription_t)
ADD(rcl_wait_set_add_guard_condition, guard_conditions, rcl_guard_condition_t)
ADD(rcl_wait_set_add_timer, timers, rcl_timer_t)
ADD(rcl_wait_set_add_client, clients, rcl_client_t)
ADD(rcl_wait_set_add_service, services, rcl_service_t)
ADD(rcl_wait_set_add_event, events, rcl_event_t)

// rcl_wait leaves in the lists what is ready.
rcl_ret_t rcl_wait(rcl_wait_set_t *w, int64_t timeout)
{
#define EACH(list, condition, action)                                    \
	for (size_t i = 0; i < w->size_of_##list; i++)                          \
		if (w->list[i] != NULL) {                                              \
			dds_entity_t e = condition;                                           \
			action;                                                               \
		}
#define EVERY(action)                                                           \
	EACH(subscriptions, w->subscriptions[i]->impl->e.condition, action(subscriptions))  \
	EACH(clients, w->clients[i]->impl->replies.condition, action(clients))               \
	EACH(services, w->services[i]->impl->requests.condition, action(services))           \
	EACH(events, w->events[i]->impl->e.entity, action(events))                            \
	EACH(guard_conditions, w->guard_conditions[i]->condition, action(guard_conditions))
#define ATTACH(list) dds_waitset_attach(w->impl->set, e, 0)
#define DETACH(list) dds_waitset_detach(w->impl->set, e)
#define SORT(list) if (dds_triggered(e) <= 0) w->list[i] = NULL
	EVERY(ATTACH)
	int n = dds_waitset_wait(w->impl->set, NULL, 0, timeout < 0 ? DDS_INFINITY : timeout);
	EVERY(DETACH)
	EVERY(SORT)
	for (size_t i = 0; i < w->size_of_guard_conditions; i++)
		if (w->guard_conditions[i] != NULL) {
			bool triggered;
			dds_take_guardcondition(w->guard_conditions[i]->condition, &triggered);
		}
	return n < 0 ? fail(RCL_RET_ERROR, "wait", n) : n == 0 ? RCL_RET_TIMEOUT : RCL_RET_OK;
}
