#include "endpoint.h"

#include <stdlib.h>
#include <string.h>

// A reliable writer that keeps all waits this long for readers to make room before a write fails.
static const dds_duration_t max_blocking = DDS_MSECS(1000);

static dds_qos_t *qos_new(const struct endpoint_qos *q, bool writer)
{
	dds_qos_t *d = dds_create_qos();
	if (d == NULL)
		return NULL;
	dds_history_kind_t history = q->depth < 0 ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST;
	int32_t depth = q->depth < 0 ? DDS_LENGTH_UNLIMITED : q->depth;
	dds_qset_reliability(d, q->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, max_blocking);
	dds_qset_durability(d, q->transient_local ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
	dds_qset_history(d, history, depth);
	if (q->user_data != NULL)
		dds_qset_userdata(d, q->user_data, strlen(q->user_data));
	if (!writer)
		return d;
	dds_qset_writer_data_lifecycle(d, false);
	if (q->transient_local)
		dds_qset_durability_service(d, 0, history, depth, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
	if (q->lifespan > 0)
		dds_qset_lifespan(d, q->lifespan);
	return d;
}

static int topic_new(dds_entity_t participant, const char *topic, const char *type, struct endpoint *out)
{
	struct ddsi_sertype *t = cdr_type_new(type);
	if (t == NULL)
		return DDS_RETCODE_OUT_OF_RESOURCES;
	out->topic = dds_create_topic_sertype(participant, topic, &t, NULL, NULL, NULL);
	if (out->topic < 0) {
		ddsi_sertype_unref(t);
		return out->topic;
	}
	out->type = t; // the topic keeps it
	return 0;
}

int endpoint_open(dds_entity_t participant, const char *topic, const char *type, const struct endpoint_qos *q, bool writer, struct endpoint *out)
{
	memset(out, 0, sizeof *out);
	out->writer = writer;
	int rc = topic_new(participant, topic, type, out);
	if (rc < 0)
		return rc;
	dds_qos_t *d = qos_new(q, writer);
	if (d == NULL) {
		dds_delete(out->topic);
		return DDS_RETCODE_OUT_OF_RESOURCES;
	}
	out->entity = writer ? dds_create_writer(participant, out->topic, d, NULL) : dds_create_reader(participant, out->topic, d, NULL);
	dds_delete_qos(d);
	if (out->entity < 0) {
		dds_delete(out->topic);
		return out->entity;
	}
	dds_set_status_mask(out->entity, writer ? DDS_OFFERED_INCOMPATIBLE_QOS_STATUS : DDS_REQUESTED_INCOMPATIBLE_QOS_STATUS);
	if (writer)
		return 0;
	out->condition = dds_create_readcondition(out->entity, DDS_ANY_STATE);
	if (out->condition >= 0)
		return 0;
	endpoint_close(out);
	return out->condition;
}

void endpoint_close(struct endpoint *e)
{
	dds_delete(e->entity);
	dds_delete(e->topic);
}

int endpoint_write(const struct endpoint *e, const void *bytes, size_t size, const struct sample_identity *related)
{
	struct cdr_payload *p = cdr_payload_new(e->type, SDK_DATA, bytes, size);
	if (p == NULL)
		return DDS_RETCODE_OUT_OF_RESOURCES;
	if (related != NULL)
		p->related = *related;
	return dds_writecdr(e->entity, &p->c); // which frees it, whatever comes of it
}

int endpoint_take(dds_entity_t reader, struct sample *out)
{
	for (;;) {
		struct ddsi_serdata *d = NULL;
		dds_sample_info_t info;
		int n = dds_takecdr(reader, &d, 1, &info, DDS_ANY_STATE);
		if (n <= 0)
			return n;
		if (!info.valid_data) { // a writer has gone
			ddsi_serdata_unref(d);
			continue;
		}
		out->payload = (struct cdr_payload *)d;
		out->source_ns = info.source_timestamp;
		out->writer = info.publication_handle;
		return 1;
	}
}

void *payload_bytes(struct cdr_payload *p) { return p->data; }

uint32_t endpoint_mismatch(const struct endpoint *e)
{
	dds_offered_incompatible_qos_status_t offered;
	dds_requested_incompatible_qos_status_t requested;
	if (e->writer)
		return dds_get_offered_incompatible_qos_status(e->entity, &offered) < 0 || offered.total_count_change == 0 ? 0 : offered.last_policy_id;
	return dds_get_requested_incompatible_qos_status(e->entity, &requested) < 0 || requested.total_count_change == 0 ? 0 : requested.last_policy_id;
}

void sample_free(struct sample *s) { ddsi_serdata_unref(&s->payload->c); }

int endpoint_matched(const struct endpoint *e, dds_instance_handle_t *matched, size_t room)
{
	return e->writer ? dds_get_matched_subscriptions(e->entity, matched, room) : dds_get_matched_publications(e->entity, matched, room);
}

int endpoint_match(const struct endpoint *e, dds_instance_handle_t matched, struct match *out)
{
	dds_builtintopic_endpoint_t *other = e->writer ? dds_get_matched_subscription_data(e->entity, matched) : dds_get_matched_publication_data(e->entity, matched);
	if (other == NULL)
		return DDS_RETCODE_BAD_PARAMETER;
	out->endpoint = other->key;
	out->participant = other->participant_key;
	void *data = NULL;
	size_t n = 0;
	memset(out->user_data, 0, sizeof out->user_data);
	if (dds_qget_userdata(other->qos, &data, &n) && data != NULL) {
		memcpy(out->user_data, data, n < sizeof out->user_data - 1 ? n : sizeof out->user_data - 1);
		dds_free(data);
	}
	dds_builtintopic_free_endpoint(other);
	return 0;
}
