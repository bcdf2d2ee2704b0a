package eval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/strips"
	"stripswm/nodes/execute"
	"stripswm/nodes/sim"
)

// Horizon is what became of the queries of one shortest-path length.
type Horizon struct {
	Horizon     int `json:"horizon"` // 0: there is no path
	Queries     int `json:"queries"`
	SolvedGraph int `json:"solved_graph"` // the plan reaches the goal in the ground-truth graph
	// Executed are run in closed loop, in the simulated world and through its
	// camera: an image is looked at after each skill, and planned again from if it is not
	// as expected. Reached end in the goal, Mistaken in another state that looks like it.
	// SetUpAgain are those whose start or goal was set up more than once, since its image was not
	// recognized. A folder has no world.
	Executed   int `json:"executed"`
	Reached    int `json:"reached"`
	Mistaken   int `json:"mistaken"`
	SetUpAgain int `json:"set_up_again"`
	// Pairs are the distinct (start, goal) states asked for: further queries of a pair
	// are other images of it. SolvedPairs are solved in the graph every time.
	Pairs       int `json:"pairs"`
	SolvedPairs int `json:"solved_pairs"`
	// Why the rest failed: an image not recognized, no plan found, a plan that
	// does not lead to the goal (in the graph), or one that needs what nobody tried, of
	// which a folder without truth_graph.csv does not say where it leads.
	Unrecognized int `json:"unrecognized"`
	NoPlan       int `json:"no_plan"`
	WrongPlan    int `json:"wrong_plan"`
	Unevaluated  int `json:"unevaluated,omitempty"`
	Shortest     int `json:"shortest"` // solved with the fewest actions possible
}

// Total adds up the horizons, and gives the longest.
func Total(horizons []Horizon) (all, last Horizon) {
	for _, h := range horizons {
		all.Queries += h.Queries
		all.Pairs += h.Pairs
		all.SolvedPairs += h.SolvedPairs
		all.SolvedGraph += h.SolvedGraph
		all.Executed += h.Executed
		all.Reached += h.Reached
		all.Mistaken += h.Mistaken
		all.SetUpAgain += h.SetUpAgain
		all.Shortest += h.Shortest
		all.Unrecognized += h.Unrecognized
		all.NoPlan += h.NoPlan
		all.WrongPlan += h.WrongPlan
		all.Unevaluated += h.Unevaluated
		last = h
	}
	return all, last
}

// count executes the answer to a query, counts what became of it, and says whether
// it is solved in the graph.
func (h *Horizon) count(from source, q sim.Query, a answer) bool {
	h.Queries++
	switch {
	case a.unrecognized:
		h.Unrecognized++
		return false
	case !a.found:
		h.NoPlan++
		return false
	}
	switch reached, evaluated := reaches(q, a.plan, from.truth().Next, from.knows); {
	case !evaluated:
		h.Unevaluated++
		return false
	case !reached:
		h.WrongPlan++
		return false
	}
	h.SolvedGraph++
	if len(a.plan) == h.Horizon {
		h.Shortest++
	}
	return true
}

// reaches executes a plan; a refused action ends it, and where it is not known whether it is
// refused, the plan is not evaluated.
func reaches(q sim.Query, plan []strips.ActionID,
	apply func(sim.State, strips.ActionID) (sim.State, bool),
	knows func(sim.State, strips.ActionID) bool,
) (reached, evaluated bool) {
	s := q.Start
	for _, a := range plan {
		next, ok := apply(s, a)
		if !ok {
			return false, knows(s, a)
		}
		s = next
	}
	return s == q.Goal, true
}

// executedShare: one in so many queries of each horizon is executed in closed loop.
const executedShare = 8

// maxSetUps is how often a start or a goal is set up and photographed, at most, until its image is
// recognized.
const maxSetUps = 5

// loop executes plans in a source's world, by the executor of the planner node.
type loop struct {
	source   source
	planner  *imageplan.Planner
	executor *execute.Executor

	at     sim.State
	now    time.Time
	images uint64 // images so far
	scene  uint64 // as things were left by the skill after so many images
}

