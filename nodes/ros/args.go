package ros

import (
	"fmt"
	"log/slog"
	"strings"
)

// Args is what a command line says to ROS nodes, between --ros-args and -- or the end.
type Args struct {
	Rest    []string // the arguments outside, for the program
	Enclave string   // of SROS 2, or empty

	remaps []remap
	params []override
	level  *slog.Level
}

// ParseArgs reads a command line without the program's name. It knows --params-file, -p, -r (also
// of __node and __ns) and
// --log-level and -e, and takes the other options that `ros2 run` and launch files give.
func ParseArgs(args []string) (Args, error) {
	var a Args
	for i := 0; i < len(args); i++ {
		if args[i] != "--ros-args" {
			a.Rest = append(a.Rest, args[i])
			continue
		}
		n, err := a.parseROS(args[i+1:])
		if err != nil {
			return Args{}, fmt.Errorf("--ros-args: %w", err)
		}
		i += n
	}
	return a, nil
}

// parseROS returns how many arguments it took, the closing "--" included.
func (a *Args) parseROS(args []string) (int, error) {
	for i := 0; i < len(args); i++ {
		flag := args[i]
		switch flag {
		case "--":
			return i + 1, nil
		case "--ros-args":
			continue
		case "--enable-rosout-logs", "--disable-rosout-logs", "--enable-stdout-logs",
			"--disable-stdout-logs",
			"--enable-external-lib-logs", "--disable-external-lib-logs":
			continue
		}
		if i+1 == len(args) {
			return 0, fmt.Errorf("%s needs a value", flag)
		}
		i++
		if err := a.set(flag, args[i]); err != nil {
			return 0, err
		}
	}
	return len(args), nil
}

func (a *Args) set(flag, value string) error {
	switch flag {
	case "-r", "--remap":
		r, err := parseRemap(value)
		a.remaps = append(a.remaps, r)
		return err
	case "-p", "--param":
		o, err := parseParam(value)
		a.params = append(a.params, o)
		return err
	case "--params-file":
		o, err := readParamsFile(value)
		a.params = append(a.params, o...)
		return err
	case "--log-level":
		return a.setLevel(value)
	case "-e", "--enclave":
		a.Enclave = value
		return nil
	case "--log-config-file", "--log-file-name":
		return nil // nothing here has log files
	}
	return fmt.Errorf("%s is not an option of ROS", flag)
}

func (a *Args) setLevel(value string) error {
	if _, level, ok := strings.Cut(value, ":="); ok {
		value = level // one logger a process: the name before it does not matter
	}
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo,
		"warn": slog.LevelWarn, "error": slog.LevelError, "fatal": levelFatal}
	level, ok := levels[strings.ToLower(value)]
	if !ok {
		return fmt.Errorf("log level %q is not debug, info, warn, error or fatal", value)
	}
	a.level = &level
	return nil
}

// rename applies __node and __ns rules to a node's own name.
func (a *Args) rename(n NodeName) NodeName {
	original := n.Name
	for _, r := range a.remaps {
		if r.node != "" && r.node != original {
			continue
		}
		switch r.from {
		case "__node", "__name":
			n.Name = r.to
		case "__ns":
			n.Namespace = "/" + strings.Trim(r.to, "/")
		}
	}
	return n
}
