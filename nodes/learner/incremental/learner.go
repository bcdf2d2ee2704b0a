package incremental

import (
	"context"
	"slices"
	"sync"
	"time"

	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// Attempt is a skill that was tried, with the codes of what the camera saw.
type Attempt struct {
	Before  string
	Action  strips.ActionID
	After   string
	Refused bool // the skill was not applicable; After is not looked at
}

// Options of a Learner.
type Options struct {
	Operators operators.Options // the Budget bounds each Learn
	// MinSupport is the share of the median edge's sightings below which nodes and
	// edges are taken for misread pictures.
	MinSupport float64
	Trials     int // most trials to name; 0 means 5
}

// Learner keeps the task graph of the attempts so far. It is safe for concurrent
// use: attempts are taken while operators are learned from the ones before.
type Learner struct {
	options Options

	mu       sync.Mutex // not held while learning
	builder  *taskgraph.Builder
	attempts int
}

// New makes a Learner without attempts. labels[a-1] names action a.
func New(labels []string, o Options) *Learner {
	if o.Trials == 0 {
		o.Trials = 5
	}
	return &Learner{options: o, builder: taskgraph.NewBuilder(labels)}
}

// Observe adds an attempt. The error is for actions that have no label.
func (l *Learner) Observe(a Attempt) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if a.Refused {
		err = l.builder.Refuse(a.Before, a.Action)
	} else {
		err = l.builder.Observe(a.Before, a.Action, a.After)
	}
	if err == nil {
		l.attempts++
	}
	return err
}

// Update is what Learn has learned.
type Update struct {
	Attempts   int               `json:"attempts"`
	States     int               `json:"states"`
	Edges      int               `json:"edges"`
	Predicates int               `json:"m"`
	Xi         int               `json:"xi"`
	Eta        int               `json:"eta"`
	Untried    []strips.ActionID `json:"untried"` // actions never seen to succeed
	Trials     []operators.Trial `json:"trials"`  // the next trials to make, the most telling first
	Seconds    float64           `json:"seconds"`
	Model      *strips.Model     `json:"-"`
}

// Learn learns operators from all attempts so far.
func (l *Learner) Learn(ctx context.Context) (Update, error) {
	begin := time.Now()
	l.mu.Lock()
	g, attempts := l.builder.Graph(), l.attempts
	l.mu.Unlock()
	least := leastSupport(g, l.options.MinSupport)
	g, _ = g.Prune(least, least)
	u := Update{Attempts: attempts, States: g.NumStates(), Edges: len(g.Edges), Untried: untried(g)}
	if len(g.Edges) == 0 {
		return u, nil
	}
	r, err := operators.Learn(ctx, g, l.options.Operators)
	if err != nil {
		return u, err
	}
	u.Model, u.Predicates, u.Xi, u.Eta = r.Model, r.Model.Predicates, len(r.Model.Slack), len(r.Model.Exceptions)
	if u.Trials, err = operators.Frontier(ctx, g, l.options.Operators.Trust, r.Model); err != nil {
		return u, err
	}
	u.Trials = u.Trials[:min(len(u.Trials), l.options.Trials)]
	u.Seconds = time.Since(begin).Seconds()
	return u, nil
}

// leastSupport is that share of the median edge's support.
func leastSupport(g *taskgraph.Graph, share float64) int {
	if len(g.Edges) == 0 {
		return 0
	}
	support := make([]int, len(g.Edges))
	for i, e := range g.Edges {
		support[i] = e.Support
	}
	slices.Sort(support)
	return int(share * float64(support[len(support)/2]))
}

func untried(g *taskgraph.Graph) []strips.ActionID {
	seen := make([]bool, g.NumActions()+1)
	for _, e := range g.Edges {
		seen[e.Action] = true
	}
	list := []strips.ActionID{}
	for a := 1; a < len(seen); a++ {
		if !seen[a] {
			list = append(list, strips.ActionID(a))
		}
	}
	return list
}
