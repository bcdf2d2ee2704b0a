// The part of ROS 2's C interface that rclgo is compiled against, with the names and the order of arguments of Humble. Every
// header that rclgo includes is this one.
#ifndef FAKERCL_H
#define FAKERCL_H

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codes.h"

// rcutils

typedef int32_t rcutils_ret_t;
typedef rcutils_ret_t rmw_ret_t;
typedef rmw_ret_t rcl_ret_t;

typedef struct { void *state; } rcutils_allocator_t;
typedef rcutils_allocator_t rcl_allocator_t;
rcutils_allocator_t rcutils_get_default_allocator(void);
rcl_allocator_t rcl_get_default_allocator(void);

typedef struct { char str[1024]; } rcutils_error_string_t;
rcutils_error_string_t rcutils_get_error_string(void);
void rcutils_reset_error(void);

typedef struct { size_t size; char **data; } rcutils_string_array_t;
rcutils_string_array_t rcutils_get_zero_initialized_string_array(void);
rcutils_ret_t rcutils_string_array_fini(rcutils_string_array_t *);

typedef struct { void *impl; } rcutils_string_map_t;
rcutils_string_map_t rcutils_get_zero_initialized_string_map(void);
rcutils_ret_t rcutils_string_map_init(rcutils_string_map_t *, size_t, rcutils_allocator_t);
rcutils_ret_t rcutils_string_map_set(rcutils_string_map_t *, const char *, const char *);
rcutils_ret_t rcutils_string_map_fini(rcutils_string_map_t *);

typedef struct {
	uint8_t *buffer;
	size_t buffer_length, buffer_capacity;
	rcutils_allocator_t allocator;
} rcutils_uint8_array_t;
rcutils_ret_t rcutils_uint8_array_init(rcutils_uint8_array_t *, size_t, const rcutils_allocator_t *);
rcutils_ret_t rcutils_uint8_array_resize(rcutils_uint8_array_t *, size_t);
rcutils_ret_t rcutils_uint8_array_fini(rcutils_uint8_array_t *);

typedef int64_t rcutils_time_point_value_t;
typedef rcutils_time_point_value_t rcl_time_point_value_t;
typedef struct { const char *function_name, *file_name; size_t line_number; } rcutils_log_location_t;
typedef void (*rcutils_logging_output_handler_t)(const rcutils_log_location_t *, int, const char *, rcutils_time_point_value_t, const char *, va_list *);
void rcutils_log(const rcutils_log_location_t *, int severity, const char *name, const char *format, ...);
int rcutils_logging_get_logger_level(const char *);
int rcutils_logging_get_logger_effective_level(const char *);
rcutils_ret_t rcutils_logging_set_logger_level(const char *, int);
bool rcutils_logging_logger_is_enabled_for(const char *, int);

// rosidl: what types.h makes for a type is its name.

typedef struct rosidl_message_type_support_t { const char *name; } rosidl_message_type_support_t;
typedef struct rosidl_service_type_support_t { const char *name; } rosidl_service_type_support_t;
typedef struct rosidl_action_type_support_t { const char *name; } rosidl_action_type_support_t;

// rmw

typedef struct { uint64_t sec, nsec; } rmw_time_t;
enum rmw_history { RMW_QOS_POLICY_HISTORY_KEEP_LAST = 1, RMW_QOS_POLICY_HISTORY_KEEP_ALL };
enum rmw_reliability { RMW_QOS_POLICY_RELIABILITY_RELIABLE = 1, RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT };
enum rmw_durability { RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL = 1, RMW_QOS_POLICY_DURABILITY_VOLATILE };
enum rmw_liveliness { RMW_QOS_POLICY_LIVELINESS_AUTOMATIC = 1 };
typedef struct {
	enum rmw_history history;
	size_t depth;
	enum rmw_reliability reliability;
	enum rmw_durability durability;
	rmw_time_t deadline, lifespan;
	enum rmw_liveliness liveliness;
	rmw_time_t liveliness_lease_duration;
	bool avoid_ros_namespace_conventions;
} rmw_qos_profile_t;

