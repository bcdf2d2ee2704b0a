// What the files of the fake share: handles of rcl are DDS entities, made by the endpoints of nodes/ros/dds.
#ifndef FAKERCL_FAKE_H
#define FAKERCL_FAKE_H

#include <pthread.h>

#include "endpoint.h"
#include "rcl.h"
#include "types.h"

struct peer {
	struct peer *next;
	unsigned char participant[16];
	size_t count;
	char (*names)[2][256]; // namespace and name of each node
};

struct context {
	dds_entity_t participant;
	pthread_mutex_t lock;
	struct node *nodes;
	struct endpoint announce, hear; // ros_discovery_info
	struct peer *peers;
};

struct node {
	struct node *next;
	struct context *context;
	char name[256], space[256], full[512];
};

// A port is a publisher or a subscription.
struct port {
	struct endpoint e;
};

// A call is the request and the reply side of a service or a client.
struct call {
	struct endpoint requests, replies;
	uint64_t client; // how a client names itself in headers
	int64_t sequence;
};

int graph_open(struct context *);
void graph_publish(struct context *); // under the lock
void graph_close(struct context *);

struct endpoint_qos endpoint_qos_of(const rmw_qos_profile_t *, const char *user_data);

// fail notes what rcutils_get_error_string says, and returns the code.
rcl_ret_t fail(rcl_ret_t code, const char *what, int dds);

#endif
