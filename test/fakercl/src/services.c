#include "fake.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

// Between the encapsulation and the fields stand the client's identity and the number of the request.
enum { encapsulation = 4, header = 16 };

// patience is how often, a millisecond apart, a reply looks for the client's side for replies.
enum { patience = 2000 };

static rcl_ret_t call_open(struct call **out, const rcl_node_t *n, const char *type, const char *name, const rmw_qos_profile_t *q, bool server)
{
	static unsigned int last; // with the process, it makes ids of their own
	char request[512], reply[512], request_type[512], reply_type[512], user[128];
	snprintf(request, sizeof request, "rq%sRequest", name);
	snprintf(reply, sizeof reply, "rr%sReply", name);
	snprintf(request_type, sizeof request_type, "%.*sRequest_", (int)strlen(type), type);
	snprintf(reply_type, sizeof reply_type, "%.*sResponse_", (int)strlen(type), type);
	unsigned int id = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	snprintf(user, sizeof user, "%s=%08x.%08x;", server ? "serviceid" : "clientid", (unsigned int)getpid(), id);
	struct endpoint_qos qos = endpoint_qos_of(q, user);
	struct call *c = calloc(1, sizeof *c);
	if (c == NULL)
		return RCL_RET_BAD_ALLOC;
	dds_entity_t p = n->impl->context->participant;
	int rc = server ? endpoint_writer(p, reply, reply_type, &qos, &c->replies) : endpoint_reader(p, reply, reply_type, &qos, &c->replies);
	if (rc == 0) {
		rc = server ? endpoint_reader(p, request, request_type, &qos, &c->requests) : endpoint_writer(p, request, request_type, &qos, &c->requests);
		if (rc < 0)
			endpoint_close(&c->replies);
	}
	if (rc < 0) {
		free(c);
		return fail(RCL_RET_ERROR, name, rc);
	}
	dds_get_instance_handle(c->requests.entity, &c->client);
	*out = c;
	return RCL_RET_OK;
}

static rcl_ret_t call_close(struct call **c)
{
	endpoint_close(&(*c)->requests);
	endpoint_close(&(*c)->replies);
	free(*c);
	*c = NULL;
	return RCL_RET_OK;
}

static rcl_ret_t call_write(const struct endpoint *e, const struct fake_message *m, uint64_t client, int64_t sequence)
{
	if (m->size < encapsulation)
		return fail(RCL_RET_ERROR, "a message without payload", DDS_RETCODE_BAD_PARAMETER);
	uint8_t *b = malloc(m->size + header);
	if (b == NULL)
		return RCL_RET_BAD_ALLOC;
	memcpy(b, m->bytes, encapsulation);
	memcpy(b + encapsulation, &client, 8);
	memcpy(b + encapsulation + 8, &sequence, 8);
	memcpy(b + encapsulation + header, m->bytes + encapsulation, m->size - encapsulation);
	int rc = endpoint_write(e, b, m->size + header);
	free(b);
	return rc < 0 ? fail(RCL_RET_ERROR, "send", rc) : RCL_RET_OK;
}

// call_take gives a message without its header, which goes to info; false if there is none.
static bool call_take(const struct endpoint *e, rmw_service_info_t *info, uint64_t *client, struct fake_message *out)
{
	struct sample s;
	if (endpoint_take(e->entity, &s) <= 0)
		return false;
	uint8_t *b = payload_bytes(s.payload);
	bool whole = s.payload->size >= encapsulation + header;
	if (whole) {
		memcpy(client, b + encapsulation, 8);
		memcpy(&info->request_id.sequence_number, b + encapsulation + 8, 8);
		memcpy(info->request_id.writer_guid, client, 8);
		memcpy(info->request_id.writer_guid + 8, &s.writer, 8);
		info->source_timestamp = s.source_ns;
		memmove(b + header, b, encapsulation);
		rmw_serialized_message_t bytes = {b + header, s.payload->size - header, 0, {NULL}};
		whole = rmw_deserialize(&bytes, NULL, out) == RMW_RET_OK;
	}
	sample_free(&s);
	return whole;
}

rcl_service_t rcl_get_zero_initialized_service(void) { return (rcl_service_t){NULL}; }
rcl_ret_t rcl_service_fini(rcl_service_t *s, rcl_node_t *n) { (void)n; return call_close(&s->impl); }

rcl_ret_t rcl_service_init(rcl_service_t *s, const rcl_node_t *n, const rosidl_service_type_support_t *t, const char *name, const rcl_service_options_t *o)
{
	return call_open(&s->impl, n, t->name, name, &o->qos, true);
}

rcl_ret_t rcl_take_request_with_info(const rcl_service_t *s, rmw_service_info_t *info, void *message)
{
	uint64_t client;
	return call_take(&s->impl->requests, info, &client, message) ? RCL_RET_OK : RCL_RET_SERVICE_TAKE_FAILED;
}

// listens tells whether the client whose request writer that is has its side for replies matched.
static bool listens(const struct call *c, dds_instance_handle_t writer)
{
	char client[256], other[256];
	dds_instance_handle_t readers[64];
	if (writer_user_data(c->requests.entity, writer, client, sizeof client) < 0)
		return true; // it has gone: there is nothing to wait for
	int n = dds_get_matched_subscriptions(c->replies.entity, readers, 64);
	for (int i = 0; i < n && i < 64; i++)
		if (reader_user_data(c->replies.entity, readers[i], other, sizeof other) == 0 && strcmp(client, other) == 0)
			return true;
	return false;
}

rcl_ret_t rcl_send_response(const rcl_service_t *s, rmw_request_id_t *id, void *message)
{
	uint64_t client;
	dds_instance_handle_t writer;
	memcpy(&client, id->writer_guid, 8);
	memcpy(&writer, id->writer_guid + 8, 8);
	for (int i = 0; i < patience && !listens(s->impl, writer); i++)
		nanosleep(&(struct timespec){0, 1000000}, NULL);
	return call_write(&s->impl->replies, message, client, id->sequence_number);
}

rcl_client_t rcl_get_zero_initialized_client(void) { return (rcl_client_t){NULL}; }
rcl_ret_t rcl_client_fini(rcl_client_t *c, rcl_node_t *n) { (void)n; return call_close(&c->impl); }

rcl_ret_t rcl_client_init(rcl_client_t *c, const rcl_node_t *n, const rosidl_service_type_support_t *t, const char *name, const rcl_client_options_t *o)
{
	return call_open(&c->impl, n, t->name, name, &o->qos, false);
}

rcl_ret_t rcl_send_request(const rcl_client_t *c, const void *message, int64_t *sequence)
{
	*sequence = __atomic_add_fetch(&c->impl->sequence, 1, __ATOMIC_RELAXED);
	return call_write(&c->impl->requests, message, c->impl->client, *sequence);
}

rcl_ret_t rcl_take_response_with_info(const rcl_client_t *c, rmw_service_info_t *info, void *message)
{
	uint64_t client;
	return call_take(&c->impl->replies, info, &client, message) && client == c->impl->client ? RCL_RET_OK : RCL_RET_CLIENT_TAKE_FAILED;
}

rcl_ret_t rcl_service_server_is_available(const rcl_node_t *n, const rcl_client_t *c, bool *out)
{
	(void)n;
	*out = dds_get_matched_subscriptions(c->impl->requests.entity, NULL, 0) > 0 && dds_get_matched_publications(c->impl->replies.entity, NULL, 0) > 0;
	return RCL_RET_OK;
}
