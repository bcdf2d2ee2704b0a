package dds

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"stripswm/nodes/ros"
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
	domain, _ := strconv.Atoi(os.Getenv(domainVar))
	if err := roles[role](loopback(domain)); err != nil {
		fmt.Fprintln(os.Stderr, role, err)
		os.Exit(1)
	}
}

// keysVar is a folder of keys for tests and their peers.
const keysVar = "DDS_TEST_KEYS"

func loopback(domain int) Config {
	return Config{Domain: domain, Range: Localhost, Keys: os.Getenv(keysVar)}
}

var roles = map[string]func(Config) error{
	"echo":      echo,
	"publisher": publisher,
	"server":    serve,
	"other":     other,
}

// withNode runs f with a node and ends when the parent closes standard input.
func withNode(c Config, name string, f func(ros.Endpoints) error) error {
	t, err := Open(c, nil)
	if err != nil {
		return err
	}
	defer t.Close()
	n, err := t.AddNode(ros.NodeName{Namespace: "/", Name: name})
	if err != nil {
		return err
	}
	if err := f(n); err != nil {
		return err
	}
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\n')
	return nil
}

func echo(c Config) error {
	return withNode(c, "echo", func(n ros.Endpoints) error {
		w, err := n.NewWriter("/pong", "sensor_msgs/msg/Image", ros.Default, nil)
		if err != nil {
			return err
		}
		_, err = n.NewReader("/ping", "sensor_msgs/msg/Image", ros.Default, func(s ros.Sample) {
			// Who sent it has found this writer, which need not have found its reader yet.
			for w.Matched() == 0 {
				time.Sleep(5 * time.Millisecond)
			}
			w.Write(s.Payload)
		}, nil)
		return err
	})
}

func publisher(c Config) error {
	return withNode(c, "publisher", func(n ros.Endpoints) error {
		w, err := n.NewWriter("/count", "std_msgs/msg/String", ros.QoS{TransientLocal: true, Depth: 3},
			nil)
		if err != nil {
			return err
		}
		for i := range byte(10) {
			if err := w.Write([]byte{0, 1, 0, 0, i, 0, 0, 0}); err != nil {
				return err
			}
		}
		return nil
	})
}

func serve(c Config) error {
	return withNode(c, "server", func(n ros.Endpoints) error {
		var s ros.Responder
		requests := make(chan ros.Request, 64)
		s, err := n.NewResponder("/double", "std_srvs/srv/Trigger", func(r ros.Request) { requests <- r })
		go func() {
			for r := range requests {
				s.Reply(r.ID, append(r.Payload, r.Payload[encapsulation:]...))
			}
		}()
		return err
	})
}

// start runs the role until the test ends, and returns when the role is ready.
func start(t *testing.T, role string, domain int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role, domainVar+"="+strconv.Itoa(domain))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	tr, err := Open(loopback(domain), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Close() })
	n, err := tr.AddNode(ros.NodeName{Namespace: "/", Name: "tester"})
	if err != nil {
		t.Fatal(err)
	}
	return tr, n
}

// eventually waits until the condition holds, which may take as long as discovery on a busy
// machine.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("never: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func receive[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(2 * time.Minute):
		t.Fatalf("nothing came: %s", what)
		panic("unreachable")
	}
}
