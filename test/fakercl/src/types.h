// Messages and services as rosidl would have generated them: a message is its payload, whatever its fields.
#ifndef FAKERCL_TYPES_H
#define FAKERCL_TYPES_H

#include "rcl.h"

struct fake_message {
	uint8_t *bytes;
	size_t size;
};

#define MESSAGE(pkg, folder, type)                                                                                          \
	const rosidl_message_type_support_t *rosidl_typesupport_c__get_message_type_support_handle__##pkg##__##folder##__##type(void) \
	{                                                                                                                          \
		static const rosidl_message_type_support_t support = {#pkg "::" #folder "::dds_::" #type "_"};                            \
		return &support;                                                                                                          \
	}                                                                                                                          \
	void *pkg##__##folder##__##type##__create(void) { return calloc(1, sizeof(struct fake_message)); }                         \
	void pkg##__##folder##__##type##__destroy(struct fake_message *m) { free(m->bytes); free(m); }

#define SERVICE(pkg, folder, type)                                                                                          \
	const rosidl_service_type_support_t *rosidl_typesupport_c__get_service_type_support_handle__##pkg##__##folder##__##type(void) \
	{                                                                                                                          \
		static const rosidl_service_type_support_t support = {#pkg "::" #folder "::dds_::" #type "_"};                            \
		return &support;                                                                                                          \
	}

#endif
