//go:build rclgo

#include "support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <rcutils/allocator.h>
#include <rcutils/types/uint8_array.h>
#include <rmw/rmw.h>
#include <rosidl_runtime_c/message_type_support_struct.h>
#include <rosidl_runtime_c/service_type_support_struct.h>

// symbol finds a function in a package's library, which stays loaded: its types are used until the end.
static void *symbol(const char *pkg, const char *library, const char *name)
{
	char file[512];
	snprintf(file, sizeof file, "lib%s__rosidl_%s.so", pkg, library);
	void *lib = dlopen(file, RTLD_LAZY);
	return lib == NULL ? NULL : dlsym(lib, name);
}

static const char *missing(void)
{
	const char *text = dlerror();
	return text != NULL ? text : "symbol not found";
}

const char *load_message(const char *pkg, const char *folder, const char *name, struct message_support *out)
{
	char symbol_name[1024];
	snprintf(symbol_name, sizeof symbol_name, "rosidl_typesupport_c__get_message_type_support_handle__%s__%s__%s", pkg, folder, name);
	const void *(*type)(void) = (const void *(*)(void))symbol(pkg, "typesupport_c", symbol_name);
	if (type == NULL)
		return missing();
	snprintf(symbol_name, sizeof symbol_name, "%s__%s__%s__create", pkg, folder, name);
	out->create = (void *(*)(void))symbol(pkg, "generator_c", symbol_name);
	if (out->create == NULL)
		return missing();
	snprintf(symbol_name, sizeof symbol_name, "%s__%s__%s__destroy", pkg, folder, name);
	out->destroy = (void (*)(void *))symbol(pkg, "generator_c", symbol_name);
	if (out->destroy == NULL)
		return missing();
	out->type = type();
	return NULL;
}

const char *load_service(const char *pkg, const char *folder, const char *name, const void **out)
{
	char symbol_name[1024];
	snprintf(symbol_name, sizeof symbol_name, "rosidl_typesupport_c__get_service_type_support_handle__%s__%s__%s", pkg, folder, name);
	const void *(*type)(void) = (const void *(*)(void))symbol(pkg, "typesupport_c", symbol_name);
	if (type == NULL)
		return missing();
	*out = type();
	return NULL;
}

void *message_create(const struct message_support *s) { return s->create(); }

void message_destroy(const struct message_support *s, void *message) { s->destroy(message); }

int message_decode(const struct message_support *s, const void *payload, size_t size, void *message)
{
	rmw_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
	bytes.buffer = (uint8_t *)payload; // which is only read
	bytes.buffer_length = bytes.buffer_capacity = size;
	bytes.allocator = rcutils_get_default_allocator();
	return rmw_deserialize(&bytes, s->type, message);
}

void *message_encode(const struct message_support *s, const void *message, size_t *size)
{
	rmw_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
	rcutils_allocator_t allocator = rcutils_get_default_allocator();
	if (rmw_serialized_message_init(&bytes, 0, &allocator) != RMW_RET_OK)
		return NULL;
	void *out = NULL;
	if (rmw_serialize(message, s->type, &bytes) == RMW_RET_OK) {
		out = malloc(bytes.buffer_length);
		if (out != NULL)
			memcpy(out, bytes.buffer, *size = bytes.buffer_length);
	}
	if (rmw_serialized_message_fini(&bytes) != RMW_RET_OK) {
		free(out);
		return NULL;
	}
	return out;
}
