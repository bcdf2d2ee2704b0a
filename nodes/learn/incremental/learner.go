package incremental

import (
	"context"
	"sync"
	"time"

	"stripswm/models/dataset"
	"stripswm/models/identity"
	"stripswm/models/operators"
	"stripswm/models/strips"
	"stripswm/models/taskgraph"
	"stripswm/nodes/learn"
)

// CodeAttempt is a skill that was tried, with the codes of what the camera saw, as the
// encoder gives them.
type CodeAttempt struct {
	Before  identity.Code
	Action  strips.ActionID
	After   identity.Code
	Refused bool // the skill was not applicable; After is not looked at
	// Follows says that nothing else moved the scene since the attempt before: what
	// was seen after that one and before this one are of one state.
	Follows bool
}

// Options of a Learner.
type Options struct {
	Operators operators.Options // the Budget is Improve's
	// MinSupport is the share of the evidence about nodes and edges that has to be
	// for them; others are classified as misread images (taskgraph.Graph.Prune).
	MinSupport float64
	// Splits are the codes that are known to cover several states (identity.SplitsOf);
	// others are found as the attempts show them.
	Splits identity.Splits
	Trials int // most trials to name; 0 means 5
}

// Learner keeps the attempts so far and what was learned of their task graph.
// It is safe for concurrent use.
type Learner struct {
	options Options

	mu       sync.Mutex // not held while learning
	builder  *taskgraph.Builder
	data     dataset.Dataset // of attempts, without their images
	codes    []identity.Code
	attempts int

	learning sync.Mutex  // held for milliseconds
	known    *hypothesis // nil before the first edge
}

// Update is what was learned.
type Update struct {
	Attempts   int `json:"attempts"`
	States     int `json:"states"`
	Edges      int `json:"edges"`
	Predicates int `json:"m"`
	Xi         int `json:"xi"`
	Eta        int `json:"eta"`
	learn.Repairs
	Improved bool              `json:"improved"` // by Improve: m is the fewest that its budget found
	Untried  []strips.ActionID `json:"untried"`  // actions never seen to succeed
	Trials   []operators.Trial `json:"trials"`   // the next trials to make, the most telling first
	Seconds  float64           `json:"seconds"`
	Model    *strips.Model     `json:"-"`
	Graph    *taskgraph.Graph  `json:"-"` // what the model was learned from
}

// New makes a Learner without attempts. labels[a-1] names action a.
func New(labels []string, o Options) *Learner {
	if o.Trials == 0 {
		o.Trials = 5
	}
	if o.Operators.Trust.Policy == "" { // what was not tried is a trial to make
		o.Operators.Trust.Policy = operators.TrustAll
	}
	return &Learner{options: o, builder: taskgraph.NewBuilder(labels)}
}

// Observe adds an attempt. The error is for actions that have no label.
func (l *Learner) Observe(a CodeAttempt) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := dataset.Transition{Before: len(l.codes), After: len(l.codes), Action: a.Action,
		Follows: a.Follows}
	if a.Refused {
		if err := l.builder.Refuse(string(a.Before), a.Action); err != nil {
			return err
		}
		l.data.Refused, l.codes = append(l.data.Refused, t), append(l.codes, a.Before)
	} else {
		if err := l.builder.Observe(string(a.Before), a.Action, string(a.After)); err != nil {
			return err
		}
		t.After++
		l.data.Transitions, l.codes = append(l.data.Transitions, t), append(l.codes, a.Before, a.After)
	}
	l.attempts++
	return nil
}

// evidence is all attempts so far, and their number. What is added later does not
// change it.
func (l *Learner) evidence() (learn.Evidence, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.data
	return learn.Evidence{Data: &d, Codes: l.codes, Graph: l.builder.Graph(),
		Splits: l.options.Splits}, l.attempts
}

// Learn brings the model up to all attempts so far: at once if they show nothing
// new, otherwise by operators.Relearn, in milliseconds. Its xi and eta are the
// least; fewer predicates are Improve's business.
func (l *Learner) Learn(ctx context.Context) (Update, error) {
	begin := time.Now()
	l.learning.Lock()
	defer l.learning.Unlock()
	seen, attempts := l.evidence()
	repaired, err := learn.Repair(ctx, seen, l.options.MinSupport)
	if err != nil {
		return Update{}, err
	}
	if g := repaired.Graph; len(g.Edges) == 0 {
		return Update{Attempts: attempts, States: g.NumStates(), Repairs: repaired.Repairs(),
			Untried: untried(g)}, nil
	}
	next, err := l.known.next(ctx, repaired, l.options)
	if err != nil {
		return Update{}, err
	}
	l.known = next
	return next.update(attempts, begin), nil
}

// Improve learns the latest model again within the budget, for the fewest
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
		if better, err = better.next(ctx, l.known.repaired, l.options); err != nil ||
			better.model.Predicates >= l.known.model.Predicates {
			return Update{}, false, err
		}
	}
	l.known = better
	_, attempts := l.evidence()
	return better.update(attempts, begin), true, nil
}
