//go:build rclgo

#include "support.h"

#include <dlfcn.h>
#include <stdio.h>

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
