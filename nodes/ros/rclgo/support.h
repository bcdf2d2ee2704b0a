// What rosidl generates for a type, found by its name, and what rcl does for the endpoints that rclgo has made: waiting for
// them, and taking and sending payloads. Payloads are CDR with the encapsulation header.
#ifndef STRIPSWM_SUPPORT_H
#define STRIPSWM_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message_support {
	const void *type; // rosidl_message_type_support_t
	void *(*create)(void);
	void (*destroy)(void *);
};

// They return NULL, or what is missing; the text lives until the next call in this thread.
const char *load_message(const char *pkg, const char *folder, const char *name, struct message_support *out);
const char *load_service(const char *pkg, const char *folder, const char *name, const void **out);

// The functions from here on return 0 or rcl's code; failure says what the last one of this thread was.
const char *failure(void);

// What can be waited for. A handle is rcl_subscription_t and so on, an event is an incompatible quality of service.
enum kind { SUBSCRIPTION, SERVICE, CLIENT, EVENT };

struct waitable {
	enum kind kind;
	const void *handle;
	bool ready;
};

struct waiter;
int waiter_new(void *rcl_context, struct waiter **out);
void waiter_free(struct waiter *);
int waiter_wake(struct waiter *);
int waiter_wait(struct waiter *, struct waitable *list, size_t count); // until one is ready, or it is woken

// An inbox holds what was taken last; its memory serves again.
struct inbox;
struct inbox *inbox_new(void);
void inbox_free(struct inbox *);

struct taken {
	const void *payload;
	size_t size;
	int64_t sent_ns;
	uint64_t writer[2]; // who sent a request, as rmw_request_id_t has it
	int64_t sequence;   // of a request, a reply or a message, whose rmw may have none: 0
};

// They return 0 and a payload, a negative number if there is none, or rcl's code.
int take_message(const void *subscription, struct inbox *, struct taken *out);
int take_request(const void *service, const struct message_support *, struct inbox *, struct taken *out);
int take_reply(const void *client, const struct message_support *, struct inbox *, struct taken *out);

int send_message(const void *publisher, const void *payload, size_t size);
int send_request(const void *client, const struct message_support *, const void *payload, size_t size, int64_t *sequence);
int send_reply(const void *service, const struct message_support *, const uint64_t writer[2], int64_t sequence, const void *payload, size_t size);
int server_available(const void *node, const void *client, bool *out);

// An event of a publisher or of a subscription; NULL if the rmw has none. take_policy names the policy that did not fit.
void *event_new(const void *endpoint, bool publisher);
void event_free(void *event);
const char *take_policy(const void *event);

#endif
