package interop

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/gz"
	"stripswm/test/internal/process"
)

func ignitionWorld(t *testing.T, partition string) *process.Process {
	t.Helper()
	return process.Ignition(t, "ignition", partition, "tables", "body_00", "body_01")
}

// sight keeps the last image.
type capture struct {
	mu   sync.Mutex
	last gazebo.Image
}

func (s *capture) take(p gazebo.Image) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = p
}

func (s *capture) pixels() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last.RGB
}

func body(name string, x, y float64) gazebo.Body {
	return gazebo.Body{Name: name, Position: [3]float64{x, y, 0.5}, Orientation: [4]float64{0, 0, 0.6,
		0.8}}
}

// TestIgnitionTransport moves bodies over gz-transport, which both ends implement on their own.
func TestIgnitionTransport(t *testing.T) {
	t.Parallel()
	partition := fmt.Sprintf("strips_wm_%d", process.Domain(t))
	settings := gz.Settings{Host: "127.0.0.1", Partition: partition}
	server := ignitionWorld(t, partition)
	defer server.Stop(syscall.SIGKILL)
	var seen capture
	w := must(gz.Connect(process.Soon(t), settings, "tables", seen.take))
	defer w.Close()

	for i := range 10 {
		// one moves, one stays
		bodies := []gazebo.Body{body("body_00", float64(i)/10, -0.1), body("body_01", 0.3, 0.2)}
		if err := w.Show(process.Soon(t), bodies); err != nil {
			t.Fatal(err)
		}
		if want, got := []byte{byte(10 * i), 246, 255, 30, 20, 255}, seen.pixels(); !bytes.Equal(got,
			want) {
			t.Errorf("the image after step %d has %v, want %v", i, got, want)
		}
	}
	short := func(of time.Duration) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), of)
		t.Cleanup(cancel)
		return ctx
	}
	if err := w.Show(short(time.Second), []gazebo.Body{body("body_07", 0, 0)}); !errors.Is(err,
		gazebo.ErrNoBody) || !strings.Contains(err.Error(), "body_07") {
		t.Errorf("a body that is not there: %v", err)
	}
	if _, err := gz.Connect(short(time.Second), settings, "moon", seen.take); !errors.Is(err,
		gazebo.ErrGone) || !strings.Contains(err.Error(), "/world/moon/") {
		t.Errorf("a world that is not there: %v", err)
	}
	elsewhere := gz.Settings{Host: "127.0.0.1", Partition: partition + "x"}
	if _, err := gz.Connect(short(2*time.Second), elsewhere, "tables", seen.take); !errors.Is(err,
		gazebo.ErrGone) || !strings.Contains(err.Error(), "GZ_PARTITION") {
		t.Errorf("another partition: %v", err)
	}

	server.Stop(syscall.SIGKILL)
	process.Receive(t, "the end of the world", w.Done())
	if err := w.Show(process.Soon(t), []gazebo.Body{body("body_00", 0, 0)}); !errors.Is(err,
		gazebo.ErrGone) || !errors.Is(w.Err(), gazebo.ErrGone) {
		t.Errorf("after the end: %v, %v", err, w.Err())
	}
	ignitionWorld(t, partition) // and it comes back
	again := must(gz.Connect(process.Soon(t), settings, "tables", seen.take))
	defer again.Close()
	if err := again.Show(process.Soon(t), []gazebo.Body{body("body_00", 0.7, 0)}); err != nil {
		t.Error(err)
	}
}