typedef rcutils_uint8_array_t rmw_serialized_message_t;
rmw_serialized_message_t rmw_get_zero_initialized_serialized_message(void);
#define rmw_serialized_message_init rcutils_uint8_array_init
#define rmw_serialized_message_fini rcutils_uint8_array_fini
rmw_ret_t rmw_serialize(const void *, const rosidl_message_type_support_t *, rmw_serialized_message_t *);
rmw_ret_t rmw_deserialize(const rmw_serialized_message_t *, const rosidl_message_type_support_t *, void *);

typedef struct { rcutils_time_point_value_t source_timestamp, received_timestamp; bool from_intra_process; } rmw_message_info_t;
rmw_message_info_t rmw_get_zero_initialized_message_info(void);
typedef struct { int8_t writer_guid[16]; int64_t sequence_number; } rmw_request_id_t;
typedef struct { rcutils_time_point_value_t source_timestamp, received_timestamp; rmw_request_id_t request_id; } rmw_service_info_t;

typedef struct { rcutils_string_array_t names, *types; } rmw_names_and_types_t;
typedef rmw_names_and_types_t rcl_names_and_types_t;
typedef struct {
	const char *node_name, *node_namespace, *topic_type;
	int endpoint_type;
	uint8_t endpoint_gid[24];
	rmw_qos_profile_t qos_profile;
} rmw_topic_endpoint_info_t;
typedef struct { size_t size; rmw_topic_endpoint_info_t *info_array; } rmw_topic_endpoint_info_array_t;
rmw_topic_endpoint_info_array_t rmw_get_zero_initialized_topic_endpoint_info_array(void);
rmw_ret_t rmw_topic_endpoint_info_array_fini(rmw_topic_endpoint_info_array_t *, rcutils_allocator_t *);

enum { // rmw/qos_policy_kind.h
	RMW_QOS_POLICY_INVALID = 1 << 0,
	RMW_QOS_POLICY_DURABILITY = 1 << 1,
	RMW_QOS_POLICY_DEADLINE = 1 << 2,
	RMW_QOS_POLICY_LIVELINESS = 1 << 3,
	RMW_QOS_POLICY_RELIABILITY = 1 << 4,
	RMW_QOS_POLICY_HISTORY = 1 << 5,
};
typedef struct { int32_t total_count, total_count_change; int last_policy_kind; } rmw_qos_incompatible_event_status_t;

// rcl: every handle points to what the files beside this one keep of it.

typedef struct { void *impl; } rcl_arguments_t;
typedef struct { size_t domain_id; } rcl_init_options_t;
typedef struct { struct context *impl; } rcl_context_t;
typedef struct { struct node *impl; } rcl_node_t;
typedef struct { void *impl; } rcl_node_options_t;
typedef struct { struct port *impl; } rcl_publisher_t, rcl_subscription_t;
typedef struct { struct call *impl; } rcl_service_t, rcl_client_t;
typedef struct { int32_t condition; } rcl_guard_condition_t;
typedef struct { int unused; } rcl_guard_condition_options_t;
typedef struct { struct port *impl; bool publisher; } rcl_event_t;
typedef struct { rmw_qos_profile_t qos; rcl_allocator_t allocator; } rcl_publisher_options_t, rcl_subscription_options_t, rcl_service_options_t, rcl_client_options_t;

rcl_arguments_t rcl_get_zero_initialized_arguments(void);
rcl_ret_t rcl_parse_arguments(int, const char *const *, rcl_allocator_t, rcl_arguments_t *);
rcl_ret_t rcl_arguments_fini(rcl_arguments_t *);
rcl_ret_t rcl_logging_configure_with_output_handler(const rcl_arguments_t *, const rcl_allocator_t *, rcutils_logging_output_handler_t);
void rcl_logging_multiple_output_handler(const rcutils_log_location_t *, int, const char *, rcutils_time_point_value_t, const char *, va_list *);

