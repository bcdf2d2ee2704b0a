#include "sertype.h"

#include <stdlib.h>
#include <string.h>
#include "dds/ddsi/q_misc.h"
#include "dds/ddsi/q_radmin.h"

static size_t padded(size_t n) { return (n + 3) & ~(size_t)3; }

struct cdr_payload *cdr_payload_new(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const void *bytes, size_t size)
{
	struct cdr_payload *p = malloc(sizeof *p + padded(size));
	if (p == NULL)
		return NULL;
	ddsi_serdata_init(&p->c, type, kind);
	p->c.hash = type->serdata_basehash;
	p->size = size;
	p->sequence = 0;
	p->related = (struct sample_identity){0};
	if (bytes != NULL)
		memcpy(p->data, bytes, size);
	memset(p->data + size, 0, padded(size) - size);
	return p;
}

static const struct cdr_payload *payload(const struct ddsi_serdata *d) { return (const struct cdr_payload *)d; }

// Without a key, all samples are of one instance.
static bool same_key(const struct ddsi_serdata *a, const struct ddsi_serdata *b) { (void)a; (void)b; return true; }

static uint32_t size_of(const struct ddsi_serdata *d) { return (uint32_t)payload(d)->size; }

// tell notes what stands in front of the payload, whose numbers the library has in its own byte order, but for those in
// the inline QoS.
static void tell(struct cdr_payload *p, const struct nn_rdata *frag)
{
	if (frag == NULL || frag->submsg_zoff == 0)
		return;
	const Data_DataFrag_common_t *m = (const void *)NN_RMSG_PAYLOADOFF(frag->rmsg, NN_RDATA_SUBMSG_OFF(frag));
	p->sequence = (uint64_t)fromSN(m->writerSN);
	if (m->smhdr.flags & DATA_FLAG_INLINE_QOS) {
		const unsigned char *qos = (const unsigned char *)&m->octetsToInlineQos + sizeof m->octetsToInlineQos + m->octetsToInlineQos;
		p->related = identity_read(qos, NN_RMSG_PAYLOADOFF(frag->rmsg, NN_RDATA_PAYLOAD_OFF(frag)), m->smhdr.flags & SMFLAG_ENDIANNESS);
	}
}

// The fragments come in order and may overlap; a gap would mean that the sample is not whole.
static struct ddsi_serdata *from_fragments(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const struct nn_rdata *frag, size_t size)
{
	struct cdr_payload *p = cdr_payload_new(type, kind, NULL, size);
	if (p == NULL)
		return NULL;
	tell(p, frag);
	uint32_t end = 0;
	for (; frag != NULL; frag = frag->nextfrag) {
		if (frag->maxp1 <= end)
			continue;
		if (frag->min > end || frag->maxp1 > size)
			break;
		const unsigned char *bytes = NN_RMSG_PAYLOADOFF(frag->rmsg, NN_RDATA_PAYLOAD_OFF(frag));
		memcpy(p->data + end, bytes + (end - frag->min), frag->maxp1 - end);
		end = frag->maxp1;
	}
	if (end != size) {
		ddsi_serdata_unref(&p->c);
		return NULL;
	}
	return &p->c;
}

static struct ddsi_serdata *from_vector(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, ddsrt_msg_iovlen_t n, const ddsrt_iovec_t *iov, size_t size)
{
	struct cdr_payload *p = cdr_payload_new(type, kind, NULL, size);
	if (p == NULL)
		return NULL;
	size_t end = 0;
	for (ddsrt_msg_iovlen_t i = 0; i < n && end < size; i++) {
		size_t part = iov[i].iov_len < size - end ? iov[i].iov_len : size - end;
		memcpy(p->data + end, iov[i].iov_base, part);
		end += part;
	}
	memset(p->data + end, 0, size - end);
	return &p->c;
}

static struct ddsi_serdata *from_keyhash(const struct ddsi_sertype *type, const struct ddsi_keyhash *hash)
{
	(void)hash;
	struct cdr_payload *p = cdr_payload_new(type, SDK_KEY, NULL, 0);
	return p == NULL ? NULL : &p->c;
}

