package incremental_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"stripswm/models/operators"
	"stripswm/models/operators/check"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn/incremental"
)

// stroll is what a robot sees that takes actions of a sample graph at random, one
// attempt in ten of them refused.
func stroll(t testing.TB, name string,
	steps int,
) (labels []string, attempts []incremental.CodeAttempt) {
	t.Helper()
	g, err := taskgraph.ReadFile("../../../models/operators/testdata/" + name + ".dfa")
	if err != nil {
		t.Fatal(err)
	}
	rng, at := rand.New(rand.NewPCG(1, 2)), strips.StateID(0)
	for range steps {
		if a := strips.ActionID(1 + rng.IntN(g.NumActions())); rng.IntN(10) == 0 &&
			g.Targets(at, a) == nil {
			attempts = append(attempts, incremental.CodeAttempt{Before: code(at), Action: a, Refused: true,
				Follows: true})
			continue
		}
		out := g.Out(at)
		e := out[rng.IntN(len(out))]
		attempts = append(attempts, incremental.CodeAttempt{Before: code(at), Action: e.Action,
			After: code(e.Target), Follows: true})
		at = e.Target
	}
	return g.Labels, attempts
}

// TestEachModelIsExact has every model of a policy checked, and its eta compared
// with the least.
func TestEachModelIsExact(t *testing.T) {
	ctx := context.Background()
	for name, steps := range map[string]int{"blocksworld": 150, "dinner101_s2": 250,
		"dinner71_split40": 100} {
		t.Run(name, func(t *testing.T) {
			labels, attempts := stroll(t, name, steps)
			l := incremental.New(labels, incremental.Options{})
			var before *strips.Model
			for i, a := range attempts {
				if err := l.Observe(a); err != nil {
					t.Fatal(err)
				}
				u, err := l.Learn(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if u.Model == nil || u.Model == before {
					continue
				}
				before = u.Model
				sum, faults := check.Model(u.Graph, check.AllMissing(u.Graph), u.Model)
				least, err := operators.LeastEta(ctx, u.Graph, operators.Trust{})
				if err != nil {
					t.Fatal(err)
				}
				if len(faults) > 0 || sum.Xi != 0 || sum.Eta != len(least) || u.Eta != sum.Eta ||
					u.Predicates != sum.Predicates {
					t.Fatalf("after attempt %d: %+v, checked %+v, least eta %d, faults %v", i+1, u, sum,
						len(least), faults)
				}
			}
		})
	}
}

// TestNothingNew takes every transition of a policy twice over: the second time the
// model stays what it was.
func TestNothingNew(t *testing.T) {
	ctx := context.Background()
	labels, attempts := stroll(t, "blocksworld", 400)
	l := incremental.New(labels, incremental.Options{})
	for _, a := range attempts {
		l.Observe(a)
	}
	first, err := l.Learn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range attempts {
		l.Observe(a)
	}
	if again, err := l.Learn(ctx); err != nil || again.Model != first.Model ||
		again.Attempts != 2*len(attempts) {
		t.Errorf("learned again: %+v, %v", again, err)
	}
}

// TestImprove improves a model, also while new evidence comes.
func TestImprove(t *testing.T) {
	ctx := context.Background()
	labels, attempts := stroll(t, "blocksworld", 400)
	l := incremental.New(labels, incremental.Options{Operators: operators.Options{
		Budget: time.Second}})
	if _, improved, err := l.Improve(ctx); improved || err != nil {
		t.Errorf("improved nothing: %v", err)
	}
	for _, a := range attempts {
		l.Observe(a)
		if _, err := l.Learn(ctx); err != nil {
			t.Fatal(err)
		}
	}
	u, improved, err := l.Improve(ctx)
	if err != nil || !improved || u.Predicates != 6 || !u.Improved {
		t.Errorf("%t %+v, %v; want 6 predicates", improved, u, err)
	}
	if _, improved, _ := l.Improve(ctx); improved {
		t.Error("improved twice")
	}
	l.Observe(incremental.CodeAttempt{Before: "0", Action: 1, After: "elsewhere"})
	if u, err = l.Learn(ctx); err != nil || u.Improved || u.States != 17 {
		t.Errorf("after something new: %+v, %v", u, err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, improved, err := l.Improve(canceled); improved || err == nil {
		t.Error("improved although canceled")
	}
}

func TestSameAttemptsSameModels(t *testing.T) {
	film := func() string {
		var all bytes.Buffer
		labels, attempts := stroll(t, "dinner101_s2", 120)
		l := incremental.New(labels, incremental.Options{})
		for _, a := range attempts {
			l.Observe(a)
			u, err := l.Learn(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if u.Model != nil {
				u.Model.WriteJSON(&all)
			}
			fmt.Fprintln(&all, u.Trials)
		}
		return all.String()
	}
	if first, second := film(), film(); first != second {
		t.Error("two runs differ")
	}
}

// BenchmarkRelearn takes policies attempt by attempt and reports the time of each:
// over all, and over those that showed something new.
func BenchmarkRelearn(b *testing.B) {
	for name, steps := range map[string]int{"blocksworld": 1000, "dinner101_s2": 3000} {
		b.Run(name, func(b *testing.B) {
			labels, attempts := stroll(b, name, steps)
			var all, news []time.Duration
			m := 0
			for b.Loop() {
				l := incremental.New(labels, incremental.Options{})
				var before *strips.Model
				for _, a := range attempts {
					begin := time.Now()
					l.Observe(a)
					u, err := l.Learn(context.Background())
					if err != nil {
						b.Fatal(err)
					}
					took := time.Since(begin)
					all = append(all, took)
					if u.Model != before {
						news = append(news, took)
					}
					before, m = u.Model, u.Predicates
				}
			}
			b.ReportMetric(0, "ns/op")
			for label, times := range map[string][]time.Duration{"all": all, "new": news} {
				slices.Sort(times)
				b.ReportMetric(1e3*times[len(times)/2].Seconds(), label+"-p50-ms")
				b.ReportMetric(1e3*times[len(times)*99/100].Seconds(), label+"-p99-ms")
			}
			b.ReportMetric(float64(len(news))/float64(len(all)), "new/attempt")
			b.ReportMetric(float64(m), "m")
		})
	}
}
