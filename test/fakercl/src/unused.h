// Clocks, timers, actions and most of the graph: rclgo is compiled against them, the project's adapter does not use them. UNUSED declares
// them here and, in unused.c, makes them refuse.
#ifndef UNUSED
#define UNUSED(f, ...) rcl_ret_t f(__VA_ARGS__)
#endif
#ifndef FAKERCL_UNUSED_H
#define FAKERCL_UNUSED_H

typedef int rcl_clock_type_t;
typedef struct { rcl_clock_type_t type; } rcl_clock_t;
typedef struct { int64_t nanoseconds; } rcl_duration_t;
typedef struct { void *impl; } rcl_timer_t;
rcl_ret_t rcl_clock_init(rcl_clock_type_t, rcl_clock_t *, rcl_allocator_t *);
rcl_ret_t rcl_clock_fini(rcl_clock_t *);
rcl_timer_t rcl_get_zero_initialized_timer(void);

typedef struct { void *impl; } rcl_action_server_t, rcl_action_client_t, rcl_action_goal_handle_t, rcl_action_cancel_request_t;
typedef int8_t rcl_action_goal_state_t;
typedef enum { GOAL_EVENT_EXECUTE, GOAL_EVENT_CANCEL_GOAL, GOAL_EVENT_SUCCEED, GOAL_EVENT_ABORT, GOAL_EVENT_CANCELED } rcl_action_goal_event_t;
typedef struct {
	struct { uint8_t uuid[16]; } goal_id;
	struct { int32_t sec; uint32_t nanosec; } stamp;
} rcl_action_goal_info_t;
typedef struct { struct { int8_t return_code; } msg; } rcl_action_cancel_response_t;
typedef struct { struct { void *status_list; } msg; } rcl_action_goal_status_array_t;
typedef struct {
	rmw_qos_profile_t goal_service_qos, cancel_service_qos, result_service_qos, feedback_topic_qos, status_topic_qos;
	rcl_allocator_t allocator;
	rcl_duration_t result_timeout;
} rcl_action_server_options_t, rcl_action_client_options_t;
rcl_action_server_t rcl_action_get_zero_initialized_server(void);
rcl_action_client_t rcl_action_get_zero_initialized_client(void);
rcl_action_goal_info_t rcl_action_get_zero_initialized_goal_info(void);
rcl_action_cancel_response_t rcl_action_get_zero_initialized_cancel_response(void);
rcl_action_goal_status_array_t rcl_action_get_zero_initialized_goal_status_array(void);
rcl_action_goal_handle_t *rcl_action_accept_new_goal(rcl_action_server_t *, const rcl_action_goal_info_t *);

#endif

