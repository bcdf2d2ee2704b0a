package dds

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

func TestSocketsAreTiedToLoopback(t *testing.T) {
	join(t, testDomain)
	sockets, err := receivers(testDomain)
	if err != nil || len(sockets) == 0 {
		t.Fatalf("sockets %v, %v", sockets, err)
	}
	for _, fd := range sockets {
		if device, err := unix.GetsockoptString(fd, unix.SOL_SOCKET, unix.SO_BINDTODEVICE); err != nil ||
			device != loopbackDevice {
			t.Errorf("socket %d is tied to %q: %v", fd, device, err)
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
		if err := send(t, loopback(testDomain)); err == nil {
			t.Error("this machine only, and a packet from the network finds a receiver")
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
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := inNamespace(cable + " && exec " + self +
		" -test.run '^TestNothingIsHeardFromTheNetwork$'"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// send sends packets from the other end of the cable to each receiving socket of a transport. It is
// an error if one is refused.
func send(t *testing.T, c Config) error {
	t.Helper()
	tr, err := Open(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	sockets, err := receivers(c.Domain)
	if err != nil || len(sockets) == 0 {
		t.Fatalf("sockets %v, %v", sockets, err)
	}
	for _, fd := range sockets {
		address, err := unix.Getsockname(fd)
		if err != nil {
			t.Fatal(err)
		}
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
