// The identity of a request, as DDS-RPC and Fast DDS carry it: in the inline QoS of requests and replies. The library
// reads past it on receiving, and cannot write it.
#ifndef STRIPSWM_IDENTITY_H
#define STRIPSWM_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "dds/features.h" // first: it says which members the library's structs were built with
#include "dds/dds.h"
#include "dds/ddsi/ddsi_sertype.h"

// In a request: where the reply is to go, without a number. In a reply: the same, and the request's number.
struct sample_identity {
	unsigned char guid[16]; // all zero: there is none
	uint64_t sequence;
};

bool identity_given(const struct sample_identity *s);

// identity_read finds the identity in inline QoS.
struct sample_identity identity_read(const unsigned char *qos, const unsigned char *end, bool little_endian);

// identity_send has the domain of that registered type send payloads that have an identity with it, by UDP and outside of
// enclaves, whose packets are sealed before they come here.
void identity_send(const struct ddsi_sertype *type);

// identity_last is the number of the last sample that was written by a writer of that registered type, 0 if there is none.
uint64_t identity_last(const struct ddsi_sertype *type, const dds_guid_t *writer);

// identity_catch_up has a reader of that registered type take what a writer of Fast DDS sent it before the writer was
// found here. Otherwise the library begins with what comes after that, and the first request of a client is lost.
void identity_catch_up(const struct ddsi_sertype *type, const dds_guid_t *reader);

#endif
