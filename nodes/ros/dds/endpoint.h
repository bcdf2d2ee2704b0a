// Writers and readers of CDR payloads, with what Go needs of them in one call each.
#ifndef STRIPSWM_ENDPOINT_H
#define STRIPSWM_ENDPOINT_H

#include "sertype.h"

// Quality of service by DDS's own constants. A negative depth keeps all; lifespan in nanoseconds, 0 for ever.
struct endpoint_qos {
	bool reliable;
	bool transient_local;
	int32_t depth;
	int64_t lifespan;
	const char *user_data;
};

struct endpoint {
	bool writer;
	dds_entity_t topic;
	dds_entity_t entity;    // the writer or reader
	dds_entity_t condition; // a reader's: there are samples to take
	const struct ddsi_sertype *type;
};

// endpoint_open makes a writer or a reader. It returns 0, or a negative DDS return code and leaves nothing behind.
int endpoint_open(dds_entity_t participant, const char *topic, const char *type, const struct endpoint_qos *q, bool writer, struct endpoint *out);
void endpoint_close(struct endpoint *e);

// endpoint_write sends a payload, with an identity if there is one (see identity_send).
int endpoint_write(const struct endpoint *e, const void *payload, size_t size, const struct sample_identity *related);

struct sample {
	struct cdr_payload *payload; // to be given to sample_free
	int64_t source_ns;
	dds_instance_handle_t writer;
};

// endpoint_take returns 1 and a sample, 0 if there is none left, or a negative DDS return code.
int endpoint_take(dds_entity_t reader, struct sample *out);
void sample_free(struct sample *s);

// payload_bytes is where the payload begins.
void *payload_bytes(struct cdr_payload *p);

// endpoint_mismatch is the policy (by its number in the DDS specification) that kept an endpoint of the other side from
// matching since the last call, or 0.
uint32_t endpoint_mismatch(const struct endpoint *e);

// endpoint_matched counts the endpoints of the other side that match, and stores as many as there is room for.
int endpoint_matched(const struct endpoint *e, dds_instance_handle_t *matched, size_t room);

// What is known of a matched endpoint of the other side.
struct match {
	dds_guid_t endpoint, participant;
	char user_data[256]; // closed with 0
};

// endpoint_match returns 0, or a negative DDS return code if there is no such endpoint any more.
int endpoint_match(const struct endpoint *e, dds_instance_handle_t matched, struct match *out);

#endif
