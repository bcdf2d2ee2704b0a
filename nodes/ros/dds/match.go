package dds

/*
#include "endpoint.h"
*/
import "C"

import (
	"fmt"
	"strings"
)

func (e *endpoint) matchedWriters() []C.dds_instance_handle_t {
	return e.matched(func(h *C.dds_instance_handle_t, n C.size_t) C.int {
		return C.dds_get_matched_publications(e.c.entity, h, n)
	})
}

func (e *endpoint) matchedReaders() []C.dds_instance_handle_t {
	return e.matched(func(h *C.dds_instance_handle_t, n C.size_t) C.int {
		return C.dds_get_matched_subscriptions(e.c.entity, h, n)
	})
}

func (e *endpoint) matched(list func(*C.dds_instance_handle_t,
	C.size_t) C.int,
) []C.dds_instance_handle_t {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return nil
	}
	for size := 16; ; size *= 2 {
		handles := make([]C.dds_instance_handle_t, size)
		n := int(list(&handles[0], C.size_t(size)))
		if n <= size {
			return handles[:max(n, 0)]
		}
	}
}

// writerKey returns what key has in the user data of a matched writer ("serviceid"), which has the
// form "key=value;".
func (e *endpoint) writerKey(writer C.dds_instance_handle_t,
	key string,
) (value string, known bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return "", false
	}
	var buf [256]C.char
	if C.writer_user_data(e.c.entity, writer, &buf[0], C.size_t(len(buf))) < 0 {
		return "", false
	}
	return userDataKey(C.GoString(&buf[0]), key), true
}

func (e *endpoint) readerKey(reader C.dds_instance_handle_t,
	key string,
) (value string, known bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return "", false
	}
	var buf [256]C.char
	if C.reader_user_data(e.c.entity, reader, &buf[0], C.size_t(len(buf))) < 0 {
		return "", false
	}
	return userDataKey(C.GoString(&buf[0]), key), true
}

func userDataKey(data, key string) string {
	for field := range strings.SplitSeq(data, ";") {
		if value, ok := strings.CutPrefix(field, key+"="); ok {
			return value
		}
	}
	return ""
}

// policyName names a DDS policy as ROS does; it is empty for none.
func policyName(id C.uint32_t) string {
	switch id {
	case C.DDS_INVALID_QOS_POLICY_ID:
		return ""
	case C.DDS_DURABILITY_QOS_POLICY_ID:
		return "durability"
	case C.DDS_DEADLINE_QOS_POLICY_ID:
		return "deadline"
	case C.DDS_LIVELINESS_QOS_POLICY_ID:
		return "liveliness"
	case C.DDS_RELIABILITY_QOS_POLICY_ID:
		return "reliability"
	case C.DDS_HISTORY_QOS_POLICY_ID:
		return "history"
	case C.DDS_DATA_REPRESENTATION_QOS_POLICY_ID:
		return "data representation"
	}
	return fmt.Sprintf("policy %d of DDS", id)
}
