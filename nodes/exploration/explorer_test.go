package exploration_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"stripswm/bags"
	policy "stripswm/models/exploration"
	"stripswm/models/exploration/images"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/worlds"
	"stripswm/nodes/exploration"
)

// symbolic is a robot without images, whose skills fail at every failing-th attempt.
type symbolic struct {
	world            *worlds.World
	at               worlds.State
	attempts, resets int
	failing          int
}

func (r *symbolic) Try(_ context.Context, a strips.ActionID) (bags.Outcome, bool, error) {
	r.attempts++
	outcome := bags.Refused
	if o := &r.world.Operators[a-1]; o.Applies(r.at) {
		outcome = bags.Succeeded
		if r.failing > 0 && r.attempts%r.failing == 0 {
			outcome = bags.Failed
		}
		r.at = o.Apply(r.at)
	}
	return outcome, false, nil
}

func (r *symbolic) Reset(context.Context, string) error {
	r.resets++
	r.at = r.world.Start
	return nil
}

func explorer(t *testing.T, r *symbolic, o policy.Options) exploration.Explorer {
	t.Helper()
	e, err := policy.New(len(r.world.Operators), o)
	if err != nil {
		t.Fatal(err)
	}
	return exploration.Explorer{Policy: images.New(e), Robot: r, Usual: true, TargetCoverage: 0.95}
}

func TestExplorer(t *testing.T) {
	blocks := worlds.Blocks()
	for _, c := range []struct {
		name    string
		failing int
		options policy.Options
		budget  int
		reason  string
		resets  bool
	}{
		{"to the end", 0, policy.Options{Seed: 1}, 0, exploration.Explored, false},
		{"budget", 0, policy.Options{Seed: 1}, 50, exploration.Spent, false},
		{"one skill in 20 fails", 20, policy.Options{Seed: 1}, 1000, "", false},
		// nothing is placed, so that the hand keeps the first block
		{"stuck", 0, policy.Options{Seed: 1, Excluded: []strips.ActionID{2, 4, 6, 8, 10, 12, 14, 16,
			18}}, 60, exploration.Spent, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &symbolic{world: blocks, at: blocks.Start, failing: c.failing}
			x := explorer(t, r, c.options)
			x.Budget = c.budget
			s, err := x.Run(t.Context(), exploration.Status{})
			if err != nil {
				t.Fatal(err)
			}
			if c.reason != "" && s.Reason != c.reason || s.Attempts != r.attempts ||
				s.Resets != r.resets || c.resets != (r.resets > 0) {
				t.Errorf("%+v, resets %d", s, r.resets)
			}
			if c.reason == exploration.Explored && s.Success < 0.95 {
				t.Errorf("%.2f is expected", s.Success)
			}
		})
	}
}

// TestDead has a robot all of whose skills are refused, whatever the scene.
func TestDead(t *testing.T) {
	blocks := worlds.Blocks()
	r := &symbolic{world: blocks, at: blocks.Start}
	picks := []strips.ActionID{1, 3, 5, 7, 9, 11, 13, 15, 17} // without which nothing is placed
	x := explorer(t, r, policy.Options{Seed: 1, Excluded: picks})
	x.Budget = 1000
	if s, err := x.Run(t.Context(), exploration.Status{}); !errors.Is(err, exploration.ErrDead) ||
		s.Resets != 3 || s.Succeeded != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// painted is a robot with images, in which each fact that holds is a square of its own. Some of its
// statuses are wrong.
type painted struct {
	symbolic
	rng   *rand.Rand
	shown [2]pixels.Thumbnail
}

func (r *painted) paint() pixels.Thumbnail {
	t, light := make(pixels.Thumbnail, 3*32*32), 0.9+0.2*r.rng.Float32()
	for i := range t {
		fact := i/3/32/4*8 + i/3%32/4
		t[i] = light * (1 + float32(r.at[0]>>fact&1) + 0.1*r.rng.Float32())
	}
	return t
}

func (r *painted) Try(ctx context.Context, a strips.ActionID) (bags.Outcome, bool, error) {
	r.shown[0] = r.paint()
	o, reset, err := r.symbolic.Try(ctx, a)
	r.shown[1] = r.paint()
	if r.rng.IntN(33) == 0 {
		o = bags.Succeeded + bags.Refused - o
	}
	return o, reset, err
}

// Where three statuses in a hundred are wrong, the target coverage is reached with images only.
func TestWrongStatuses(t *testing.T) {
	for _, images := range []bool{true, false} {
		blocks := worlds.Blocks()
		r := &painted{symbolic: symbolic{world: blocks, at: blocks.Start},
			rng: rand.New(rand.NewPCG(1, 1))}
		x := explorer(t, &r.symbolic, policy.Options{Seed: 1})
		x.Robot, x.Budget = r, 700
		if images {
			x.Images = func() *[2]pixels.Thumbnail { return &r.shown }
		}
		s, err := x.Run(t.Context(), exploration.Status{})
		if err != nil || (s.Reason == exploration.Explored) != images {
			t.Errorf("images %t: %+v, %v", images, s, err)
		}
	}
}

func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := &symbolic{world: worlds.Blocks(), at: worlds.Blocks().Start}
	x := explorer(t, r, policy.Options{})
	x.Progress = func(s exploration.Status) {
		if s.Attempts == 7 {
			cancel()
		}
	}
	s, err := x.Run(ctx, exploration.Status{})
	if !errors.Is(err, context.Canceled) || s.Attempts != 7 {
		t.Errorf("%+v, %v", s, err)
	}
}
