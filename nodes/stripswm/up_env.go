package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// discoveryVariables say how far ROS 2 nodes look for each other.
var discoveryVariables = []string{"ROS_AUTOMATIC_DISCOVERY_RANGE", "ROS_LOCALHOST_ONLY",
	"CYCLONEDDS_URI"}

// localEnv keeps nodes on this machine, unless the environment says how far they are to look.
func localEnv(env []string) []string {
	for _, assignment := range env {
		name, value, _ := strings.Cut(assignment, "=")
		for _, v := range discoveryVariables {
			if name == v && value != "" {
				return env
			}
		}
	}
	return append(env, "ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST")
}

// stayLocal does to this process what localEnv does to children.
func stayLocal() error {
	if env := localEnv(os.Environ()); len(env) > len(os.Environ()) {
		return os.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	}
	return nil
}

func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "",
			fmt.Errorf(
				"the program %s is neither beside stripswm nor on PATH: build it with `go build -o bin/ "+
					"./nodes/...`", name)
	}
	return path, nil
}

// lockThread keeps the goroutine on its thread until the returned function is called.
func lockThread() (unlock func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
