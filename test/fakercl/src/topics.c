#include "fake.h"

#include <stdio.h>

struct endpoint_qos endpoint_qos_of(const rmw_qos_profile_t *q, const char *user_data)
{
	return (struct endpoint_qos){
		.reliable = q->reliability != RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
		.transient_local = q->durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
		.depth = q->history == RMW_QOS_POLICY_HISTORY_KEEP_ALL ? -1 : (int32_t)q->depth,
		.lifespan = (int64_t)(q->lifespan.sec * 1000000000u + q->lifespan.nsec),
		.user_data = user_data,
	};
}

typedef int opener(dds_entity_t, const char *, const char *, const struct endpoint_qos *, struct endpoint *);

static rcl_ret_t port_open(opener *open, struct port **out, const rcl_node_t *n, const char *type, const char *topic, const rmw_qos_profile_t *q)
{
	char name[512];
	snprintf(name, sizeof name, "rt%s", topic);
	struct endpoint_qos qos = endpoint_qos_of(q, NULL);
	struct port *p = calloc(1, sizeof *p);
	if (p == NULL)
		return RCL_RET_BAD_ALLOC;
	int rc = open(n->impl->context->participant, name, type, &qos, &p->e);
	if (rc < 0) {
		free(p);
		return fail(RCL_RET_ERROR, topic, rc);
	}
	*out = p;
	return RCL_RET_OK;
}

static rcl_ret_t port_close(struct port **p)
{
	endpoint_close(&(*p)->e);
	free(*p);
	*p = NULL;
	return RCL_RET_OK;
}

rcl_publisher_t rcl_get_zero_initialized_publisher(void) { return (rcl_publisher_t){NULL}; }
rcl_publisher_options_t rcl_publisher_get_default_options(void) { return (rcl_publisher_options_t){0}; }
rcl_ret_t rcl_publisher_fini(rcl_publisher_t *p, rcl_node_t *n) { (void)n; return port_close(&p->impl); }

rcl_ret_t rcl_publisher_init(rcl_publisher_t *p, const rcl_node_t *n, const rosidl_message_type_support_t *t, const char *topic, const rcl_publisher_options_t *o)
{
	return port_open(endpoint_writer, &p->impl, n, t->name, topic, &o->qos);
}

rcl_ret_t rcl_publish_serialized_message(const rcl_publisher_t *p, const rmw_serialized_message_t *m, void *allocation)
{
	(void)allocation;
	int rc = endpoint_write(&p->impl->e, m->buffer, m->buffer_length);
	return rc < 0 ? fail(RCL_RET_ERROR, "publish", rc) : RCL_RET_OK;
}

rcl_ret_t rcl_publish(const rcl_publisher_t *p, const void *message, void *allocation)
{
	const struct fake_message *m = message;
	rmw_serialized_message_t bytes = {m->bytes, m->size, m->size, {NULL}};
	return rcl_publish_serialized_message(p, &bytes, allocation);
}

rcl_ret_t rcl_publisher_get_subscription_count(const rcl_publisher_t *p, size_t *out)
{
	int n = dds_get_matched_subscriptions(p->impl->e.entity, NULL, 0);
	*out = n > 0 ? (size_t)n : 0;
	return RCL_RET_OK;
}

rcl_subscription_t rcl_get_zero_initialized_subscription(void) { return (rcl_subscription_t){NULL}; }
rcl_subscription_options_t rcl_subscription_get_default_options(void) { return (rcl_subscription_options_t){0}; }
rcl_ret_t rcl_subscription_fini(rcl_subscription_t *s, rcl_node_t *n) { (void)n; return port_close(&s->impl); }

rcl_ret_t rcl_subscription_init(rcl_subscription_t *s, const rcl_node_t *n, const rosidl_message_type_support_t *t, const char *topic, const rcl_subscription_options_t *o)
{
	return port_open(endpoint_reader, &s->impl, n, t->name, topic, &o->qos);
}

rmw_serialized_message_t rmw_get_zero_initialized_serialized_message(void) { return (rmw_serialized_message_t){0}; }
rmw_message_info_t rmw_get_zero_initialized_message_info(void) { return (rmw_message_info_t){0}; }

rcl_ret_t rcl_take_serialized_message(const rcl_subscription_t *s, rmw_serialized_message_t *out, rmw_message_info_t *info, void *allocation)
{
	(void)allocation;
	struct sample sample;
	int rc = endpoint_take(s->impl->e.entity, &sample);
	if (rc <= 0)
		return fail(RCL_RET_SUBSCRIPTION_TAKE_FAILED, "take", rc);
	rcl_ret_t ret = rcutils_uint8_array_resize(out, sample.payload->size);
	if (ret == RCL_RET_OK)
		memcpy(out->buffer, payload_bytes(sample.payload), sample.payload->size);
	info->source_timestamp = sample.source_ns;
	info->received_timestamp = dds_time();
	sample_free(&sample);
	return ret;
}

rcl_ret_t rcl_take(const rcl_subscription_t *s, void *message, rmw_message_info_t *info, void *allocation)
{
	rmw_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
	rcl_ret_t rc = rcl_take_serialized_message(s, &bytes, info, allocation);
	return rc == RCL_RET_OK ? rmw_deserialize(&bytes, NULL, message) : rc;
}

rcl_ret_t rcl_subscription_get_publisher_count(const rcl_subscription_t *s, size_t *out)
{
	int n = dds_get_matched_publications(s->impl->e.entity, NULL, 0);
	*out = n > 0 ? (size_t)n : 0;
	return RCL_RET_OK;
}

rmw_ret_t rmw_serialize(const void *message, const rosidl_message_type_support_t *t, rmw_serialized_message_t *out)
{
	(void)t;
	const struct fake_message *m = message;
	rmw_ret_t rc = rcutils_uint8_array_resize(out, m->size);
	if (rc == RMW_RET_OK && m->size > 0)
		memcpy(out->buffer, m->bytes, m->size);
	return rc;
}

rmw_ret_t rmw_deserialize(const rmw_serialized_message_t *in, const rosidl_message_type_support_t *t, void *message)
{
	(void)t;
	struct fake_message *m = message;
	uint8_t *bytes = malloc(in->buffer_length);
	if (bytes == NULL || in->buffer_length < 4) {
		free(bytes);
		return RMW_RET_ERROR;
	}
	memcpy(bytes, in->buffer, in->buffer_length);
	free(m->bytes);
	m->bytes = bytes;
	m->size = in->buffer_length;
	return RMW_RET_OK;
}