rcl_init_options_t rcl_get_zero_initialized_init_options(void);
rcl_ret_t rcl_init_options_init(rcl_init_options_t *, rcl_allocator_t);
rcl_ret_t rcl_init_options_set_domain_id(rcl_init_options_t *, size_t);
rcl_context_t rcl_get_zero_initialized_context(void);
rcl_ret_t rcl_init(int, const char *const *, const rcl_init_options_t *, rcl_context_t *);
rcl_ret_t rcl_shutdown(rcl_context_t *);
rcl_ret_t rcl_context_fini(rcl_context_t *);

rcl_node_t rcl_get_zero_initialized_node(void);
rcl_node_options_t rcl_node_get_default_options(void);
rcl_ret_t rcl_node_init(rcl_node_t *, const char *name, const char *namespace_, rcl_context_t *, const rcl_node_options_t *);
rcl_ret_t rcl_node_fini(rcl_node_t *);
const char *rcl_node_get_name(const rcl_node_t *);
const char *rcl_node_get_namespace(const rcl_node_t *);
const char *rcl_node_get_fully_qualified_name(const rcl_node_t *);
const char *rcl_node_get_logger_name(const rcl_node_t *);

rcl_names_and_types_t rcl_get_zero_initialized_names_and_types(void);
rcl_ret_t rcl_names_and_types_fini(rcl_names_and_types_t *);
rcl_ret_t rcl_get_node_names(const rcl_node_t *, rcl_allocator_t, rcutils_string_array_t *names, rcutils_string_array_t *namespaces);

rcl_publisher_t rcl_get_zero_initialized_publisher(void);
rcl_publisher_options_t rcl_publisher_get_default_options(void);
rcl_ret_t rcl_publisher_init(rcl_publisher_t *, const rcl_node_t *, const rosidl_message_type_support_t *, const char *, const rcl_publisher_options_t *);
rcl_ret_t rcl_publisher_fini(rcl_publisher_t *, rcl_node_t *);
rcl_ret_t rcl_publish(const rcl_publisher_t *, const void *, void *);
rcl_ret_t rcl_publish_serialized_message(const rcl_publisher_t *, const rmw_serialized_message_t *, void *);
rcl_ret_t rcl_publisher_get_subscription_count(const rcl_publisher_t *, size_t *);

rcl_subscription_t rcl_get_zero_initialized_subscription(void);
rcl_subscription_options_t rcl_subscription_get_default_options(void);
rcl_ret_t rcl_subscription_init(rcl_subscription_t *, const rcl_node_t *, const rosidl_message_type_support_t *, const char *, const rcl_subscription_options_t *);
rcl_ret_t rcl_subscription_fini(rcl_subscription_t *, rcl_node_t *);
rcl_ret_t rcl_take(const rcl_subscription_t *, void *, rmw_message_info_t *, void *);
rcl_ret_t rcl_take_serialized_message(const rcl_subscription_t *, rmw_serialized_message_t *, rmw_message_info_t *, void *);
rcl_ret_t rcl_subscription_get_publisher_count(const rcl_subscription_t *, size_t *);

typedef enum { RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS = 2 } rcl_publisher_event_type_t;
typedef enum { RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS = 2 } rcl_subscription_event_type_t;
rcl_event_t rcl_get_zero_initialized_event(void);
rcl_ret_t rcl_publisher_event_init(rcl_event_t *, const rcl_publisher_t *, rcl_publisher_event_type_t);
rcl_ret_t rcl_subscription_event_init(rcl_event_t *, const rcl_subscription_t *, rcl_subscription_event_type_t);
rcl_ret_t rcl_take_event(const rcl_event_t *, void *);
rcl_ret_t rcl_event_fini(rcl_event_t *);

