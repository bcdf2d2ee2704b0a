//go:build rclgo

#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <rcl/graph.h>
#include <rcl/rcl.h>
#include <rcutils/allocator.h>
#include <rcutils/error_handling.h>
#include <rcutils/types/uint8_array.h>
#include <rmw/rmw.h>

// none is the answer where nothing was there to be taken.
enum { none = -1 };

enum { encapsulation = 4 };

struct inbox {
	rmw_serialized_message_t bytes;
};

struct inbox *inbox_new(void)
{
	struct inbox *in = calloc(1, sizeof *in);
	rcutils_allocator_t allocator = rcutils_get_default_allocator();
	if (in != NULL && rmw_serialized_message_init(&in->bytes, 0, &allocator) != RMW_RET_OK) {
		free(in);
		return NULL;
	}
	return in;
}

void inbox_free(struct inbox *in)
{
	(void)rmw_serialized_message_fini(&in->bytes);
	free(in);
}

static int found(struct inbox *in, int64_t sent, struct taken *out)
{
	out->payload = in->bytes.buffer;
	out->size = in->bytes.buffer_length;
	out->sent_ns = sent;
	return 0;
}

int take_message(const void *subscription, struct inbox *in, struct taken *out)
{
	rmw_message_info_t info = rmw_get_zero_initialized_message_info();
	rcl_ret_t rc = rcl_take_serialized_message(subscription, &in->bytes, &info, NULL);
	if (rc == RCL_RET_SUBSCRIPTION_TAKE_FAILED) {
		rcutils_reset_error();
		return none;
	}
	if (rc != RCL_RET_OK)
		return rc;
	memcpy(&out->writer[0], info.publisher_gid.data, sizeof out->writer);
	uint64_t number = info.publication_sequence_number;
	out->sequence = number == RMW_MESSAGE_INFO_SEQUENCE_NUMBER_UNSUPPORTED ? 0 : (int64_t)number;
	return found(in, info.source_timestamp, out);
}

// filled serializes a message into a buffer that was filled with a byte, which it may have to make
// larger first.
static rmw_ret_t filled(const void *message, const struct message_support *s, uint8_t fill, rmw_serialized_message_t *bytes)
{
	size_t capacity;
	do {
		capacity = bytes->buffer_capacity;
		if (capacity > 0)
			memset(bytes->buffer, fill, capacity);
		rmw_ret_t rc = rmw_serialize(message, s->type, bytes);
		if (rc != RMW_RET_OK)
			return rc;
	} while (bytes->buffer_capacity != capacity);
	return RMW_RET_OK;
}

// encode serializes a message, and sets the length to what was written: rmw_fastrtps gives the size
// that it estimated. What was written ends where a byte differs from one of two fills.
static rcl_ret_t encode(const void *message, const struct message_support *s, rmw_serialized_message_t *bytes)
{
	static const uint8_t fills[] = {0xff, 0}; // the last one stays where a field is aligned
	size_t written = 0;
	for (size_t i = 0; i < sizeof fills; i++) {
		rmw_ret_t rc = filled(message, s, fills[i], bytes);
		if (rc != RMW_RET_OK)
			return rc;
		size_t end = bytes->buffer_length;
		while (end > written && bytes->buffer[end - 1] == fills[i])
			end--;
		written = end;
	}
	bytes->buffer_length = written;
	return RCL_RET_OK;
}

typedef rcl_ret_t take(const void *endpoint, rmw_service_info_t *, void *message);

// take_struct takes what rcl has only as a C struct, and encodes it.
static int take_struct(take *from, const void *endpoint, const struct message_support *s, struct inbox *in, struct taken *out)
{
	void *message = s->create();
	if (message == NULL)
		return RCL_RET_BAD_ALLOC;
	rmw_service_info_t info = {0};
	rcl_ret_t rc = from(endpoint, &info, message);
	if (rc == RCL_RET_OK)
		rc = encode(message, s, &in->bytes);
	s->destroy(message);
	if (rc == RCL_RET_SERVICE_TAKE_FAILED || rc == RCL_RET_CLIENT_TAKE_FAILED) {
		rcutils_reset_error();
		return none;
	}
	memcpy(out->writer, info.request_id.writer_guid, sizeof out->writer);
	out->sequence = info.request_id.sequence_number;
	return rc != RCL_RET_OK ? rc : found(in, info.source_timestamp, out);
}

static rcl_ret_t from_service(const void *e, rmw_service_info_t *info, void *m) { return rcl_take_request_with_info(e, info, m); }
static rcl_ret_t from_client(const void *e, rmw_service_info_t *info, void *m) { return rcl_take_response_with_info(e, info, m); }

int take_request(const void *service, const struct message_support *s, struct inbox *in, struct taken *out)
{
	return take_struct(from_service, service, s, in, out);
}

int take_reply(const void *client, const struct message_support *s, struct inbox *in, struct taken *out)
{
	return take_struct(from_client, client, s, in, out);
}

static rmw_serialized_message_t view(const void *payload, size_t size)
{
	rmw_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
	bytes.buffer = (uint8_t *)payload; // which is only read
	bytes.buffer_length = bytes.buffer_capacity = size;
	bytes.allocator = rcutils_get_default_allocator();
	return bytes;
}

int send_message(const void *publisher, const void *payload, size_t size)
{
	rmw_serialized_message_t bytes = view(payload, size);
	return rcl_publish_serialized_message(publisher, &bytes, NULL);
}

// decode makes a C struct of a payload, or returns NULL.
static void *decode(const struct message_support *s, const void *payload, size_t size)
{
	if (size < encapsulation) { // which rmw_cyclonedds decodes as a message of zeros
		RCUTILS_SET_ERROR_MSG("the payload has no encapsulation header");
		return NULL;
	}
	rmw_serialized_message_t bytes = view(payload, size);
	void *message = s->create();
	if (message != NULL && rmw_deserialize(&bytes, s->type, message) != RMW_RET_OK) {
		s->destroy(message);
		return NULL;
	}
	return message;
}

int send_request(const void *client, const struct message_support *s, const void *payload, size_t size, int64_t *sequence)
{
	void *message = decode(s, payload, size);
	if (message == NULL)
		return RCL_RET_ERROR;
	rcl_ret_t rc = rcl_send_request(client, message, sequence);
	s->destroy(message);
	return rc;
}

int send_reply(const void *service, const struct message_support *s, const uint64_t writer[2], int64_t sequence, const void *payload, size_t size)
{
	rmw_request_id_t id = {.sequence_number = sequence};
	memcpy(id.writer_guid, writer, sizeof id.writer_guid);
	void *message = decode(s, payload, size);
	if (message == NULL)
		return RCL_RET_ERROR;
	rcl_ret_t rc = rcl_send_response(service, &id, message);
	s->destroy(message);
	return rc;
}

int server_available(const void *node, const void *client, bool *out)
{
	return rcl_service_server_is_available(node, client, out);
}
