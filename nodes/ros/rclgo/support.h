// What rosidl generates for a message type, found by its name, and the CDR of its C structs.
#ifndef STRIPSWM_SUPPORT_H
#define STRIPSWM_SUPPORT_H

#include <stddef.h>

struct message_support {
	const void *type; // rosidl_message_type_support_t
	void *(*create)(void);
	void (*destroy)(void *);
};

// They return NULL, or what is missing; the text lives until the next call in this thread.
const char *load_message(const char *pkg, const char *folder, const char *name, struct message_support *out);
const char *load_service(const char *pkg, const char *folder, const char *name, const void **out);

void *message_create(const struct message_support *s);
void message_destroy(const struct message_support *s, void *message);

// message_decode fills a C struct from a payload; message_encode returns a new payload, to be freed, or NULL.
int message_decode(const struct message_support *s, const void *payload, size_t size, void *message);
void *message_encode(const struct message_support *s, const void *message, size_t *size);

#endif
