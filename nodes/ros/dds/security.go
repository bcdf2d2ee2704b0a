package dds

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "endpoint.h"

// library_path is the file of the DDS library that this process runs with, or "".
static const char *library_path(void)
{
	Dl_info info;
	int found = dladdr((void *)dds_create_participant, &info);
	return found != 0 && info.dli_fname != NULL ? info.dli_fname : "";
}
*/
import "C"

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unsafe"

	"stripswm/internal/files"
)

// SROS 2 keeps, for each enclave, a folder of keys, certificates and signed permissions
// (https://design.ros2.org/articles/ros2_dds_security.html). The library's security plugins read
// them; a participant with them talks only to others whose identity has the same authority, as far
// as governance and permissions say.

// securityFiles is what a folder of keys has, by the property of DDS Security that names it.
var securityFiles = []struct{ property, file string }{
	{"dds.sec.auth.identity_ca", "identity_ca.cert.pem"},
	{"dds.sec.auth.identity_certificate", "cert.pem"},
	{"dds.sec.auth.private_key", "key.pem"},
	{"dds.sec.access.permissions_ca", "permissions_ca.cert.pem"},
	{"dds.sec.access.governance", "governance.p7s"},
	{"dds.sec.access.permissions", "permissions.p7s"},
}

// protect gives the configuration the folder of its enclave's keys, if ROS_SECURITY_ENABLE asks for
// security; ROS_SECURITY_KEYSTORE has the folders. Where this one is missing it is an error if
// ROS_SECURITY_STRATEGY is Enforce, and a warning of Open otherwise.
func (c *Config) protect(getenv func(string) string) error {
	if getenv("ROS_SECURITY_ENABLE") != "true" {
		return nil
	}
	store := getenv("ROS_SECURITY_KEYSTORE")
	err := errors.New("there is no ROS_SECURITY_KEYSTORE")
	if store != "" {
		c.Keys = filepath.Join(store, "enclaves", filepath.FromSlash(enclaveName(c.Enclave)))
		err = checkKeys(c.Keys)
	}
	if err == nil {
		return nil
	}
	if err = fmt.Errorf("ROS_SECURITY_ENABLE is true, but enclave %s has no security: %w",
		enclaveName(c.Enclave), err); getenv("ROS_SECURITY_STRATEGY") == "Enforce" {
		return err
	}
	c.Keys, c.Unprotected = "", err.Error()
	return nil
}

func checkKeys(dir string) error {
	for _, f := range securityFiles {
		file, err := files.Open(filepath.Join(dir, f.file), 1<<20)
		if err != nil {
			return err
		}
		file.Close()
	}
	return nil
}

// securityProperties are those that a participant with the keys in dir needs, or nil if dir is
// empty.
func securityProperties(dir string) (map[string]string, error) {
	if dir == "" {
		return nil, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	properties := map[string]string{}
	for _, f := range securityFiles {
		properties[f.property] = "file:" + filepath.Join(dir, f.file)
	}
	for _, p := range []struct{ name, library, function string }{
		{"auth", "dds_security_auth", "authentication"},
		{"access", "dds_security_ac", "access_control"},
		{"crypto", "dds_security_crypto", "crypto"},
	} {
		prefix := "dds.sec." + p.name + ".library."
		properties[prefix+"path"] = plugin(p.library)
		properties[prefix+"init"] = "init_" + p.function
		properties[prefix+"finalize"] = "finalize_" + p.function
	}
	return properties, nil
}

// plugin is where a plugin of the library is: Debian has them in a folder beside it that is not
// searched.
func plugin(name string) string {
	library := C.GoString(C.library_path())
	beside, err := filepath.Glob(filepath.Join(filepath.Dir(library), "libddsc*", "lib"+name+".so"))
	if library == "" || err != nil || len(beside) == 0 {
		return name
	}
	return beside[0]
}

// newParticipant makes a participant of an enclave, with security if keys has its folder.
func newParticipant(domain int, enclave, keys string) (C.dds_entity_t, error) {
	properties, err := securityProperties(keys)
	if err != nil {
		return 0, fmt.Errorf("dds: keys in %s: %w", keys, err)
	}
	data := C.CString("enclave=" + enclave + ";")
	defer C.free(unsafe.Pointer(data))
	qos := C.dds_create_qos()
	defer C.dds_delete_qos(qos)
	C.dds_qset_userdata(qos, unsafe.Pointer(data), C.strlen(data))
	for name, value := range properties {
		n, v := C.CString(name), C.CString(value)
		C.dds_qset_prop(qos, n, v)
		C.free(unsafe.Pointer(n))
		C.free(unsafe.Pointer(v))
	}
	p := C.dds_create_participant(C.dds_domainid_t(domain), qos, nil)
	if p >= 0 {
		return p, nil
	}
	what := fmt.Sprintf("join domain %d", domain)
	if keys != "" {
		what += fmt.Sprintf(
			" with the keys in %s (the library has said on stderr what is wrong with them)", keys)
	}
	return 0, failed(what, p)
}

// enclaveName is an enclave's name as ROS writes it: "/", "/arm/camera".
func enclaveName(s string) string { return "/" + strings.Trim(s, "/") }
