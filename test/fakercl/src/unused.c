#define UNUSED(f, ...) rcl_ret_t f(__VA_ARGS__) { return RCL_RET_UNSUPPORTED; }
#include "rcl.h"

// A context of rclgo has a clock, which nobody asks.
rcl_ret_t rcl_clock_init(rcl_clock_type_t t, rcl_clock_t *c, rcl_allocator_t *a) { (void)a; c->type = t; return RCL_RET_OK; }
rcl_ret_t rcl_clock_fini(rcl_clock_t *c) { (void)c; return RCL_RET_OK; }
rcl_timer_t rcl_get_zero_initialized_timer(void) { return (rcl_timer_t){NULL}; }

rcl_action_server_t rcl_action_get_zero_initialized_server(void) { return (rcl_action_server_t){NULL}; }
rcl_action_client_t rcl_action_get_zero_initialized_client(void) { return (rcl_action_client_t){NULL}; }
rcl_action_goal_info_t rcl_action_get_zero_initialized_goal_info(void) { return (rcl_action_goal_info_t){0}; }
rcl_action_cancel_response_t rcl_action_get_zero_initialized_cancel_response(void) { return (rcl_action_cancel_response_t){0}; }
rcl_action_goal_status_array_t rcl_action_get_zero_initialized_goal_status_array(void) { return (rcl_action_goal_status_array_t){0}; }
rcl_action_goal_handle_t *rcl_action_accept_new_goal(rcl_action_server_t *s, const rcl_action_goal_info_t *g) { (void)s, (void)g; return NULL; }

rcl_names_and_types_t rcl_get_zero_initialized_names_and_types(void) { return (rcl_names_and_types_t){0}; }
rcl_ret_t rcl_names_and_types_fini(rcl_names_and_types_t *n) { (void)n; return RCL_RET_OK; }
rmw_topic_endpoint_info_array_t rmw_get_zero_initialized_topic_endpoint_info_array(void) { return (rmw_topic_endpoint_info_array_t){0}; }
rmw_ret_t rmw_topic_endpoint_info_array_fini(rmw_topic_endpoint_info_array_t *i, rcutils_allocator_t *a) { (void)i, (void)a; return RCL_RET_OK; }