static struct ddsi_serdata *to_untyped(const struct ddsi_serdata *d)
{
	struct ddsi_serdata *key = from_keyhash(d->type, NULL);
	if (key != NULL)
		key->type = NULL;
	return key;
}

static void to_bytes(const struct ddsi_serdata *d, size_t off, size_t n, void *buf) { memcpy(buf, payload(d)->data + off, n); }

static struct ddsi_serdata *lend_bytes(const struct ddsi_serdata *d, size_t off, size_t n, ddsrt_iovec_t *ref)
{
	ref->iov_base = (void *)(payload(d)->data + off);
	ref->iov_len = (ddsrt_iov_len_t)n;
	return ddsi_serdata_ref(d);
}

static void return_bytes(struct ddsi_serdata *d, const ddsrt_iovec_t *ref) { (void)ref; ddsi_serdata_unref(d); }

static void free_payload(struct ddsi_serdata *d) { free(d); }

static size_t print(const struct ddsi_sertype *type, const struct ddsi_serdata *d, char *buf, size_t size)
{
	(void)type; (void)d;
	if (size > 0)
		buf[0] = 0;
	return 0;
}

static void keyhash(const struct ddsi_serdata *d, struct ddsi_keyhash *buf, bool force_md5)
{
	(void)d; (void)force_md5;
	memset(buf, 0, sizeof *buf);
}

// The library calls these only for samples as C structs, of which there are none here.
static struct ddsi_serdata *from_struct(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const void *sample)
{
	(void)type; (void)kind; (void)sample;
	return NULL;
}

static bool to_struct(const struct ddsi_serdata *d, void *sample, void **buf, void *end)
{
	(void)d; (void)sample; (void)buf; (void)end;
	return false;
}

static bool untyped_to_struct(const struct ddsi_sertype *type, const struct ddsi_serdata *d, void *sample, void **buf, void *end)
{
	(void)type; (void)d; (void)sample; (void)buf; (void)end;
	return false;
}

static const struct ddsi_serdata_ops payload_ops = {
	.eqkey = same_key,
	.get_size = size_of,
	.from_ser = from_fragments,
	.from_ser_iov = from_vector,
	.from_keyhash = from_keyhash,
	.from_sample = from_struct,
	.to_ser = to_bytes,
	.to_ser_ref = lend_bytes,
	.to_ser_unref = return_bytes,
	.to_sample = to_struct,
	.to_untyped = to_untyped,
	.untyped_to_sample = untyped_to_struct,
	.free = free_payload,
	.print = print,
	.get_keyhash = keyhash,
};

static void free_type(struct ddsi_sertype *t)
{
	ddsi_sertype_fini(t);
	free(t);
}

static void zero_structs(const struct ddsi_sertype *t, void *samples, size_t n) { (void)t; (void)samples; (void)n; }

static void realloc_structs(void **ptrs, const struct ddsi_sertype *t, void *old, size_t old_n, size_t n)
{
	(void)t; (void)old; (void)old_n;
	for (size_t i = 0; i < n; i++)
		ptrs[i] = NULL;
}

static void free_structs(const struct ddsi_sertype *t, void **ptrs, size_t n, dds_free_op_t op) { (void)t; (void)ptrs; (void)n; (void)op; }

// The type's name is all there is to it, and the library compares that.
static bool same_type(const struct ddsi_sertype *a, const struct ddsi_sertype *b) { (void)a; (void)b; return true; }

static uint32_t hash_type(const struct ddsi_sertype *t) { (void)t; return 0; }

static const struct ddsi_sertype_ops type_ops = {
	.version = ddsi_sertype_v0,
	.free = free_type,
	.zero_samples = zero_structs,
	.realloc_samples = realloc_structs,
	.free_samples = free_structs,
	.equal = same_type,
	.hash = hash_type,
};

bool cdr_type_is(const struct ddsi_sertype *type) { return type->ops == &type_ops; }

struct ddsi_sertype *cdr_type_new(const char *name)
{
	struct ddsi_sertype *t = calloc(1, sizeof *t);
	if (t == NULL)
		return NULL;
	ddsi_sertype_init_flags(t, name, &type_ops, &payload_ops, DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
	t->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
	return t;
}
