package effects

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ErrAttempts is wrapped by what Learn returns for attempts that it cannot read.
var ErrAttempts = errors.New("unusable attempts")

// Attempt is one execution of a skill, with the features of the images before and after it: some
// hundred to ten thousand values, such as those of a thumbnail.
type Attempt struct {
	Action    int // from 1
	Succeeded bool
	Segment   int       // ascending; another one begins where the state is not known
	Before    []float32 // nil where there is no image
	After     []float32
}

// Options say how features are laid out.
type Options struct {
	// Channels of the features, which alternate; each may have a gain of its own. 0 is 1.
	Channels int
	// Skills of the robot, with actions from 1: variants have numbers beyond.
	Skills int
}

// Result is what was found.
type Result struct {
	Variables []Variable
	Facts     []Fact
	// Variants has the skill of each action beyond those of the robot: a skill that does different
	// things in different states is an action for each.
	Variants []int
	// Actions has, by attempt, the skill or variant of a success; 0: nobody knows which variant, or
	// images contradict it.
	Actions []int
	skills  int
	of      *changes
}

// Splits are the variables by whose facts the variants of a skill differ.
func (r *Result) Splits(skill int) (variables []int) {
	actions := []int{skill}
	for k, of := range r.Variants {
		if of == skill {
			actions = append(actions, r.skills+k+1)
		}
	}
	for _, f := range r.Facts {
		same := func(a int) bool {
			return slices.Contains(f.Sets, a) == slices.Contains(f.Sets, skill) &&
				slices.Contains(f.Clears, a) == slices.Contains(f.Clears, skill)
		}
		if slices.ContainsFunc(actions, func(a int) bool { return !same(a) }) &&
			!slices.Contains(variables, f.Variable) {
			variables = append(variables, f.Variable)
		}
	}
	return variables
}

// Without is the result without one of its variables.
func (r *Result) Without(variable int) *Result {
	rest := slices.Delete(slices.Clone(r.Variables), variable, variable+1)
	return r.of.result(r.skills, rest)
}

// Learn finds facts in attempts, in the order of the recording. It returns an error that wraps
// ErrAttempts where features differ in length, or the context's.
func Learn(ctx context.Context, attempts []Attempt, o Options) (*Result, error) {
	if err := check(attempts, o); err != nil {
		return nil, err
	}
	c, err := measure(ctx, attempts, max(o.Channels, 1))
	if err != nil {
		return nil, err
	}
	var variables []Variable
	if len(c.still) > 0 {
		if variables, err = c.variables(ctx); err != nil {
			return nil, err
		}
	}
	return c.result(o.Skills, variables), nil
}

func (c *changes) result(skills int, variables []Variable) *Result {
	r := &Result{Variables: variables, skills: skills, of: c}
	r.facts(c)
	return r
}

func check(attempts []Attempt, o Options) error {
	values, segment := -1, 0
	for i, a := range attempts {
		if a.Action < 1 || a.Action > o.Skills {
			return fmt.Errorf("effects: %w: attempt %d has action %d, not one of 1 to %d", ErrAttempts, i,
				a.Action, o.Skills)
		}
		if i > 0 && a.Segment < segment {
			return fmt.Errorf("effects: %w: attempt %d is of segment %d, after %d", ErrAttempts, i,
				a.Segment, segment)
		}
		segment = a.Segment
		for _, f := range [][]float32{a.Before, a.After} {
			if f == nil {
				continue
			}
			if values < 0 {
				values = len(f)
			}
			if len(f) != values || len(f)%max(o.Channels, 1) != 0 {
				return fmt.Errorf("effects: %w: attempt %d has %d features, want %d, of %d channels",
					ErrAttempts, i, len(f), values, max(o.Channels, 1))
			}
		}
	}
	return nil
}
