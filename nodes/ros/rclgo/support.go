//go:build rclgo

package rclgo

/*
#cgo CFLAGS: -Wno-unused-result
#cgo LDFLAGS: -ldl -lrcl -lrmw -lrmw_implementation -lrcutils
#include <stdlib.h>
#include "support.h"
*/
import "C"

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// A messageSupport says to rclgo which type an endpoint has, and to support.c how its C structs are
// made. rclgo asks it for nothing else: it never sees a message.
type messageSupport struct {
	types.MessageTypeSupport
	c C.struct_message_support
}

func (s *messageSupport) TypeSupport() unsafe.Pointer { return unsafe.Pointer(s.c._type) }

type serviceSupport struct {
	request, response *messageSupport
	pointer           unsafe.Pointer
}

func (s *serviceSupport) Request() types.MessageTypeSupport  { return s.request }
func (s *serviceSupport) Response() types.MessageTypeSupport { return s.response }
func (s *serviceSupport) TypeSupport() unsafe.Pointer        { return s.pointer }

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
		return nil, fmt.Errorf("rclgo: type %s (is its package installed, is ROS sourced?): %s", rosType,
			C.GoString(missing))
	}
	return s, nil
}

func loadService(rosType string) (*serviceSupport, error) {
	n, err := newNames(rosType)
	if err != nil {
		return nil, err
	}
	defer n.free()
	s := &serviceSupport{}
	if missing := C.load_service(n[0], n[1], n[2], &s.pointer); missing != nil {
		return nil, fmt.Errorf("rclgo: service %s (is its package installed, is ROS sourced?): %s",
			rosType, C.GoString(missing))
	}
	if s.request, err = loadMessage(rosType + "_Request"); err != nil {
		return nil, err
	}
	s.response, err = loadMessage(rosType + "_Response")
	return s, err
}

// handle is what rcl made for an entity of rclgo, which keeps it in that field and to itself. A
// test holds the names against rclgo's source.
func handle(entity any, field string) unsafe.Pointer {
	return reflect.ValueOf(entity).Elem().FieldByName(field).UnsafePointer()
}

const (
	contextHandle      = "rcl_context_t"
	nodeHandle         = "rcl_node_t"
	publisherHandle    = "rcl_publisher_t"
	subscriptionHandle = "rcl_subscription_t"
	serviceHandle      = "rclService"
	clientHandle       = "rclClient"
)

// A fault is an error of rclgo, whose text ends with a Go stack trace. Its first line is the
// reason.
type fault struct{ error }

func (f fault) Error() string {
	line, _, _ := strings.Cut(f.error.Error(), "\n")
	return line
}

func (f fault) Unwrap() error { return f.error }

// reason leaves the stack trace out of an error of rclgo.
func reason(err error) error {
	if err == nil {
		return nil
	}
	return fault{err}
}

// failed is the error of a call of support.c.
func failed(what string, code C.int) error {
	return fmt.Errorf("rclgo: %s: %s (code %d)", what, C.GoString(C.failure()), code)
}
