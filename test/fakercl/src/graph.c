// The nodes of the graph, from ros_discovery_info in Humble's form; which endpoints are theirs is neither said nor heard.

#include "fake.h"

static const struct endpoint_qos latched = {.reliable = true, .transient_local = true, .depth = 1};
static const struct endpoint_qos all = {.reliable = true, .transient_local = true, .depth = -1};

int graph_open(struct context *c)
{
	static const char topic[] = "ros_discovery_info", type[] = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";
	int rc = endpoint_writer(c->participant, topic, type, &latched, &c->announce);
	return rc < 0 ? rc : endpoint_reader(c->participant, topic, type, &all, &c->hear);
}

void graph_close(struct context *c)
{
	for (struct peer *p = c->peers, *next; p != NULL; p = next) {
		next = p->next;
		free(p->names);
		free(p);
	}
	c->peers = NULL;
	endpoint_close(&c->announce);
	endpoint_close(&c->hear);
}

static size_t put_length(unsigned char *b, size_t at, uint32_t n)
{
	at = (at + 3) & ~(size_t)3;
	memcpy(b + at, &n, 4);
	return at + 4;
}

static size_t put_string(unsigned char *b, size_t at, const char *s)
{
	size_t n = strlen(s) + 1;
	at = put_length(b, at, (uint32_t)n);
	memcpy(b + at, s, n);
	return at + n;
}

void graph_publish(struct context *c)
{
	size_t count = 0, at = 4 + 24;
	for (struct node *n = c->nodes; n != NULL; n = n->next)
		count++;
	unsigned char *b = calloc(1, 64 + count * 600);
	if (b == NULL)
		return;
	b[1] = 1; // little endian
	dds_guid_t guid;
	dds_get_guid(c->participant, &guid);
	memcpy(b + 4, &guid, sizeof guid);
	at = put_length(b, at, (uint32_t)count);
	for (struct node *n = c->nodes; n != NULL; n = n->next) {
		at = put_string(b, at, n->space);
		at = put_string(b, at, n->name);
		at = put_length(b, at, 0);
		at = put_length(b, at, 0);
	}
	endpoint_write(&c->announce, b, at);
	free(b);
}

static uint32_t get_length(const unsigned char *b, size_t size, size_t *at)
{
	uint32_t n = 0;
	*at = (*at + 3) & ~(size_t)3;
	if (*at + 4 <= size)
		memcpy(&n, b + *at, 4);
	*at += 4;
	return *at <= size && n <= size - *at ? n : 0;
}

static void get_string(const unsigned char *b, size_t size, size_t *at, char out[256])
{
	uint32_t n = get_length(b, size, at);
	memcpy(out, b + *at, n < 255 ? n : 255);
	*at += n;
}

static struct peer *peer_of(struct context *c, const unsigned char *participant)
{
	for (struct peer *p = c->peers; p != NULL; p = p->next)
		if (memcmp(p->participant, participant, 16) == 0)
			return p;
	struct peer *p = calloc(1, sizeof *p);
	if (p != NULL) {
		memcpy(p->participant, participant, 16);
		p->next = c->peers;
		c->peers = p;
	}
	return p;
}

// hear takes all that was announced since the last time, in Humble's form, which the others fall back to.
static void hear(struct context *c)
{
	struct sample s;
	while (endpoint_take(c->hear.entity, &s) > 0) {
		const unsigned char *b = payload_bytes(s.payload);
		size_t size = s.payload->size, at = 4 + 24;
		struct peer *p = size > at ? peer_of(c, b + 4) : NULL;
		if (p != NULL) {
			free(p->names);
			p->count = get_length(b, size, &at);
			p->names = calloc(p->count + 1, sizeof *p->names);
			for (size_t i = 0; i < p->count; i++) {
				get_string(b, size, &at, p->names[i][0]);
				get_string(b, size, &at, p->names[i][1]);
				for (int lists = 0; lists < 2; lists++) {
					uint32_t gids = get_length(b, size, &at);
					at += 24 * (size_t)gids;
				}
			}
		}
		sample_free(&s);
	}
}

static bool alive(struct context *c, const struct peer *p)
{
	dds_instance_handle_t writers[256];
	int n = dds_get_matched_publications(c->hear.entity, writers, 256);
	for (int i = 0; i < n && i < 256; i++) {
		dds_guid_t guid;
		if (writer_participant(c->hear.entity, writers[i], &guid) == 0 && memcmp(&guid, p->participant, 16) == 0)
			return true;
	}
	return false;
}

rcl_ret_t rcl_get_node_names(const rcl_node_t *node, rcl_allocator_t a, rcutils_string_array_t *names, rcutils_string_array_t *spaces)
{
	(void)a;
	struct context *c = node->impl->context;
	pthread_mutex_lock(&c->lock);
	hear(c);
	size_t count = 0;
	for (struct peer *p = c->peers; p != NULL; p = p->next)
		count += p->count;
	names->data = calloc(count + 1, sizeof(char *));
	spaces->data = calloc(count + 1, sizeof(char *));
	for (struct peer *p = c->peers; p != NULL; p = p->next)
		for (size_t i = 0; i < p->count && alive(c, p); i++) {
			spaces->data[spaces->size++] = strdup(p->names[i][0]);
			names->data[names->size++] = strdup(p->names[i][1]);
		}
	pthread_mutex_unlock(&c->lock);
	return RCL_RET_OK;
}
