//go:build rclgo

package rclgo

/*
#cgo LDFLAGS: -ldl -lrmw -lrmw_implementation -lrcutils
#include <stdlib.h>
#include "support.h"
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// A messageSupport makes payloads pass where rclgo wants messages of a type.
type messageSupport struct {
	c C.struct_message_support
}

// A rawMessage is a payload of that type.
type rawMessage struct {
	payload []byte
	support *messageSupport
}

var (
	_ types.MessageTypeSupport = (*messageSupport)(nil)
	_ types.ServiceTypeSupport = (*serviceSupport)(nil)
	_ types.Message            = (*rawMessage)(nil)
)

func (m *rawMessage) CloneMsg() types.Message {
	return &rawMessage{payload: append([]byte(nil), m.payload...), support: m.support}
}

func (m *rawMessage) SetDefaults()                             { m.payload = nil }
func (m *rawMessage) GetTypeSupport() types.MessageTypeSupport { return m.support }

func (s *messageSupport) New() types.Message             { return &rawMessage{support: s} }
func (s *messageSupport) PrepareMemory() unsafe.Pointer  { return C.message_create(&s.c) }
func (s *messageSupport) ReleaseMemory(p unsafe.Pointer) { C.message_destroy(&s.c, p) }
func (s *messageSupport) TypeSupport() unsafe.Pointer    { return unsafe.Pointer(s.c._type) }

// AsCStruct decodes the payload. rclgo has no way to say that it failed: the struct then has its defaults.
func (s *messageSupport) AsCStruct(dst unsafe.Pointer, src types.Message) {
	payload := src.(*rawMessage).payload
	C.message_decode(&s.c, unsafe.Pointer(unsafe.SliceData(payload)), C.size_t(len(payload)), dst)
}

// AsGoStruct encodes the struct; the payload is empty if that failed, and will not decode.
func (s *messageSupport) AsGoStruct(dst types.Message, src unsafe.Pointer) {
	var size C.size_t
	bytes := C.message_encode(&s.c, src, &size)
	if bytes == nil {
		return
	}
	defer C.free(bytes)
	dst.(*rawMessage).payload = C.GoBytes(bytes, C.int(size))
}

// names are the parts of a type's name as C strings.
type names [3]*C.char

func newNames(rosType string) (n names, err error) {
	parts := strings.Split(rosType, "/")
	if len(parts) != len(n) {
		return n, fmt.Errorf("rclgo: %q is not a type: it must be package/folder/Name", rosType)
	}
	for i, part := range parts {
		n[i] = C.CString(part)
	}
	return n, nil
}

func (n names) free() {
	for _, s := range n {
		C.free(unsafe.Pointer(s))
	}
}

func loadMessage(rosType string) (*messageSupport, error) {
	n, err := newNames(rosType)
	if err != nil {
		return nil, err
	}
	defer n.free()
	s := &messageSupport{}
	if missing := C.load_message(n[0], n[1], n[2], &s.c); missing != nil {
		return nil, fmt.Errorf("rclgo: type %s (is its package installed, is ROS sourced?): %s", rosType, C.GoString(missing))
	}
	return s, nil
}

type serviceSupport struct {
	request, response *messageSupport
	pointer           unsafe.Pointer
}

func (s *serviceSupport) Request() types.MessageTypeSupport  { return s.request }
func (s *serviceSupport) Response() types.MessageTypeSupport { return s.response }
func (s *serviceSupport) TypeSupport() unsafe.Pointer        { return s.pointer }

func loadService(rosType string) (*serviceSupport, error) {
	n, err := newNames(rosType)
	if err != nil {
		return nil, err
	}
	defer n.free()
	s := &serviceSupport{}
	if missing := C.load_service(n[0], n[1], n[2], &s.pointer); missing != nil {
		return nil, fmt.Errorf("rclgo: service %s (is its package installed, is ROS sourced?): %s", rosType, C.GoString(missing))
	}
	if s.request, err = loadMessage(rosType + "_Request"); err != nil {
		return nil, err
	}
	s.response, err = loadMessage(rosType + "_Response")
	return s, err
}
