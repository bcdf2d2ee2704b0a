#include "fake.h"

#include <stdio.h>

static const rcutils_error_string_t unset = {"error not set"};
static _Thread_local rcutils_error_string_t error = {"error not set"};

rcl_ret_t fail(rcl_ret_t code, const char *what, int dds)
{
	snprintf(error.str, sizeof error.str, "%s: %s", what, dds_strretcode(dds));
	return code;
}

rcutils_error_string_t rcutils_get_error_string(void) { return error; }
void rcutils_reset_error(void) { error = unset; }

rcutils_allocator_t rcutils_get_default_allocator(void) { return (rcutils_allocator_t){NULL}; }
rcl_allocator_t rcl_get_default_allocator(void) { return rcutils_get_default_allocator(); }

rcutils_string_array_t rcutils_get_zero_initialized_string_array(void) { return (rcutils_string_array_t){0, NULL}; }

rcutils_ret_t rcutils_string_array_fini(rcutils_string_array_t *a)
{
	for (size_t i = 0; i < a->size; i++)
		free(a->data[i]);
	free(a->data);
	*a = rcutils_get_zero_initialized_string_array();
	return RCL_RET_OK;
}

rcutils_string_map_t rcutils_get_zero_initialized_string_map(void) { return (rcutils_string_map_t){NULL}; }
rcutils_ret_t rcutils_string_map_init(rcutils_string_map_t *m, size_t size, rcutils_allocator_t a) { (void)m, (void)size, (void)a; return RCL_RET_UNSUPPORTED; }
rcutils_ret_t rcutils_string_map_set(rcutils_string_map_t *m, const char *k, const char *v) { (void)m, (void)k, (void)v; return RCL_RET_UNSUPPORTED; }
rcutils_ret_t rcutils_string_map_fini(rcutils_string_map_t *m) { (void)m; return RCL_RET_OK; }

rcutils_ret_t rcutils_uint8_array_init(rcutils_uint8_array_t *a, size_t size, const rcutils_allocator_t *allocator)
{
	*a = (rcutils_uint8_array_t){NULL, 0, 0, *allocator};
	return rcutils_uint8_array_resize(a, size) == RCL_RET_OK ? a->buffer_length = 0, RCL_RET_OK : RCL_RET_BAD_ALLOC;
}

rcutils_ret_t rcutils_uint8_array_resize(rcutils_uint8_array_t *a, size_t size)
{
	if (size > a->buffer_capacity) {
		uint8_t *buffer = realloc(a->buffer, size);
		if (buffer == NULL)
			return RCL_RET_BAD_ALLOC;
		a->buffer = buffer;
		a->buffer_capacity = size;
	}
	a->buffer_length = size;
	return RCL_RET_OK;
}

rcutils_ret_t rcutils_uint8_array_fini(rcutils_uint8_array_t *a)
{
	free(a->buffer);
	*a = (rcutils_uint8_array_t){NULL, 0, 0, a->allocator};
	return RCL_RET_OK;
}

void rcutils_log(const rcutils_log_location_t *where, int severity, const char *name, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	rcl_logging_multiple_output_handler(where, severity, name, 0, format, &args);
	va_end(args);
}

void rcl_logging_multiple_output_handler(const rcutils_log_location_t *where, int severity, const char *name, rcutils_time_point_value_t stamp, const char *format, va_list *args)
{
	(void)where, (void)stamp;
	fprintf(stderr, "[%d] [%s]: ", severity, name);
	vfprintf(stderr, format, *args);
	fputc('\n', stderr);
}

int rcutils_logging_get_logger_level(const char *name) { (void)name; return 20; }
int rcutils_logging_get_logger_effective_level(const char *name) { (void)name; return 20; }
rcutils_ret_t rcutils_logging_set_logger_level(const char *name, int level) { (void)name, (void)level; return RCL_RET_UNSUPPORTED; }
bool rcutils_logging_logger_is_enabled_for(const char *name, int level) { (void)name; return level >= 20; }

rcl_ret_t rcl_logging_configure_with_output_handler(const rcl_arguments_t *a, const rcl_allocator_t *b, rcutils_logging_output_handler_t f)
{
	(void)a, (void)b, (void)f;
	return RCL_RET_OK;
}
