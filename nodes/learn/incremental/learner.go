package incremental

import (
	"context"
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
	Operators operators.Options // the Budget is Improve's
	// MinSupport is the share of the usual sightings below which nodes and edges
	// are taken for misread pictures (taskgraph.Graph.PruneRare).
	MinSupport float64
	Trials     int // most trials to name; 0 means 5
}

// Learner keeps the task graph of the attempts so far and what was learned of it.
// It is safe for concurrent use.
type Learner struct {
	options Options

	mu       sync.Mutex // not held while learning
	builder  *taskgraph.Builder
	attempts int

	learning sync.Mutex // held for milliseconds
	known    *lesson    // nil before the first edge
}

// Update is what was learned.
type Update struct {
	Attempts   int               `json:"attempts"`
	States     int               `json:"states"`
	Edges      int               `json:"edges"`
	Predicates int               `json:"m"`
	Xi         int               `json:"xi"`
	Eta        int               `json:"eta"`
	Improved   bool              `json:"improved"` // by Improve: m is the fewest that its budget found
	Untried    []strips.ActionID `json:"untried"`  // actions never seen to succeed
	Trials     []operators.Trial `json:"trials"`   // the next trials to make, the most telling first
	Seconds    float64           `json:"seconds"`
	Model      *strips.Model     `json:"-"`
	Graph      *taskgraph.Graph  `json:"-"` // what the model was learned from
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

// observed is the task graph of all attempts so far, and their number.
func (l *Learner) observed() (*taskgraph.Graph, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, _ := l.builder.Graph().PruneRare(l.options.MinSupport)
	return g, l.attempts
}

// Learn brings the model up to all attempts so far: at once if they show nothing
// new, otherwise by operators.Relearn, in milliseconds. Its xi and eta are the
// least; fewer predicates are Improve's business.
func (l *Learner) Learn(ctx context.Context) (Update, error) {
	begin := time.Now()
	l.learning.Lock()
	defer l.learning.Unlock()
	g, attempts := l.observed()
	if len(g.Edges) == 0 {
		return Update{Attempts: attempts, States: g.NumStates(), Untried: untried(g)}, nil
	}
	next, err := l.known.next(ctx, g, l.options)
	if err != nil {
		return Update{}, err
	}
	l.known = next
	return next.update(attempts, begin), nil
}

// Improve learns the latest model anew within the budget, for the fewest
// predicates, effects and preconditions; attempts and Learn go on meanwhile. It
// returns false if nothing came of it: there was nothing to improve, or what has
// been learned meanwhile is as good.
func (l *Learner) Improve(ctx context.Context) (Update, bool, error) {
	begin := time.Now()
	l.learning.Lock()
	begun := l.known
	l.learning.Unlock()
	if begun == nil || begun.improved {
		return Update{}, false, nil
	}
	better, err := begun.improve(ctx, l.options)
	if err != nil {
		return Update{}, false, err
	}
	l.learning.Lock()
	defer l.learning.Unlock()
	if l.known != begun { // carry it over to the evidence that has come
		if better, err = better.next(ctx, l.known.graph, l.options); err != nil || better.model.Predicates >= l.known.model.Predicates {
			return Update{}, false, err
		}
	}
	l.known = better
	_, attempts := l.observed()
	return better.update(attempts, begin), true, nil
}
