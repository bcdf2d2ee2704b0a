package process

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// watch waits until its standard input ends and then kills every process of a
// session, also those in groups of their own. It looks three times: what it kills
// first may have been about to start another. (/proc/PID/stat has state, parent,
// group and session after the name in parentheses.)
const watch = `
read -r over
for pass in 1 2 3; do
	for file in /proc/[0-9]*/stat; do
		read -r stat <"$file" || continue
		set -- ${stat##*) }
		[ "$4" = "$0" ] || continue
		file=${file%/stat}
		kill -KILL "${file#/proc/}"
	done
done 2>/dev/null
`

// guard has a session killed when release is called, or when this process ends,
// however it ends: what is left of it then is a pipe that closes.
func guard(session int) (release func(), err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command("sh", "-c", watch, strconv.Itoa(session))
	cmd.Stdin = r
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of reach of ^C
	if err := cmd.Start(); err != nil {
		w.Close()
		return nil, fmt.Errorf("start the guard: %w", err)
	}
	return func() {
		w.Close()
		cmd.Wait()
	}, nil
}
