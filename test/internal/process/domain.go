package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// The ROS domains of tests: users have 0, and from 102 the ports are those that
// Linux hands out to anybody.
const firstDomain, lastDomain = 20, 101

// Domain is a ROS domain that no other test of this machine has until this one
// ends. It waits if all are taken.
func Domain(t testing.TB) int {
	t.Helper()
	for round := 0; ; round++ {
		for domain := firstDomain; domain <= lastDomain; domain++ {
			path := filepath.Join(os.TempDir(), fmt.Sprintf("stripswm-domain-%d-%d", os.Getuid(), domain))
			file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
				t.Cleanup(func() { file.Close() })
				return domain
			}
			file.Close()
		}
		if round == 0 {
			t.Logf("every ROS domain from %d to %d is in use: waiting", firstDomain, lastDomain)
		}
		sleep()
	}
}

// Env is the environment of a node in a domain, on this machine alone.
func Env(domain int) []string {
	return append(os.Environ(), "ROS_DOMAIN_ID="+strconv.Itoa(domain), "ROS_LOCALHOST_ONLY=1")
}
