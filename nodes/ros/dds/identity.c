#include "identity.h"

#include <pthread.h>
#include <string.h>
#include "dds/ddsi/ddsi_domaingv.h"
#include "dds/ddsi/q_hbcontrol.h" // which the next needs, and does not include
#include "dds/ddsi/ddsi_entity.h"
#include "dds/ddsi/ddsi_endpoint.h"
#include "dds/ddsi/ddsi_entity_index.h"
#include "dds/ddsi/ddsi_tran.h"
#include "dds/ddsi/q_bswap.h"
#include "dds/ddsi/q_misc.h"
#include "dds/ddsi/q_protocol.h"
#include "dds/ddsi/q_rtps.h"
#include "dds/ddsi/q_thread.h"
#include "sertype.h"

// Fast DDS reads the first of others from 2.14 on (Jazzy), and the second alone before (Humble).
static const uint16_t related_pid = 0x0083, fast_dds_related_pid = 0x800f;

// Whoever does not know a parameter of this flag has to drop the sample (RTPS 2.5, 9.6.3): CycloneDDS does, in silence.
// So rmw_cyclonedds never misreads payloads without its header. Fast DDS does not look at the flag.
static const uint16_t must_understand_pid = PID_VENDORSPECIFIC_FLAG | PID_UNRECOGNIZED_INCOMPATIBLE_FLAG | 0x3357;

enum {
	identity_size = 24, // GUID, then the number's upper and lower half
	inline_qos_size = 2 * (4 + identity_size) + 4 + 4,
	parts_max = 256, // of a packet: the library has not more
};

bool identity_given(const struct sample_identity *s)
{
	static const unsigned char none[sizeof s->guid];
	return memcmp(s->guid, none, sizeof none) != 0;
}

static uint32_t number(const unsigned char *at, size_t n, bool little_endian)
{
	uint32_t v = 0;
	for (size_t i = 0; i < n; i++)
		v = v << 8 | at[little_endian ? n - 1 - i : i];
	return v;
}

struct sample_identity identity_read(const unsigned char *qos, const unsigned char *end, bool little_endian)
{
	struct sample_identity s = {0};
	while (end - qos >= 4) {
		uint32_t pid = number(qos, 2, little_endian), length = number(qos + 2, 2, little_endian);
		qos += 4;
		if (pid == PID_SENTINEL || (size_t)(end - qos) < length)
			break;
		if ((pid == related_pid || pid == fast_dds_related_pid) && length >= identity_size) {
			memcpy(s.guid, qos, sizeof s.guid);
			s.sequence = (uint64_t)number(qos + 16, 4, little_endian) << 32 | number(qos + 20, 4, little_endian);
		}
		qos += length;
	}
	return s;
}

static unsigned char *put_parameter(unsigned char *at, uint16_t pid, uint16_t length)
{
	memcpy(at, &pid, sizeof pid);
	memcpy(at + 2, &length, sizeof length);
	return at + 4;
}

static unsigned char *put_identity(unsigned char *at, uint16_t pid, const struct sample_identity *s)
{
	uint32_t high = (uint32_t)(s->sequence >> 32), low = (uint32_t)s->sequence;
	at = put_parameter(at, pid, identity_size);
	memcpy(at, s->guid, sizeof s->guid);
	memcpy(at + 16, &high, sizeof high);
	memcpy(at + 20, &low, sizeof low);
	return at + identity_size;
}

// A changed submessage up to its payload.
struct head {
	unsigned char bytes[sizeof(DataFrag_t) + inline_qos_size];
};

static size_t head_put(struct head *h, const Data_DataFrag_common_t *m, size_t size, const struct sample_identity *s)
{
	memcpy(h->bytes, m, size);
	Data_DataFrag_common_t *changed = (void *)h->bytes;
	changed->smhdr.flags |= DATA_FLAG_INLINE_QOS; // which is a DATA_FRAG's, too
	changed->smhdr.octetsToNextHeader = (uint16_t)(changed->smhdr.octetsToNextHeader + inline_qos_size);
	unsigned char *at = put_identity(h->bytes + size, related_pid, s);
	at = put_identity(at, fast_dds_related_pid, s);
	at = put_parameter(at, must_understand_pid, 0);
	at = put_parameter(at, PID_SENTINEL, 0);
	return (size_t)(at - h->bytes);
}

// identity_of is the identity that a submessage is to get, if any. Its head ends a part of the packet, and the next part
// is the payload, where the writer has it.
static const struct sample_identity *identity_of(const struct ddsi_domaingv *gv, const ddsi_guid_prefix_t *from, const Data_DataFrag_common_t *m, const ddsrt_iovec_t *payload)
{
	if (m->smhdr.flags & DATA_FLAG_INLINE_QOS || m->smhdr.octetsToNextHeader > UINT16_MAX - inline_qos_size)
		return NULL;
	ddsi_guid_t guid = {.prefix = *from, .entityid = m->writerId};
	guid = nn_ntoh_guid(guid);
	struct thread_state *thread = lookup_thread_state();
	thread_state_awake(thread, gv); // keeps the writer from being freed
	const struct ddsi_writer *w = entidx_lookup_writer_guid(gv->entity_index, &guid);
	bool ours = w != NULL && w->sec_attr == NULL && cdr_type_is(w->type);
	thread_state_asleep(thread);
	if (!ours)
		return NULL;
	size_t start = 0;
	if (m->smhdr.submessageId == SMID_DATA_FRAG) {
		const DataFrag_t *frag = (const void *)m;
		start = (size_t)(frag->fragmentStartingNum - 1) * frag->fragmentSize;
	}
	const struct cdr_payload *p = (const void *)((const char *)payload->iov_base - start - offsetof(struct cdr_payload, data));
	return identity_given(&p->related) ? &p->related : NULL;
}

