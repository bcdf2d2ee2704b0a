package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// parent runs the child and measures.
func parent(ctx context.Context, o options) error {
	c, err := startChild(ctx, o)
	if err != nil {
		return err
	}
	defer c.stop()
	n, done, err := open(o, "watcher")
	if err != nil {
		return err
	}
	defer done()

	fmt.Printf("images %dx%d rgb8 between two processes\n\n", width, height)
	fmt.Println(
		"| quality of service | Hz | images | lost | p50 ms | p99 ms | max ms | CPU ms an image, out | " +
			"in |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, bestEffort := range []bool{true, false} {
		for _, rate := range []float64{30, 100} {
			if err := images(n, c, order{BestEffort: bestEffort, Rate: rate,
				Count: int(rate * o.duration.Seconds())}); err != nil {
				return err
			}
		}
	}
	if err := memory(n, c, o.memory); err != nil {
		return err
	}
	return calls(ctx, n, o.calls)
}

type childProcess struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	orders  *json.Encoder
	answers *json.Decoder
}

func startChild(ctx context.Context, o options) (*childProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-child", "-domain", strconv.Itoa(o.domain))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &childProcess{cmd, in, json.NewEncoder(in), json.NewDecoder(out)}
	_, err = c.answer() // ready
	return c, err
}

func (c *childProcess) stop() {
	c.stdin.Close()
	c.cmd.Wait()
}

func (c *childProcess) answer() (report, error) {
	var r report
	if err := c.answers.Decode(&r); err != nil {
		return r, fmt.Errorf("the child's answer: %w", err)
	}
	if r.Err != "" {
		return r, errors.New("the child: " + r.Err)
	}
	return r, nil
}

func (c *childProcess) do(o order) (report, error) {
	if err := c.orders.Encode(o); err != nil {
		return report{}, err
	}
	return c.answer()
}

// settle is how long images may still be under way after the last one was sent.
const settle = 500 * time.Millisecond

func images(n *ros.Node, c *childProcess, o order) error {
	var mu sync.Mutex
	var latencies []time.Duration
	name, q := topic(o.BestEffort)
	sub, err := ros.Subscribe(n, name, q, func(m *msgs.Image, _ ros.Info) {
		latency := time.Since(m.Header.Stamp.GoTime())
		mu.Lock()
		latencies = append(latencies, latency)
		mu.Unlock()
	})
	if err != nil {
		return err
	}
	defer sub.Close()
	// Both sides must have found each other: what a reader does not know yet, it drops.
	if err := sub.WaitForPublishers(n.Context(), 1); err != nil {
		return err
	}
	cpu := cpuTime()
	sent, err := c.do(o)
	if err != nil {
		return err
	}
	time.Sleep(settle)
	cpu = cpuTime() - cpu
	mu.Lock()
	defer mu.Unlock()
	s, each := sorted(latencies), time.Duration(max(len(latencies), 1))
	fmt.Printf("| %s | %.0f | %d | %d | %s | %s | %s | %s | %s |\n", q, o.Rate, sent.Sent,
		sent.Sent-len(s),
		ms(quantile(s, 0.5)), ms(quantile(s, 0.99)), ms(quantile(s, 1)),
		ms(sent.CPU/time.Duration(sent.Sent)), ms(cpu/each))
	return nil
}

// memory shows both processes' resident memory along a run at 400 Hz.
func memory(n *ros.Node, c *childProcess, count int) error {
	name, q := topic(false)
	sub, err := ros.Subscribe(n, name, q, func(*msgs.Image, ros.Info) {})
	if err != nil {
		return err
	}
	defer sub.Close()
	fmt.Println("\n| images so far | memory out MB | in MB |\n|---|---|---|")
	const parts = 5
	for i := range parts {
		r, err := c.do(order{Rate: 400, Count: count / parts})
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %s | %s |\n", (i+1)*(count/parts), mb(r.RSS), mb(rss()))
	}
	return nil
}

func calls(ctx context.Context, n *ros.Node, count int) error {
	client, err := ros.NewClient[*msgs.TriggerRequest, *msgs.TriggerResponse](n, "trigger")
	if err != nil {
		return err
	}
	defer client.Close()
	times := make([]time.Duration, 0, count)
	for range count {
		begin := time.Now()
		if _, err := client.Call(ctx, &msgs.TriggerRequest{}); err != nil {
			return err
		}
		times = append(times, time.Since(begin))
	}
	s := sorted(times)
	fmt.Printf("\nservice calls: %d, p50 %s ms, p99 %s ms, max %s ms\n", count, ms(quantile(s, 0.5)),
		ms(quantile(s, 0.99)), ms(quantile(s, 1)))
	return nil
}
