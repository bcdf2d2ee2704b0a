package dds

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// governance encrypts and signs everything and lets nobody in who cannot be authenticated, as `ros2
// security` writes it.
const governance = `<?xml version="1.0" encoding="UTF-8"?>
<dds><domain_access_rules><domain_rule>
<domains><id_range><min>0</min><max>230</max></id_range></domains>
<allow_unauthenticated_participants>false</allow_unauthenticated_participants>
<enable_join_access_control>true</enable_join_access_control>
<discovery_protection_kind>ENCRYPT</discovery_protection_kind>
<liveliness_protection_kind>ENCRYPT</liveliness_protection_kind>
<rtps_protection_kind>SIGN</rtps_protection_kind>
<topic_access_rules><topic_rule>
<topic_expression>*</topic_expression>
<enable_discovery_protection>true</enable_discovery_protection>
<enable_liveliness_protection>true</enable_liveliness_protection>
<enable_read_access_control>true</enable_read_access_control>
<enable_write_access_control>true</enable_write_access_control>
<metadata_protection_kind>ENCRYPT</metadata_protection_kind>
<data_protection_kind>ENCRYPT</data_protection_kind>
</topic_rule></topic_access_rules>
</domain_rule></domain_access_rules></dds>`

// permissions lets the subject publish and subscribe to everything.
const permissions = `<?xml version="1.0" encoding="UTF-8"?>
<dds><permissions><grant name="/">
<subject_name>CN=/</subject_name>
<validity><not_before>2020-01-01T00:00:00</not_before><not_after>2120-01-01T00:00:00</not_after></validity>
<allow_rule><domains><id_range><min>0</min><max>230</max></id_range></domains>
<publish><topics><topic>*</topic></topics></publish><subscribe><topics><topic>*</topic></topics></subscribe></allow_rule>
<default>DENY</default></grant></permissions></dds>`

// keystore makes a keystore with one enclave, "/", by an authority of its own, and returns it.
func keystore(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("no openssl here, to make keys with")
	}
	store := t.TempDir()
	dir := filepath.Join(store, "enclaves")
	must(0, os.MkdirAll(dir, 0o700))
	for name, text := range map[string]string{"governance.xml": governance,
		"permissions.xml": permissions} {
		must(0, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	key := "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
	for _, command := range []string{
		"req -x509 " + key +
			" -keyout ca.key.pem -out identity_ca.cert.pem -days 3650 -subj /CN=authority",
		"req -new " + key + " -keyout key.pem -out request.pem -subj /CN=\\/",
		"x509 -req -in request.pem -CA identity_ca.cert.pem -CAkey ca.key.pem -CAcreateserial -out " +
			"cert.pem -days 3650",
		"x509 -in identity_ca.cert.pem -out permissions_ca.cert.pem",
		"smime -sign -text -in governance.xml -out governance.p7s -signer identity_ca.cert.pem -inkey " +
			"ca.key.pem",
		"smime -sign -text -in permissions.xml -out permissions.p7s -signer identity_ca.cert.pem " +
			"-inkey ca.key.pem",
	} {
		cmd := exec.Command("openssl", strings.Fields(command)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("openssl %s: %v\n%s", command, err, out)
		}
	}
	return store
}

// An enclave has an echo here, whoever joins. Its own hear it; who has no keys, or keys of another
// authority, finds only an echo of its like.
func TestEnclaveTalksToItsOwn(t *testing.T) {
	ours := filepath.Join(keystore(t), "enclaves")
	t.Setenv(keysVar, ours)
	start(t, "echo", testDomain)
	for name, keys := range map[string]string{"the same keys": ours, "no keys": "",
		"another authority": filepath.Join(keystore(t), "enclaves")} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(keysVar, keys)
			start(t, "echo", testDomain)
			_, n := join(t, testDomain)
			w, r, back := shout(n)
			echoes := 1
			if keys == ours {
				echoes = 2
			}
			eventually(t, "its own are found", func() bool {
				return w.Matched() >= echoes &&
					r.Matched() >= echoes
			})
			must(0, w.Write(payloadOf(1000)))
			for range echoes {
				rostest.Receive(t, "an echo", back)
			}
			if w.Matched() != echoes || r.Matched() != echoes || len(back) > 0 {
				t.Errorf("%d readers and %d writers are found, and %d answers too many: the enclave's too",
					w.Matched(), r.Matched(), len(back))
			}
		})
	}
}

func TestKeysFromTheEnvironment(t *testing.T) {
	store := keystore(t)
	missing := t.TempDir()
	for _, c := range []struct {
		name, env, enclave, keys, fault string
	}{
		{name: "off", env: "ROS_SECURITY_KEYSTORE=" + store},
		{name: "on", env: "ROS_SECURITY_ENABLE=true ROS_SECURITY_KEYSTORE=" + store,
			keys: filepath.Join(store, "enclaves")},
		{name: "an enclave without keys, permissive",
			env: "ROS_SECURITY_ENABLE=true ROS_SECURITY_KEYSTORE=" + store, enclave: "/arm"},
		{name: "an enclave without keys, enforced",
			env:     "ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Enforce ROS_SECURITY_KEYSTORE=" + store,
			enclave: "/arm", fault: "enclave /arm"},
		{name: "the override decides",
			env: "ROS_SECURITY_ENABLE=true ROS_SECURITY_ENCLAVE_OVERRIDE=/ ROS_SECURITY_KEYSTORE=" +
				store,
			enclave: "/arm", keys: filepath.Join(store, "enclaves")},
		{name: "no keystore, enforced", env: "ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Enforce",
			fault: "ROS_SECURITY_KEYSTORE"},
		{name: "an empty keystore, enforced",
			env:   "ROS_SECURITY_ENABLE=true ROS_SECURITY_STRATEGY=Enforce ROS_SECURITY_KEYSTORE=" + missing,
			fault: missing},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := map[string]string{}
			for _, field := range strings.Fields(c.env) {
				k, v, _ := strings.Cut(field, "=")
				env[k] = v
			}
			got, err := configFrom(func(k string) string { return env[k] }, c.enclave)
			if fault := fmt.Sprint(err); (err != nil) != (c.fault != "") ||
				!strings.Contains(fault, c.fault) && c.fault != "" {
				t.Fatalf("error %v, want one of %q", err, c.fault)
			}
			if got.Keys != c.keys {
				t.Errorf("keys in %q, want %q", got.Keys, c.keys)
			}
		})
	}
}

// Services are in partitions, about which the permissions of `ros2 security` say nothing.
func TestServiceInAnEnclave(t *testing.T) {
	t.Setenv(keysVar, filepath.Join(keystore(t), "enclaves"))
	start(t, "server", testDomain)
	_, n := join(t, testDomain)
	replies := make(chan ros.Reply, 1)
	c := must(n.NewCaller("/double", "std_srvs/srv/Trigger", func(r ros.Reply) { replies <- r }))
	eventually(t, "the server is found", c.Ready)
	must(c.Send(payloadOf(8)))
	if r := rostest.Receive(t, "the reply", replies); len(r.Payload) != 12 {
		t.Errorf("replied %v", r.Payload)
	}
}
