#include "fake.h"

#include <stdio.h>

rcl_arguments_t rcl_get_zero_initialized_arguments(void) { return (rcl_arguments_t){NULL}; }
rcl_ret_t rcl_parse_arguments(int n, const char *const *v, rcl_allocator_t a, rcl_arguments_t *out) { (void)n, (void)v, (void)a, (void)out; return RCL_RET_OK; }
rcl_ret_t rcl_arguments_fini(rcl_arguments_t *a) { (void)a; return RCL_RET_OK; }
rcl_init_options_t rcl_get_zero_initialized_init_options(void) { return (rcl_init_options_t){SIZE_MAX}; }
rcl_ret_t rcl_init_options_init(rcl_init_options_t *o, rcl_allocator_t a) { (void)o, (void)a; return RCL_RET_OK; }
rcl_ret_t rcl_init_options_set_domain_id(rcl_init_options_t *o, size_t id) { o->domain_id = id; return RCL_RET_OK; }
rcl_context_t rcl_get_zero_initialized_context(void) { return (rcl_context_t){NULL}; }

// domain_open configures CycloneDDS as rmw_cyclonedds does: the interface if this machine is all, and what the user says.
static void domain_open(dds_domainid_t id)
{
	char xml[8192];
	const char *local = getenv("ROS_LOCALHOST_ONLY"), *uri = getenv("CYCLONEDDS_URI");
	snprintf(xml, sizeof xml, "%s%s",
		local != NULL && strcmp(local, "1") == 0
			? "<CycloneDDS><Domain><General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces><AllowMulticast>false</AllowMulticast></General>"
			  "<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60</MaxAutoParticipantIndex><Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>,"
			: "",
		uri != NULL ? uri : "");
	dds_create_domain(id, xml); // which fails where the process has the domain already
}

static dds_entity_t participant_new(dds_domainid_t domain)
{
	static const char enclave[] = "enclave=/;";
	dds_qos_t *q = dds_create_qos();
	dds_qset_userdata(q, enclave, sizeof enclave - 1);
	dds_entity_t p = dds_create_participant(domain, q, NULL);
	dds_delete_qos(q);
	return p;
}

rcl_ret_t rcl_init(int argc, const char *const *argv, const rcl_init_options_t *o, rcl_context_t *out)
{
	(void)argc, (void)argv;
	const char *env = getenv("ROS_DOMAIN_ID");
	dds_domainid_t id = o->domain_id != SIZE_MAX ? (dds_domainid_t)o->domain_id : env != NULL ? (dds_domainid_t)atoi(env) : 0;
	domain_open(id);
	struct context *c = calloc(1, sizeof *c);
	if (c == NULL)
		return RCL_RET_BAD_ALLOC;
	pthread_mutex_init(&c->lock, NULL);
	c->participant = participant_new(id);
	if (c->participant < 0) {
		int rc = c->participant;
		free(c);
		return fail(RCL_RET_ERROR, "join the domain", rc);
	}
	int rc = graph_open(c);
	if (rc < 0) {
		dds_delete(c->participant);
		free(c);
		return fail(RCL_RET_ERROR, "open the graph", rc);
	}
	out->impl = c;
	return RCL_RET_OK;
}

rcl_ret_t rcl_shutdown(rcl_context_t *c)
{
	graph_close(c->impl);
	dds_delete(c->impl->participant);
	return RCL_RET_OK;
}

rcl_ret_t rcl_context_fini(rcl_context_t *c)
{
	free(c->impl);
	c->impl = NULL;
	return RCL_RET_OK;
}

rcl_node_t rcl_get_zero_initialized_node(void) { return (rcl_node_t){NULL}; }
rcl_node_options_t rcl_node_get_default_options(void) { return (rcl_node_options_t){NULL}; }

rcl_ret_t rcl_node_init(rcl_node_t *out, const char *name, const char *space, rcl_context_t *c, const rcl_node_options_t *o)
{
	(void)o;
	struct node *n = calloc(1, sizeof *n);
	if (n == NULL)
		return RCL_RET_BAD_ALLOC;
	n->context = c->impl;
	snprintf(n->name, sizeof n->name, "%s", name);
	snprintf(n->space, sizeof n->space, "%s", *space != 0 ? space : "/");
	snprintf(n->full, sizeof n->full, "%s%s%s", n->space, strcmp(n->space, "/") == 0 ? "" : "/", n->name);
	pthread_mutex_lock(&c->impl->lock);
	n->next = c->impl->nodes;
	c->impl->nodes = n;
	graph_publish(c->impl);
	pthread_mutex_unlock(&c->impl->lock);
	out->impl = n;
	return RCL_RET_OK;
}

rcl_ret_t rcl_node_fini(rcl_node_t *node)
{
	struct node *n = node->impl;
	pthread_mutex_lock(&n->context->lock);
	for (struct node **p = &n->context->nodes; *p != NULL; p = &(*p)->next)
		if (*p == n) {
			*p = n->next;
			break;
		}
	graph_publish(n->context);
	pthread_mutex_unlock(&n->context->lock);
	free(n);
	node->impl = NULL;
	return RCL_RET_OK;
}

const char *rcl_node_get_name(const rcl_node_t *n) { return n->impl->name; }
const char *rcl_node_get_namespace(const rcl_node_t *n) { return n->impl->space; }
const char *rcl_node_get_fully_qualified_name(const rcl_node_t *n) { return n->impl->full; }
const char *rcl_node_get_logger_name(const rcl_node_t *n) { return n->impl->name; }
