// A DDS type whose samples are CDR payloads as they are on the wire: nothing is encoded or decoded in C.
#ifndef STRIPSWM_SERTYPE_H
#define STRIPSWM_SERTYPE_H

#include <stddef.h>
#include "dds/features.h" // first: it says which members the library's structs were built with
#include "dds/dds.h"
#include "dds/ddsi/ddsi_serdata.h"
#include "dds/ddsi/ddsi_sertype.h"
#include "identity.h"

// A payload: the encapsulation header and the fields, zero bytes up to a multiple of 4 after them.
struct cdr_payload {
	struct ddsi_serdata c;
	size_t size;
	uint64_t sequence; // of its writer, from 1 on; 0 where it did not come over the network
	struct sample_identity related; // of a request, or of what a reply answers, where that is in the inline QoS
	unsigned char data[];
};

// cdr_type_new returns a type without key of that DDS name, or NULL when memory is out.
struct ddsi_sertype *cdr_type_new(const char *name);

// cdr_type_is says whether a type was made by cdr_type_new.
bool cdr_type_is(const struct ddsi_sertype *type);

// cdr_payload_new returns a payload with a copy of the bytes (or unset bytes, if NULL), or NULL when memory is out.
struct cdr_payload *cdr_payload_new(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const void *bytes, size_t size);

#endif