UNUSED(rcl_expand_topic_name, const char *t, const char *n, const char *s, const rcutils_string_map_t *m, rcl_allocator_t a, char **out);
UNUSED(rcl_get_topic_names_and_types, const rcl_node_t *n, rcl_allocator_t *a, bool d, rcl_names_and_types_t *out);
UNUSED(rcl_get_publisher_names_and_types_by_node, const rcl_node_t *n, rcl_allocator_t *a, bool d, const char *name, const char *s, rcl_names_and_types_t *out);
UNUSED(rcl_get_subscriber_names_and_types_by_node, const rcl_node_t *n, rcl_allocator_t *a, bool d, const char *name, const char *s, rcl_names_and_types_t *out);
UNUSED(rcl_get_service_names_and_types_by_node, const rcl_node_t *n, rcl_allocator_t *a, const char *name, const char *s, rcl_names_and_types_t *out);
UNUSED(rcl_get_client_names_and_types_by_node, const rcl_node_t *n, rcl_allocator_t *a, const char *name, const char *s, rcl_names_and_types_t *out);
UNUSED(rcl_action_get_server_names_and_types_by_node, const rcl_node_t *n, rcl_allocator_t *a, const char *name, const char *s, rcl_names_and_types_t *out);
UNUSED(rcl_action_get_client_names_and_types_by_node, const rcl_node_t *n, rcl_allocator_t *a, const char *name, const char *s, rcl_names_and_types_t *out);
UNUSED(rcl_get_publishers_info_by_topic, const rcl_node_t *n, rcl_allocator_t *a, const char *t, bool m, rmw_topic_endpoint_info_array_t *out);
UNUSED(rcl_get_subscriptions_info_by_topic, const rcl_node_t *n, rcl_allocator_t *a, const char *t, bool m, rmw_topic_endpoint_info_array_t *out);
UNUSED(rcl_clock_get_now, rcl_clock_t *c, rcl_time_point_value_t *t);
UNUSED(rcl_timer_init, rcl_timer_t *t, rcl_clock_t *c, rcl_context_t *x, int64_t period, void *f, rcl_allocator_t a);
UNUSED(rcl_timer_fini, rcl_timer_t *t);
UNUSED(rcl_timer_reset, rcl_timer_t *t);
UNUSED(rcl_timer_get_time_until_next_call, const rcl_timer_t *t, int64_t *d);
UNUSED(rcl_action_server_init, rcl_action_server_t *s, rcl_node_t *n, rcl_clock_t *c, const rosidl_action_type_support_t *t, const char *a, const rcl_action_server_options_t *o);
UNUSED(rcl_action_server_fini, rcl_action_server_t *s, rcl_node_t *n);
UNUSED(rcl_action_take_goal_request, const rcl_action_server_t *s, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_send_goal_response, const rcl_action_server_t *s, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_take_result_request, const rcl_action_server_t *s, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_send_result_response, const rcl_action_server_t *s, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_take_cancel_request, const rcl_action_server_t *s, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_send_cancel_response, const rcl_action_server_t *s, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_process_cancel_request, const rcl_action_server_t *s, const rcl_action_cancel_request_t *q, rcl_action_cancel_response_t *r);
UNUSED(rcl_action_expire_goals, const rcl_action_server_t *s, rcl_action_goal_info_t *g, size_t c, size_t *n);
UNUSED(rcl_action_notify_goal_done, const rcl_action_server_t *s);
UNUSED(rcl_action_publish_feedback, const rcl_action_server_t *s, void *m);
UNUSED(rcl_action_publish_status, const rcl_action_server_t *s, const void *m);
UNUSED(rcl_action_get_goal_status_array, const rcl_action_server_t *s, rcl_action_goal_status_array_t *a);
UNUSED(rcl_action_goal_status_array_fini, rcl_action_goal_status_array_t *a);
UNUSED(rcl_action_cancel_response_fini, rcl_action_cancel_response_t *r);
UNUSED(rcl_action_goal_handle_get_status, const rcl_action_goal_handle_t *g, rcl_action_goal_state_t *s);
UNUSED(rcl_action_goal_handle_fini, rcl_action_goal_handle_t *g);
UNUSED(rcl_action_update_goal_state, rcl_action_goal_handle_t *g, const rcl_action_goal_event_t e);
UNUSED(rcl_action_client_init, rcl_action_client_t *c, rcl_node_t *n, const rosidl_action_type_support_t *t, const char *a, const rcl_action_client_options_t *o);
UNUSED(rcl_action_client_fini, rcl_action_client_t *c, rcl_node_t *n);
UNUSED(rcl_action_send_goal_request, const rcl_action_client_t *c, const void *m, int64_t *n);
UNUSED(rcl_action_take_goal_response, const rcl_action_client_t *c, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_send_result_request, const rcl_action_client_t *c, const void *m, int64_t *n);
UNUSED(rcl_action_take_result_response, const rcl_action_client_t *c, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_send_cancel_request, const rcl_action_client_t *c, const void *m, int64_t *n);
UNUSED(rcl_action_take_cancel_response, const rcl_action_client_t *c, rmw_request_id_t *h, void *m);
UNUSED(rcl_action_take_feedback, const rcl_action_client_t *c, void *m);
UNUSED(rcl_action_take_status, const rcl_action_client_t *c, void *m);