func newLoop(p *imageplan.Planner, from source) (*loop, error) {
	l := &loop{source: from, planner: p, now: time.Unix(0, 0)}
	var err error
	l.executor, err = newExecutor(p, l)
	return l, err
}

// robot is a simulated one, with its camera.
type robot interface {
	execute.Recognizer
	execute.Skills
	execute.Clock
}

// newExecutor executes plans on a robot for which there is nothing to wait for.
func newExecutor(p *imageplan.Planner, r robot) (*execute.Executor, error) {
	search, err := execute.NewModelSearch(p.Model(), limits)
	if err != nil {
		return nil, err
	}
	policy := execute.DefaultPolicy()
	policy.Age, policy.Settle, policy.SkillTime, policy.FrameTime = 0, 0, 0, 0
	return &execute.Executor{Recognizer: r, Skills: r, Search: search, Clock: r, Policy: policy}, nil
}

// observed is what an image that was taken then is recognized as.
func observed(r imageplan.Recognition, taken time.Time) execute.Observation {
	o := execute.Observation{Taken: taken, Code: r.Code, Probabilities: r.Probabilities}
	if !r.Known() {
		o.Reason, o.Near = r.Explain(), r.Near()
	}
	return o
}

// execute runs a query in closed loop and counts what became of it. Where the image of the goal or
// the start is not recognized, somebody sets the scene up again.
func (l *loop) execute(ctx context.Context, q sim.Query, goal imageplan.Recognition,
	h *Horizon,
) error {
	h.Executed++
	goal, more, err := l.recognized(ctx, q.Goal, goal)
	if err != nil {
		return err
	}
	start, starts, err := l.recognized(ctx, q.Start, imageplan.Recognition{Refusal: imageplan.Blank})
	if err != nil {
		return err
	}
	if more > 0 || starts > 1 {
		h.SetUpAgain++
	}
	if !goal.Known() || !start.Known() {
		return nil
	}
	_, err = l.executor.Run(ctx, strips.GoalOf(goal.Code), execute.Hooks{})
	var stop *execute.Stop
	switch {
	case err != nil && !errors.As(err, &stop):
		return fmt.Errorf("closed loop: %w", err)
	case err == nil && l.at == q.Goal:
		h.Reached++
	case err == nil:
		h.Mistaken++
	}
	return nil
}

// recognized sets a state up until its image is recognized, and returns the last image.
func (l *loop) recognized(ctx context.Context, s sim.State, seen imageplan.Recognition) (
	_ imageplan.Recognition, times int, err error,
) {
	for ; !seen.Known() && times < maxSetUps; times++ {
		l.at, l.scene = s, l.images
		if seen, err = l.look(); err != nil {
			return seen, times, err
		}
	}
	return seen, times, ctx.Err()
}

// look recognizes a new image of the scene.
func (l *loop) look() (imageplan.Recognition, error) {
	img, err := l.source.photograph(l.at, l.scene, l.images)()
	if err != nil {
		return imageplan.Recognition{}, err
	}
	l.images++
	return l.planner.Recognize(img)
}

// Now is the clock of images and skills: each takes a second.
func (l *loop) Now() time.Time { return l.now }

// Observe takes a new image of the scene.
func (l *loop) Observe(context.Context, time.Time) (execute.Observation, error) {
	r, err := l.look()
	if err != nil {
		return execute.Observation{}, err
	}
	l.now = l.now.Add(time.Second)
	return observed(r, l.now), nil
}

// Execute does an action in the world, whatever the recording has of it.
func (l *loop) Execute(_ context.Context, a strips.ActionID) (execute.Report, error) {
	l.now = l.now.Add(time.Second)
	next, ok := l.source.apply(l.at, a)
	if !ok {
		return execute.Report{Outcome: execute.Refused}, nil
	}
	l.at, l.scene = next, l.images
	return execute.Report{Outcome: execute.Succeeded}, nil
}