// greet_fast_dds corrects what a reader says to a writer that it has just found, before it has heard of a sample. Fast DDS
// takes the library's "all before 1" for an acknowledgement, and answers after one to three seconds; "all before 0" it
// answers at once.
static void greet_fast_dds(const ddsi_guid_prefix_t *to, AckNack_t *m)
{
	static const unsigned char fast_dds[] = {1, 15}; // the vendor, with which all its GUIDs begin
	nn_sequence_number_t *base = &m->readerSNState.bitmap_base;
	if (memcmp(to, fast_dds, sizeof fast_dds) == 0 && !(m->smhdr.flags & ACKNACK_FLAG_FINAL) && m->readerSNState.numbits == 0 && fromSN(*base) == 1)
		*base = toSN(0);
}

static size_t head_size(const SubmessageHeader_t *h)
{
	switch (h->submessageId) {
	case SMID_DATA: return sizeof(Data_t);
	case SMID_DATA_FRAG: return sizeof(DataFrag_t);
	default: return 0;
	}
}

// What sends a packet by UDP: the same function for every interface and domain.
static ddsi_tran_write_fn_t send_plain;

// The packet's memory belongs to the library, which sends it to several addresses: what grows is copied. A submessage with
// payload is the last in its part of the packet.
static ssize_t send_with_identities(ddsi_tran_conn_t conn, const ddsi_locator_t *dst, size_t n, const ddsrt_iovec_t *in, uint32_t flags)
{
	struct head heads[parts_max];
	ddsrt_iovec_t out[2 * parts_max];
	size_t n_out = 0;
	if (n == 0 || n > parts_max || in[0].iov_len < sizeof(Header_t))
		return send_plain(conn, dst, n, in, flags);
	ddsi_guid_prefix_t from = ((const Header_t *)in[0].iov_base)->guid_prefix, to = {0};
	size_t at = sizeof(Header_t); // of the next submessage, from where this part begins
	for (size_t i = 0; i < n; i++) {
		const struct sample_identity *s = NULL;
		const SubmessageHeader_t *h = NULL;
		size_t length = in[i].iov_len, begin = 0, size = 0;
		while (at + sizeof *h <= length) {
			begin = at;
			h = (const void *)((const unsigned char *)in[i].iov_base + begin);
			size = head_size(h);
			if (h->submessageId == SMID_INFO_SRC)
				from = ((const InfoSRC_t *)h)->guid_prefix;
			else if (h->submessageId == SMID_INFO_DST)
				to = ((const InfoDST_t *)h)->guid_prefix;
			else if (h->submessageId == SMID_ACKNACK)
				greet_fast_dds(&to, (AckNack_t *)h);
			else if (size > 0 && begin + size == length && i + 1 < n)
				s = identity_of(conn->m_base.gv, &from, (const void *)h, &in[i + 1]);
			at += sizeof *h + h->octetsToNextHeader;
		}
		at = at > length ? at - length : 0;
		out[n_out] = in[i];
		if (s != NULL) {
			out[n_out++].iov_len = begin;
			out[n_out].iov_base = heads[i].bytes;
			out[n_out].iov_len = head_put(&heads[i], (const void *)h, size, s);
		}
		n_out++;
	}
	return send_plain(conn, dst, n_out, out, flags);
}

static struct ddsi_domaingv *domain_of(const struct ddsi_sertype *type)
{
	return ddsrt_atomic_ldvoidp(&((struct ddsi_sertype *)type)->gv);
}

void identity_send(const struct ddsi_sertype *type)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct ddsi_domaingv *gv = domain_of(type);
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < gv->n_interfaces; i++) {
		ddsi_tran_conn_t conn = gv->xmit_conns[i];
		if (conn->m_connless && !conn->m_stream && send_plain == NULL)
			send_plain = conn->m_write_fn;
		if (conn->m_write_fn == send_plain) // not TCP, which Fast DDS does not speak with the library
			__atomic_store_n(&conn->m_write_fn, send_with_identities, __ATOMIC_RELEASE); // as others read it meanwhile
	}
	pthread_mutex_unlock(&mutex);
}

// local_guid is a GUID as the library has it, in its own byte order.
static ddsi_guid_t local_guid(const dds_guid_t *g)
{
	ddsi_guid_t guid;
	memcpy(&guid, g, sizeof guid);
	return nn_ntoh_guid(guid);
}

uint64_t identity_last(const struct ddsi_sertype *type, const dds_guid_t *writer)
{
	struct ddsi_domaingv *gv = domain_of(type);
	ddsi_guid_t guid = local_guid(writer);
	struct thread_state *thread = lookup_thread_state();
	thread_state_awake(thread, gv);
	const struct ddsi_writer *w = entidx_lookup_writer_guid(gv->entity_index, &guid);
	uint64_t last = w == NULL ? 0 : w->seq;
	thread_state_asleep(thread);
	return last;
}

void identity_catch_up(const struct ddsi_sertype *type, const dds_guid_t *reader)
{
	struct ddsi_domaingv *gv = domain_of(type);
	ddsi_guid_t guid = local_guid(reader);
	struct thread_state *thread = lookup_thread_state();
	thread_state_awake(thread, gv);
	struct ddsi_reader *r = entidx_lookup_reader_guid(gv->entity_index, &guid);
	if (r != NULL) {
		ddsrt_mutex_lock(&r->e.lock);
		r->handle_as_transient_local = 1; // whose only use is to ask for what was sent before
		ddsrt_mutex_unlock(&r->e.lock);
	}
	thread_state_asleep(thread);
}
