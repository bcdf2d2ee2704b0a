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
	dds_entity_t topic;
	dds_entity_t entity;    // the writer or reader
	dds_entity_t condition; // a reader's: there are samples to take
	const struct ddsi_sertype *type;
};

// endpoint_writer and endpoint_reader return 0, or a negative DDS return code and leave nothing behind.
int endpoint_writer(dds_entity_t participant, const char *topic, const char *type, const struct endpoint_qos *q, struct endpoint *out);
int endpoint_reader(dds_entity_t participant, const char *topic, const char *type, const struct endpoint_qos *q, struct endpoint *out);
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

// The policy (by its number in the DDS specification) that kept an endpoint of the other side from matching since the
// last call, or 0.
uint32_t offered_mismatch(dds_entity_t writer);
uint32_t requested_mismatch(dds_entity_t reader);

// These copy the user data of a matched endpoint of the other side into buf, closed with 0.
// It returns 0, or a negative DDS return code, if there is no such endpoint any more.
int writer_user_data(dds_entity_t reader, dds_instance_handle_t writer, char *buf, size_t size);
int reader_user_data(dds_entity_t writer, dds_instance_handle_t reader, char *buf, size_t size);

// These give the GUIDs of a matched endpoint of the other side and of its participant, or return as above.
int writer_guids(dds_entity_t reader, dds_instance_handle_t writer, dds_guid_t *endpoint, dds_guid_t *participant);
int reader_guids(dds_entity_t writer, dds_instance_handle_t reader, dds_guid_t *endpoint, dds_guid_t *participant);

#endif
