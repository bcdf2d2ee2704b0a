package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// An order is one line from the parent: publish so many images.
type order struct {
	BestEffort bool
	Rate       float64 // images a second
	Count      int
}

// A report is the child's answer.
type report struct {
	Sent int
	CPU  time.Duration
	RSS  int64 // bytes
	Err  string
}

const (
	width  = 640
	height = 480
)

func topic(bestEffort bool) (string, ros.QoS) {
	if bestEffort {
		return "image_best_effort", ros.SensorData
	}
	return "image_reliable", ros.Default
}

// child obeys orders until standard input ends.
func child(ctx context.Context, o options) error {
	n, done, err := open(o, "camera")
	if err != nil {
		return err
	}
	defer done()
	pubs := map[bool]*ros.Publisher[*msgs.Image]{}
	for _, bestEffort := range []bool{false, true} {
		name, q := topic(bestEffort)
		if pubs[bestEffort], err = ros.Advertise[*msgs.Image](n, name, q); err != nil {
			return err
		}
	}
	if _, err := ros.Serve(n, "trigger",
		func(context.Context, *msgs.TriggerRequest) *msgs.TriggerResponse {
			return &msgs.TriggerResponse{Success: true}
		}); err != nil {
		return err
	}
	answers := json.NewEncoder(os.Stdout)
	if err := answers.Encode(report{}); err != nil {
		return err
	}
	for orders := json.NewDecoder(bufio.NewReader(os.Stdin)); ; {
		var do order
		if err := orders.Decode(&do); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("read an order: %w", err)
		}
		if err := answers.Encode(publish(ctx, pubs[do.BestEffort], do)); err != nil {
			return err
		}
	}
}

func publish(ctx context.Context, pub *ros.Publisher[*msgs.Image], do order) report {
	m := &msgs.Image{Height: height, Width: width, Encoding: msgs.RGB8, Step: 3 * width,
		Data: make([]byte, 3*width*height)}
	if err := pub.WaitForSubscribers(ctx, 1); err != nil {
		return report{Err: err.Error()}
	}
	cpu := cpuTime()
	period := time.Duration(float64(time.Second) / do.Rate)
	next := time.Now()
	for i := range do.Count {
		m.Data[i%len(m.Data)]++
		m.Header.Stamp = msgs.TimeFrom(time.Now())
		if err := pub.Publish(m); err != nil {
			return report{Sent: i, Err: err.Error()}
		}
		next = next.Add(period)
		time.Sleep(time.Until(next))
	}
	return report{Sent: do.Count, CPU: cpuTime() - cpu, RSS: rss()}
}
