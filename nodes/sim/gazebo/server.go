package gazebo

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrNoGazebo is wrapped where there is no Gazebo 11 to run.
var ErrNoGazebo = errors.New("no gazebo 11 here")

// Server is Gazebo's server and the display that it draws on, without a window.
type Server struct {
	root     string
	world    string // file
	programs []*exec.Cmd
	ends     chan error
	node     *node // see named
	stop     sync.Once
}

// Install is where a Gazebo 11 is: a tree that is entered with chroot, for which one has to be
// root, or empty for the machine's own.
type Install string

// Check says what is missing to run it.
func (i Install) Check() error {
	if i == "" {
		for _, name := range []string{"gzserver", "Xvfb"} {
			if _, err := exec.LookPath(name); err != nil {
				return fmt.Errorf("%w: %w", ErrNoGazebo, err)
			}
		}
		return nil
	}
	if _, err := os.Stat(filepath.Join(string(i), "usr/bin/gzserver")); err != nil {
		return fmt.Errorf("%w: %w: run make gazebo", ErrNoGazebo, err)
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("%w: the one in %s is entered with chroot, which takes root", ErrNoGazebo, i)
	}
	return nil
}

// Start runs a world, in SDF, with the master at a port of this machine. Everything the
// programs say goes to log. It returns when the master names the world.
func Start(ctx context.Context, install Install, sdf []byte, port int,
	log io.Writer,
) (*Server, error) {
	if err := install.Check(); err != nil {
		return nil, err
	}
	s := &Server{root: string(install), ends: make(chan error, 2)}
	world, err := os.CreateTemp(s.path("/tmp"), "stripswm-gazebo-*.sdf")
	if err != nil {
		return nil, err
	}
	s.world = world.Name()
	_, err = world.Write(sdf)
	if err := errors.Join(err, world.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(s.world))
	}
	uri := fmt.Sprintf("http://127.0.0.1:%d", port)
	display, err := s.display(ctx, log)
	if err == nil {
		err = s.run(log, nil, []string{"DISPLAY=" + display, "GAZEBO_MASTER_URI=" + uri}, "gzserver",
			"--verbose", filepath.Join("/tmp", filepath.Base(s.world)))
	}
	if err == nil {
		err = s.named(ctx, uri)
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// path is where the tree has a file.
func (s *Server) path(name string) string { return filepath.Join(s.root, name) }

// display starts a display without a window, which chooses its own number and tells it.
func (s *Server) display(ctx context.Context, log io.Writer) (string, error) {
	told, tell, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer told.Close()
	err = s.run(log, tell, nil, "Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten",
		"tcp")
	tell.Close()
	if err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { told.Close() })
	defer stop()
	number, err := bufio.NewReader(told).ReadString('\n')
	if err != nil {
		select {
		case err = <-s.ends:
			s.ends <- err
		default:
		}
		return "", cmp.Or(context.Cause(ctx), fmt.Errorf("the display did not start: %w", err))
	}
	return ":" + strings.TrimSpace(number), nil
}

// run starts a program that ends with this one; extra is its file 3, if there is one.
func (s *Server) run(log io.Writer, extra *os.File, env []string, name string,
	arguments ...string,
) error {
	cmd := exec.Command(name, arguments...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	cmd.Env = os.Environ()
	if s.root != "" {
		root, err := filepath.Abs(s.root)
		if err != nil {
			return err
		}
		cmd.Path, cmd.Err, cmd.Dir = "/usr/bin/"+name, nil, "/" // within the tree
		cmd.SysProcAttr.Chroot = root
		const libraries = "/usr/lib/x86_64-linux-gnu"
		cmd.Env = []string{"HOME=/tmp", "PATH=/usr/bin:/bin", "GAZEBO_RESOURCE_PATH=/usr/share/gazebo-11",
			"LD_LIBRARY_PATH=" + libraries + ":" + libraries + "/blas:" + libraries + "/lapack:" +
				libraries + "/pulseaudio"}
	}
	cmd.Env = append(cmd.Env, "LIBGL_ALWAYS_SOFTWARE=1", "GAZEBO_IP=127.0.0.1",
		"GAZEBO_MODEL_DATABASE_URI=")
	if extra != nil {
		cmd.ExtraFiles = []*os.File{extra}
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = log, log
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // Pdeathsig watches the thread that starts the program
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			err = cmd.Wait()
			s.ends <- fmt.Errorf("%w: %s has ended: %v", ErrGone, name,
				cmp.Or(err, errors.New("exit status 0")))
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	s.programs = append(s.programs, cmd)
	return nil
}

// named waits for the master to name a world. Its connection stays until Stop: the master of Gazebo
// 11 numbers a new connection by how many there are, so that after one has ended the next takes the
// number of another, which may be that of Gazebo itself, whose worlds are then never named.
func (s *Server) named(ctx context.Context, uri string) error {
	const patience = time.Minute // Gazebo itself gives up after 11 seconds
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		if n, err := dial(ctx, uri); err == nil {
			tick.Stop()
			s.node = n
			return n.await(ctx, "")
		}
		select {
		case <-tick.C:
		case err := <-s.ends:
			s.ends <- err
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Wait returns when one of the programs ends by itself, and says how, or when ctx ends.
func (s *Server) Wait(ctx context.Context) error {
	select {
	case err := <-s.ends:
		s.ends <- err
		return err
	case <-ctx.Done():
		return nil
	}
}

// Stop kills the programs, as nothing is lost by that, and waits for their end.
func (s *Server) Stop() error {
	s.stop.Do(func() {
		if s.node != nil {
			s.node.Close()
		}
		for _, cmd := range s.programs {
			cmd.Process.Kill()
		}
		for range s.programs {
			<-s.ends
		}
		os.Remove(s.world)
	})
	return nil
}
