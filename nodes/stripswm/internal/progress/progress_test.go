package progress

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestPlainLines(t *testing.T) {
	for name, tt := range map[string]struct {
		work func(*Progress, context.CancelFunc)
		want string
	}{
		"quick work writes its end only": {func(p *Progress, _ context.CancelFunc) {
			p.Set("x", 3, 3, "")
		}, "x: 3/3 (100 %) in 0s\n"},
		"rate and remaining time": {func(p *Progress, _ context.CancelFunc) {
			p.Set("record", 0, 5000, "")
			for n := 800; n <= 4000; n += 800 {
				time.Sleep(2 * time.Second)
				p.Set("record", n, 5000, "")
			}
			time.Sleep(2500 * time.Millisecond)
			p.Set("record", 5000, 5000, "")
		}, "record: 2400/5000 (48 %), 400/s, 7s left\nrecord: 5000/5000 (100 %), 400/s\n" +
			"record: 5000/5000 (100 %) in 12.5s\n"},
		"an unknown total gives count and rate": {func(p *Progress, _ context.CancelFunc) {
			p.Set("x", 0, 0, "")
			time.Sleep(10 * time.Second)
			p.Set("x", 50, 0, "")
		}, "x: 50, 5/s\nx: 50 in 10s\n"},
		"a note stays until the next stage": {func(p *Progress, _ context.CancelFunc) {
			p.Set("x", 0, 10, "loss 2")
			time.Sleep(6 * time.Second)
			p.Set("x", 5, 10, "")
			p.Set("y", 1, 2, "")
		}, "x: loss 2: 5/10 (50 %), 0.833/s, 6s left\nx: loss 2: 5/10 (50 %) in 6s\n" +
			"y: 1/2 (50 %) in 0s\n"},
		"an ended context stops the lines": {func(p *Progress, cancel context.CancelFunc) {
			p.Set("x", 4, 10, "")
			cancel()
			time.Sleep(time.Minute)
			p.Set("x", 4, 10, "")
		}, "x: 4/10 (40 %) in 1m0s, interrupted\n"},
		"a total that changes": {func(p *Progress, _ context.CancelFunc) {
			p.Set("x", 0, 1, "")
			time.Sleep(6 * time.Second)
			p.Set("x", 60, 0, "")
		}, "x: 60, 10/s\nx: 60 in 6s\n"},
		"no work in a stage": {func(p *Progress, _ context.CancelFunc) {
			p.Set("x", 0, 10, "")
			time.Sleep(6 * time.Second)
			p.Set("x", 0, 10, "")
		}, "x: 0/10 (0 %)\nx: 0/10 (0 %) in 6s\n"},
		"no stage": {func(*Progress, context.CancelFunc) {}, ""},
		"many goroutines": {func(p *Progress, _ context.CancelFunc) {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() { p.Set("x", 400, 400, "") })
			}
			wg.Wait()
		}, "x: 400/400 (100 %) in 0s\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var out bytes.Buffer
				p := New(ctx, &out)
				tt.work(p, cancel)
				p.Done()
				p.Done()
				if got := out.String(); got != tt.want {
					t.Errorf("got\n%swant\n%s", got, tt.want)
				}
				tt.work(New(ctx, nil), cancel) // which shows nothing
			})
		})
	}
}

func TestLiveBar(t *testing.T) {
	for name, tt := range map[string]struct {
		total, count int
		interrupted  bool
		want         []string
	}{
		"complete":            {10, 10, false, []string{"train: 10/10"}},
		"more than the total": {10, 12, false, []string{"12/10"}},
		"interrupted":         {10, 4, true, []string{"4/10", ", interrupted\n"}},
		"unknown total":       {0, 7, false, []string{"train: 7 in "}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var out bytes.Buffer
			p := New(ctx, &out)
			p.begin("train", tt.total)
			p.live = newLive(&out, "train", tt.total)
			p.Set("train", tt.count, tt.total, "")
			if tt.interrupted {
				cancel()
			}
			p.Done()
			for _, want := range tt.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in %q", want, out.String())
				}
			}
			if !strings.HasSuffix(out.String(), "\n") {
				t.Errorf("the last line does not end: %q", out.String())
			}
		})
	}
}
