package dds

import (
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stripswm/nodes/ros"
)

// addresses are those of this process's sockets of the internet, with their devices, by descriptor.
func addresses() map[int]string {
	entries := must(os.ReadDir("/proc/self/fd"))
	found := map[int]string{}
	for _, e := range entries {
		fd, _ := strconv.Atoi(e.Name())
		device, _ := unix.GetsockoptString(fd, unix.SOL_SOCKET, unix.SO_BINDTODEVICE)
		switch address, _ := unix.Getsockname(fd); a := address.(type) {
		case *unix.SockaddrInet4:
			found[fd] = netip.AddrFrom4(a.Addr).String() + "%" + device
		case *unix.SockaddrInet6:
			found[fd] = netip.AddrFrom16(a.Addr).String() + "%" + device
		}
	}
	return found
}

// TestNothingListensBeyondLoopback opens transports that are for this machine, or for nobody.
func TestNothingListensBeyondLoopback(t *testing.T) {
	for i, env := range []string{"ROS_LOCALHOST_ONLY=1", "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST",
		"ROS_AUTOMATIC_DISCOVERY_RANGE=OFF"} {
		name, value, _ := strings.Cut(env, "=")
		config := must(configFrom(func(k string) string {
			return map[string]string{name: value, "ROS_DOMAIN_ID": strconv.Itoa(testDomain + i)}[k]
		}, ""))
		before := addresses()
		tr := must(Open(config, func(w string) { t.Log(w) }))
		defer tr.Close()
		receiving := 0
		for fd, address := range addresses() {
			if before[fd] != "" {
				continue
			}
			if address == "0.0.0.0%"+loopbackDevice {
				receiving++
			} else if !strings.HasPrefix(address, "127.0.0.1%") {
				t.Errorf("%s: a socket on %s", env, address)
			}
		}
		if receiving == 0 {
			t.Errorf("%s: no socket receives", env)
		}
	}
}

// TestOffIsHeardByNobody has a node in the range Off beside one that looks on this machine.
func TestOffIsHeardByNobody(t *testing.T) {
	config := loopback(testDomain)
	config.Range = Off
	tr := must(Open(config, nil))
	defer tr.Close()
	node := must(tr.AddNode(ros.NodeName{Namespace: "/", Name: "tester"}))
	ping := must(node.NewWriter("/ping", "sensor_msgs/msg/Image", ros.Default, nil))
	start(t, "echo", testDomain)
	for range 100 { // the others find it within a tenth of a second
		if n := ping.Matched(); n > 0 {
			t.Fatalf("%d readers found", n)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestOwnConfigurationDecides gives the library's configuration beside ROS 2's variables.
func TestOwnConfigurationDecides(t *testing.T) {
	const lo = `<NetworkInterface name="lo"/>`
	file := filepath.Join(t.TempDir(), "dds.xml")
	must(0, os.WriteFile(file, []byte(`<CycloneDDS><Domain><General><Interfaces>`+lo+
		`</Interfaces></General></Domain></CycloneDDS>`), 0o666))
	for name, uri := range map[string]string{
		"a file":         "file://" + file,
		"in words":       `<General><Interfaces>` + lo + `</Interfaces></General>`,
		"an old element": `<General><NetworkInterfaceAddress>lo</NetworkInterfaceAddress></General>`,
	} {
		for _, env := range []string{"ROS_LOCALHOST_ONLY=1", "ROS_AUTOMATIC_DISCOVERY_RANGE=OFF"} {
			variable, value, _ := strings.Cut(env, "=")
			config := must(configFrom(func(k string) string {
				return map[string]string{variable: value, "CYCLONEDDS_URI": uri,
					"ROS_DOMAIN_ID": strconv.Itoa(testDomain)}[k]
			}, ""))
			var warnings string
			tr, err := Open(config, func(w string) { warnings += w })
			if err != nil {
				t.Errorf("%s, %s: %v", name, env, err)
				continue
			}
			if err := tr.Close(); err != nil || !strings.Contains(warnings, "CYCLONEDDS_URI decides") {
				t.Errorf("%s, %s: %v, warned %q", name, env, err, warnings)
			}
		}
	}
}

// cableVar has the test run between the two ends of a cable.
const cableVar = "DDS_TEST_CABLE"

// cable makes two network namespaces, this one and "far", with a virtual cable between.
const cable = `mount -t tmpfs tmpfs /run && ip link set lo up && ip netns add far && ip link add near type veth peer name end netns far &&
	ip addr add 10.9.9.1/24 dev near && ip link set near up && ip -n far addr add 10.9.9.2/24 dev end && ip -n far link set end up`

// A packet that comes by the network finds nobody, and its sender is told that the port is closed.
// In the range Subnet it is heard.
func TestNothingIsHeardFromTheNetwork(t *testing.T) {
	if os.Getenv(cableVar) != "" {
		if err := send(t, Config{Domain: testDomain, Range: Subnet}); err != nil {
			t.Errorf("the subnet is not heard: %v", err)
		}
		for _, r := range []Range{Localhost, Off} {
			if err := send(t, Config{Domain: testDomain, Range: r}); err == nil {
				t.Errorf("range %d, and a packet from the network finds a receiver", r)
			}
		}
		return
	}
	inNamespace := func(script string) ([]byte, error) {
		cmd := exec.Command("unshare", "--net", "--mount", "sh", "-ec", script)
		cmd.Env = append(os.Environ(), cableVar+"=1")
		return cmd.CombinedOutput()
	}
	if out, err := inNamespace(cable); err != nil {
		t.Skipf("no network namespaces here (they take root, iproute2 and unshare): %v\n%s", err, out)
	}
	self := must(os.Executable())
	if out, err := inNamespace(cable + " && exec " + self +
		" -test.run '^TestNothingIsHeardFromTheNetwork$'"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// send sends packets from the other end of the cable to each receiving socket of a transport. It is
// an error if one is refused.
func send(t *testing.T, c Config) error {
	t.Helper()
	tr := must(Open(c, nil))
	defer tr.Close()
	sockets, err := receivers(c.Domain)
	if err != nil || len(sockets) == 0 {
		t.Fatalf("sockets %v, %v", sockets, err)
	}
	for _, fd := range sockets {
		address := must(unix.Getsockname(fd))
		// The answer to one packet is an error of the next.
		script := fmt.Sprintf(
			"exec 3>/dev/udp/10.9.9.1/%d; for i in 1 2 3 4 5; do echo >&3; sleep 0.1; done",
			address.(*unix.SockaddrInet4).Port)
		if out, err := exec.Command("ip", "netns", "exec", "far", "bash", "-ec",
			script).CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	return nil
}
