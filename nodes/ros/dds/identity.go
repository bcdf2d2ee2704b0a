package dds

/*
#include "endpoint.h"
*/
import "C"

import "unsafe"

// An identity is what rmw_fastrtps sends with requests and replies, where rmw_cyclonedds has a
// header: which reader the reply is for, and in a reply the number that the request had as a
// sample. Without a reader there is none.
type identity struct {
	reader gid
	number uint64
}

func identityFrom(c *C.struct_sample_identity) identity {
	return identity{*(*gid)(unsafe.Pointer(&c.guid)), uint64(c.sequence)}
}

func (i *identity) c() *C.struct_sample_identity {
	if i == nil {
		return nil
	}
	c := &C.struct_sample_identity{sequence: C.uint64_t(i.number)}
	*(*gid)(unsafe.Pointer(&c.guid)) = i.reader
	return c
}

func (i identity) given() bool { return i.reader != gid{} }

// meet makes a reader and a writer of a service ready for rmw_fastrtps.
func meet(reader, writer *endpoint) {
	g := reader.guid()
	C.identity_catch_up(reader.c._type, (*C.dds_guid_t)(unsafe.Pointer(&g)))
	C.identity_send(writer.c._type)
}

// written is the number of the last sample that a writer has written.
func (e *endpoint) written() uint64 {
	g := e.guid()
	return uint64(C.identity_last(e.c._type, (*C.dds_guid_t)(unsafe.Pointer(&g))))
}

// readerGUIDs are those of a matched reader and of its participant.
func (e *endpoint) readerGUIDs(reader C.dds_instance_handle_t) (own, participant gid, known bool) {
	return e.guids(func(own, participant *C.dds_guid_t) C.int {
		return C.reader_guids(e.c.entity, reader, own, participant)
	})
}

func (e *endpoint) writerGUIDs(writer C.dds_instance_handle_t) (own, participant gid, known bool) {
	return e.guids(func(own, participant *C.dds_guid_t) C.int {
		return C.writer_guids(e.c.entity, writer, own, participant)
	})
}

func (e *endpoint) guids(get func(own, participant *C.dds_guid_t) C.int) (own, participant gid,
	known bool,
) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return own, participant, false
	}
	rc := get((*C.dds_guid_t)(unsafe.Pointer(&own)), (*C.dds_guid_t)(unsafe.Pointer(&participant)))
	return own, participant, rc == 0
}
