package middleware_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/middleware"
)

// cameraVar makes this test binary the other process of BenchmarkProcesses.
const cameraVar = "MIDDLEWARE_TEST_CAMERA"

func TestMain(m *testing.M) {
	if os.Getenv(cameraVar) == "" {
		os.Exit(m.Run())
	}
	camera()
}

const width, height = 640, 480

var qualities = map[string]ros.QoS{"reliable": ros.Default, "best_effort": ros.SensorData}

// An order is to publish so many images.
type order struct {
	Topic string
	Rate  float64 // images a second
	Count int
}

// usage is user and system time, and resident memory, of a process.
type usage struct {
	CPU time.Duration
	MB  float64
}

func used() (u usage) {
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) == nil {
		u.CPU = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		var total int
		fmt.Sscan(string(text), &total, &u.MB)
		u.MB *= float64(os.Getpagesize()) / (1 << 20)
	}
	return u
}

func join(name string) (*ros.Node, func()) {
	t := must(middleware.Open("", func(w string) { fmt.Fprintln(os.Stderr, w) }))
	n := must(ros.NewNode(t, name, ros.Args{}, ros.Options{}))
	return n, func() { n.Close(); t.Close() }
}

// camera obeys orders until standard input ends, and serves. It says what each took.
func camera() {
	n, leave := join("camera")
	defer leave()
	topics := map[string]*ros.Publisher[*msgs.Image]{}
	for name, q := range qualities {
		topics[name] = must(ros.Advertise[*msgs.Image](n, name, q))
	}
	must(0, ros.Trigger(n, "trigger", func(context.Context) (string, error) { return "", nil }))
	answers := json.NewEncoder(os.Stdout)
	for orders := json.NewDecoder(os.Stdin); ; {
		var do order
		if err := orders.Decode(&do); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		if do.Count > 0 {
			publish(topics[do.Topic], do)
		}
		must(0, answers.Encode(used()))
	}
}

func publish(pub *ros.Publisher[*msgs.Image], do order) {
	must(0, pub.WaitForSubscribers(context.Background(), 1))
	m := &msgs.Image{Height: height, Width: width, Encoding: msgs.RGB8, Step: 3 * width,
		Data: make([]byte, 3*width*height)}
	next := time.Now()
	for i := range do.Count {
		m.Data[i%len(m.Data)]++
		m.Header.Stamp = msgs.TimeFrom(time.Now())
		must(0, pub.Publish(m))
		next = next.Add(time.Duration(float64(time.Second) / do.Rate))
		time.Sleep(time.Until(next))
	}
}

// BenchmarkProcesses measures images, at fixed rates, and service calls between two processes, on
// the transport that the tests are built with. Figures hold for this machine and its load.
// Latency is from the stamp, set just before an image is encoded, to the handler with the decoded
// image. Memory that grows from one rate to the next is a leak. CYCLONEDDS_URI selects a
// configuration, and eval "$(make -s ros-env)" the transport rclgo.
func BenchmarkProcesses(b *testing.B) {
	b.Setenv("ROS_DOMAIN_ID", "199")
	b.Setenv("ROS_LOCALHOST_ONLY", "1")
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), cameraVar+"=1"), os.Stderr
	in := must(cmd.StdinPipe())
	out := must(cmd.StdoutPipe())
	must(0, cmd.Start())
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	n, leave := join("watcher")
	b.Cleanup(leave)

	orders, answers := json.NewEncoder(in), json.NewDecoder(out)
	do := func(o order) (u usage) {
		must(0, errors.Join(orders.Encode(o), answers.Decode(&u)))
		return u
	}
	for _, rate := range []float64{30, 100, 400} {
		for _, topic := range []string{"reliable", "best_effort"} {
			b.Run(fmt.Sprintf("images/%s/%.0fHz", topic, rate), func(b *testing.B) {
				images(b, n, do, order{topic, rate, b.N})
			})
		}
	}
	b.Run("calls", func(b *testing.B) {
		client := must(ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](n, "trigger"))
		defer client.Close()
		var times []time.Duration
		for b.Loop() {
			begin := time.Now()
			must(client.Call(b.Context(), &msgs.TriggerRequest{}))
			times = append(times, time.Since(begin))
		}
		quantiles(b, times)
	})
}

// settle is how long images may still be under way after the last one was sent.
const settle = 500 * time.Millisecond

func images(b *testing.B, n *ros.Node, do func(order) usage, o order) {
	b.StopTimer()
	var mu sync.Mutex
	var times []time.Duration
	sub := must(ros.Subscribe(n, o.Topic, qualities[o.Topic], func(m *msgs.Image, _ ros.Info) {
		took := time.Since(m.Header.Stamp.GoTime())
		mu.Lock()
		times = append(times, took)
		mu.Unlock()
	}))
	defer sub.Close()
	// Both sides must have found each other: what a reader does not know yet, it drops.
	must(0, sub.WaitForPublishers(b.Context(), 1))
	sender, receiver := do(order{}), used()
	b.StartTimer()
	sent := do(o)
	b.StopTimer()
	time.Sleep(settle)
	got := used()
	mu.Lock()
	defer mu.Unlock()
	quantiles(b, times)
	b.ReportMetric(float64(o.Count-len(times)), "lost")
	b.ReportMetric(milliseconds(sent.CPU-sender.CPU)/float64(o.Count), "out-cpu-ms")
	b.ReportMetric(milliseconds(got.CPU-receiver.CPU)/float64(o.Count), "in-cpu-ms")
	b.ReportMetric(sent.MB, "out-MB")
	b.ReportMetric(got.MB, "in-MB")
}

func quantiles(b *testing.B, times []time.Duration) {
	b.ReportMetric(0, "ns/op") // of images, the period
	slices.Sort(times)
	for name, q := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99, "max-ms": 1} {
		if n := len(times); n > 0 {
			b.ReportMetric(milliseconds(times[min(int(q*float64(n)), n-1)]), name)
		}
	}
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
