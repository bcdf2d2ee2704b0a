package dds

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

// Peers are other processes: this test binary again, in a role that the environment names.
const (
	roleVar   = "DDS_TEST_ROLE"
	domainVar = "DDS_TEST_DOMAIN"
)

// Test runs side by side must not hear each other.
var testDomain = 100 + os.Getpid()%30

func TestMain(m *testing.M) {
	role := os.Getenv(roleVar)
	if role == "" {
		os.Exit(m.Run())
	}
	tr := must(Open(loopback(must(strconv.Atoi(os.Getenv(domainVar)))), nil))
	defer tr.Close()
	roles[role](must(tr.AddNode(ros.NodeName{Namespace: "/", Name: role})))
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\n') // which ends with the parent's test
}

// keysVar is a folder of keys for tests and their peers.
const keysVar = "DDS_TEST_KEYS"

func loopback(domain int) Config {
	return Config{Domain: domain, Range: Localhost, Keys: os.Getenv(keysVar)}
}

var roles = map[string]func(ros.Endpoints){"echo": echo, "server": serve, "other": other}

func echo(n ros.Endpoints) {
	w := must(n.NewWriter("/pong", "sensor_msgs/msg/Image", ros.Default, nil))
	must(n.NewReader("/ping", "sensor_msgs/msg/Image", ros.Default, func(s ros.Sample) {
		// Who sent it has found this writer, which need not have found its reader yet.
		for w.Matched() == 0 {
			time.Sleep(5 * time.Millisecond)
		}
		w.Write(s.Payload)
	}, nil))
}

func serve(n ros.Endpoints) {
	requests := make(chan ros.Request, 64)
	s := must(n.NewResponder("/double", "std_srvs/srv/Trigger", func(r ros.Request) {
		requests <- r
	}))
	go func() {
		for r := range requests {
			s.Reply(r.ID, append(r.Payload, r.Payload[encapsulation:]...))
		}
	}()
}

// start runs the role until the test ends, and returns when the role is ready.
func start(t *testing.T, role string, domain int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role, domainVar+"="+strconv.Itoa(domain))
	cmd.Stderr = os.Stderr
	in := must(cmd.StdinPipe())
	out := must(cmd.StdoutPipe())
	must(0, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		t.Fatalf("peer %s said %q, %v", role, line, err)
	}
}

// join opens a transport with one node for the test.
func join(t *testing.T, domain int) (*Transport, ros.Endpoints) {
	t.Helper()
	tr := must(Open(loopback(domain), nil))
	t.Cleanup(func() { tr.Close() })
	n := must(tr.AddNode(ros.NodeName{Namespace: "/", Name: "tester"}))
	return tr, n
}

var eventually = rostest.Eventually

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
