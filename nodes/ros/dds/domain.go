package dds

/*
#include <stdlib.h>
#include "endpoint.h"
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// The library has each domain once in a process; transports share it. The configuration of the
// first one holds.
var domains = struct {
	sync.Mutex
	open map[int]*domain
}{open: map[int]*domain{}}

type domain struct {
	id     int
	entity C.dds_entity_t
	users  int
}

func openDomain(c Config, warn func(string)) (*domain, error) {
	domains.Lock()
	defer domains.Unlock()
	if d := domains.open[c.Domain]; d != nil {
		d.users++
		return d, nil
	}
	xml := C.CString(c.xml())
	defer C.free(unsafe.Pointer(xml))
	d := &domain{id: c.Domain, users: 1}
	d.entity = C.dds_create_domain(C.dds_domainid_t(c.Domain), xml)
	if d.entity < 0 {
		return nil,
			failed(fmt.Sprintf("open domain %d (is CYCLONEDDS_URI right, does the interface exist?)",
				c.Domain), d.entity)
	}
	domains.open[c.Domain] = d
	if c.loopbackAlone() {
		if err := bindToLoopback(c.Domain); err != nil && warn != nil {
			warn(
				fmt.Sprintf(
					"the sockets of domain %d hear the network too, though only this machine is meant (close "+
						"UDP ports %d to %d): %v",
					c.Domain, firstPort+portsPerDomain*c.Domain, firstPort+portsPerDomain*(c.Domain+1)-1, err))
		}
	}
	return d, nil
}

func (d *domain) close() {
	domains.Lock()
	defer domains.Unlock()
	d.users--
	if d.users > 0 {
		return
	}
	delete(domains.open, d.id)
	C.dds_delete(d.entity)
}