rcl_service_t rcl_get_zero_initialized_service(void);
rcl_ret_t rcl_service_init(rcl_service_t *, const rcl_node_t *, const rosidl_service_type_support_t *, const char *, const rcl_service_options_t *);
rcl_ret_t rcl_service_fini(rcl_service_t *, rcl_node_t *);
rcl_ret_t rcl_take_request_with_info(const rcl_service_t *, rmw_service_info_t *, void *);
rcl_ret_t rcl_send_response(const rcl_service_t *, rmw_request_id_t *, void *);
rcl_client_t rcl_get_zero_initialized_client(void);
rcl_ret_t rcl_client_init(rcl_client_t *, const rcl_node_t *, const rosidl_service_type_support_t *, const char *, const rcl_client_options_t *);
rcl_ret_t rcl_client_fini(rcl_client_t *, rcl_node_t *);
rcl_ret_t rcl_send_request(const rcl_client_t *, const void *, int64_t *);
rcl_ret_t rcl_take_response_with_info(const rcl_client_t *, rmw_service_info_t *, void *);
rcl_ret_t rcl_service_server_is_available(const rcl_node_t *, const rcl_client_t *, bool *);

rcl_guard_condition_t rcl_get_zero_initialized_guard_condition(void);
rcl_guard_condition_options_t rcl_guard_condition_get_default_options(void);
rcl_ret_t rcl_guard_condition_init(rcl_guard_condition_t *, rcl_context_t *, rcl_guard_condition_options_t);
rcl_ret_t rcl_guard_condition_fini(rcl_guard_condition_t *);
rcl_ret_t rcl_trigger_guard_condition(rcl_guard_condition_t *);

#include "unused.h"

typedef struct {
	const rcl_subscription_t **subscriptions;
	size_t size_of_subscriptions;
	const rcl_guard_condition_t **guard_conditions;
	size_t size_of_guard_conditions;
	const rcl_timer_t **timers;
	size_t size_of_timers;
	const rcl_client_t **clients;
	size_t size_of_clients;
	const rcl_service_t **services;
	size_t size_of_services;
	const rcl_event_t **events;
	size_t size_of_events;
	struct wait *impl;
} rcl_wait_set_t;
rcl_wait_set_t rcl_get_zero_initialized_wait_set(void);
rcl_ret_t rcl_wait_set_init(rcl_wait_set_t *, size_t subscriptions, size_t guards, size_t timers, size_t clients, size_t services, size_t events, rcl_context_t *, rcl_allocator_t);
rcl_ret_t rcl_wait_set_fini(rcl_wait_set_t *);
bool rcl_wait_set_is_valid(const rcl_wait_set_t *);
rcl_ret_t rcl_wait_set_clear(rcl_wait_set_t *);
rcl_ret_t rcl_wait_set_resize(rcl_wait_set_t *, size_t subscriptions, size_t guards, size_t timers, size_t clients, size_t services, size_t events);
rcl_ret_t rcl_wait_set_add_subscription(rcl_wait_set_t *, const rcl_subscription_t *, size_t *);
rcl_ret_t rcl_wait_set_add_guard_condition(rcl_wait_set_t *, const rcl_guard_condition_t *, size_t *);
rcl_ret_t rcl_wait_set_add_timer(rcl_wait_set_t *, const rcl_timer_t *, size_t *);
rcl_ret_t rcl_wait_set_add_client(rcl_wait_set_t *, const rcl_client_t *, size_t *);
rcl_ret_t rcl_wait_set_add_service(rcl_wait_set_t *, const rcl_service_t *, size_t *);
rcl_ret_t rcl_wait_set_add_event(rcl_wait_set_t *, const rcl_event_t *, size_t *);
rcl_ret_t rcl_wait(rcl_wait_set_t *, int64_t timeout);

UNUSED(rcl_action_wait_set_add_action_server, rcl_wait_set_t *w, const rcl_action_server_t *s, size_t *i);
UNUSED(rcl_action_wait_set_add_action_client, rcl_wait_set_t *w, const rcl_action_client_t *c, size_t *i, size_t *j);
UNUSED(rcl_action_server_wait_set_get_entities_ready, const rcl_wait_set_t *w, const rcl_action_server_t *s, bool *a, bool *b, bool *c, bool *d);
UNUSED(rcl_action_client_wait_set_get_entities_ready, const rcl_wait_set_t *w, const rcl_action_client_t *c, bool *a, bool *b, bool *d, bool *e, bool *f);

#endif
