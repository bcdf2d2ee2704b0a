package facts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"stripswm/models/dataset"
	"stripswm/models/pixels"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// Learned is what Learn makes of a dataset.
type Learned struct {
	Recording      Recording // that was learned from
	Contradictions []Contradiction
	Result         *traces.Result
	// Unexplained are skills that change something else than facts. The model has no operator of
	// them: nobody knows what they leave.
	Unexplained []Unexplained
	// Refused are skills that are refused where the facts say that they apply, more often than reports
	// are wrong. The model has no operator of them, either: nobody knows when they apply.
	Refused []Refused
}

// Refused is a skill of which no fact tells when it is refused.
type Refused struct {
	Action    strips.ActionID `json:"action"`
	Name      string          `json:"name"` // of the skill, for people; empty in Learned
	Successes int             `json:"successes"`
	Refusals  int             `json:"refusals"` // where it should apply
}

// Words says what is not known of the skill.
func (r Refused) Words() string {
	return fmt.Sprintf("%s succeeded %d times, and was refused %d times where it applies by the facts",
		r.Name, r.Successes, r.Refusals)
}

// rarelyRefused is the share of the attempts of a skill that may be refused for no reason that
// facts tell: wrong reports, and skills that seldom fail. If half of the skills have more, uneven
// times the median may.
const rarelyRefused = 0.005

// Learn learns a model from the attempts of a dataset. What their images show of failed attempts
// counts. What they contradict is left out if more refusals are explained without it. Otherwise the
// attempts agree with each other, and the comparison of images is wrong. That happens where a robot
// did the same few things again and again: what an action changes is then known before few
// backgrounds. Where refusals are fewer than actions they say too little, and images count.
// The error may be that of ctx.
func Learn(ctx context.Context, d *dataset.Dataset) (*Learned, error) {
	options := traces.Options{Ended: ctx.Err}
	thumbs := thumbnails(d)
	l, err := learnConsistent(d, thumbs, options)
	if err != nil {
		return nil, err
	}
	if err := l.explainByImages(ctx, d, thumbs, options); err != nil {
		return nil, err
	}
	l.takeOutRefused()
	return l, nil
}

// unpredicted are all skills, with how often they were refused where they should apply, and how
// many variants each has.
func unpredicted(r *traces.Result) (all []Refused, variants map[strips.ActionID]int) {
	variants = map[strips.ActionID]int{}
	for _, a := range r.Report.Actions {
		k := slices.IndexFunc(all, func(r Refused) bool { return r.Action == a.Action })
		if k < 0 {
			k, all = len(all), append(all, Refused{Action: a.Action})
		}
		all[k].Successes += a.Successes
		all[k].Refusals += a.Unexplained()
		variants[a.Action]++
	}
	return all, variants
}

// takeOutRefused takes the skills out of the model of which no fact tells when they are refused. A
// variant is refused where another one happens: of a skill with variants facts do not tell which
// one if more often one is wrong than right.
func (l *Learned) takeOutRefused() {
	all, variants := unpredicted(l.Result)
	var shares []float64
	for _, r := range all {
		shares = append(shares, float64(r.Refusals)/float64(max(r.Successes+r.Refusals, 1)))
	}
	slices.Sort(shares)
	unknown := map[strips.ActionID]bool{}
	for _, r := range all {
		share := max(rarelyRefused, uneven*shares[(len(shares)-1)/2])
		if variants[r.Action] > 1 {
			share = max(share, 0.5)
		}
		chance := distuv.Binomial{N: float64(r.Successes + r.Refusals), P: min(share, 1)}
		if r.Refusals > 0 && chance.Survival(float64(r.Refusals)-1) < falseCells/float64(len(all)) {
			unknown[r.Action] = true
			l.Refused = append(l.Refused, r)
		}
	}
	out := func(o strips.Operator) bool { return unknown[o.Action] }
	l.Result.Model.Operators = slices.DeleteFunc(l.Result.Model.Operators, out)
}

func learnConsistent(d *dataset.Dataset, thumbs []pixels.Thumbnail, options traces.Options,
) (*Learned, error) {
	all := Attempts(d)
	found := all.Contradictions(thumbs)
	rest := all.Without(found)
	without, err := traces.Learn(d.Actions, rest.Segments, options)
	if err != nil {
		return nil, err
	}
	var failures []Contradiction
	for _, c := range found {
		if c.Kind == FailedStill || c.Kind == FailedMoved {
			failures = append(failures, c)
		}
	}
	if len(found) > len(failures) {
		all = all.Without(failures)
		with, err := traces.Learn(d.Actions, all.Segments, options)
		if err != nil {
			return nil, err
		}
		if with.Report.Refusals >= d.Actions &&
			with.Report.Unexplained() <= without.Report.Unexplained() {
			return &Learned{Recording: all, Contradictions: failures, Result: with}, nil
		}
	}
	return &Learned{Recording: rest, Contradictions: found, Result: without}, nil
}

// mostBlamed is how many unexplained skills are tried at a time as the one that hides the facts of
// others. Each costs as much as learning facts once.
const mostBlamed = 5

// explainByImages finds the unexplained skills, and facts of theirs in images: a skill that moves
// an object from wherever it is leaves nothing that alternates, and one that flips a lamp does two
// things in turn. It takes the operators of those that are still unexplained out of the model. One
// that changes what the facts of other skills would tell, such as to sweep away whatever is there,
// hides these facts: it is blamed if, where what it leaves is unknown, more successes of others are
// explained than it has itself. Facts are learned without the others, as some of what alternates
// with them is no fact.
func (l *Learned) explainByImages(ctx context.Context, d *dataset.Dataset,
	thumbs []pixels.Thumbnail, options traces.Options,
) error {
	h := measureChanges(thumbs, l.Recording)
	if h == nil {
		return nil
	}
	e := &explanation{h: h, actions: d.Actions, options: options}
	now, err := e.explain(ctx, e.judge(l.Recording, l.Result))
	if err != nil {
		return fmt.Errorf("facts: %w", err)
	}
	all, unknown := l.Recording, map[strips.ActionID]bool{}
	for blamed := len(now.sure) > 0; blamed; {
		blamed = false
		suspects := slices.SortedStableFunc(slices.Values(now.found), func(x, y Unexplained) int {
			return cmp.Compare(x.steady, y.steady)
		})
		for _, u := range suspects[:min(mostBlamed, len(suspects))] {
			if unknown[u.Action] {
				continue
			}
			unknown[u.Action] = true
			next, err := e.learn(all.unknownAfter(unknown), now.looks)
			if err != nil {
				return err
			}
			if blamed = successes(next.sure)+u.Successes < successes(now.sure); blamed {
				now = next
				break
			}
			delete(unknown, u.Action)
		}
	}
	if len(now.sure) > len(unknown) {
		without := map[strips.ActionID]bool{}
		for _, u := range now.sure {
			without[u.Action] = !unknown[u.Action]
		}
		next, err := e.learn(now.recording.leaveOut(without), now.looks)
		if err != nil {
			return err
		}
		if successes(next.sure) <= successes(now.sure) {
			now = next
		}
	}
	l.Recording, l.Result, l.Unexplained = now.recording, now.result, now.sure
	named := func(o strips.Operator) bool {
		return slices.ContainsFunc(now.sure, func(u Unexplained) bool { return u.Action == o.Action })
	}
	l.Result.Model.Operators = slices.DeleteFunc(l.Result.Model.Operators, named)
	return nil
}

// explanation looks for a model that explains the images of a recording.
type explanation struct {
	h       *changes
	actions int
	options traces.Options
}

// explained is a model with what it leaves unexplained.
type explained struct {
	recording   Recording // the action of each attempt is a skill
	result      *traces.Result
	looks       *looks        // nil: of the trace alone
	found, sure []Unexplained // skills
}

// judge says what a model leaves unexplained that was learned from a recording.
func (e *explanation) judge(r Recording, result *traces.Result) *explained {
	x := &explained{recording: r, result: result}
	x.found, x.sure = e.h.unexplained(r, result)
	return x
}

// explain explains more by facts that images show, where they show something that no fact tells.
func (e *explanation) explain(ctx context.Context, now *explained) (*explained, error) {
	looks, err := e.h.look(ctx, e.actions)
	if err != nil {
		return nil, err
	}
	explained := len(now.sure) == 0 && !looks.untold(now.recording, now.result, len(e.h.thumbs))
	if explained && looks.hidden(now.result) == 0 {
		return now, nil
	}
	if looks.unclear > untoldShare {
		return now, nil
	}
	next, err := e.learn(e.h.recording, looks)
	if err != nil || successes(next.sure) > successes(now.sure) || explained &&
		(looks.hidden(next.result) >= looks.hidden(now.result) ||
			next.result.Report.Unexplained() > now.result.Report.Unexplained()) {
		return now, err
	}
	return e.withoutChance(next)
}

// withoutChance leaves out variables by which skills have variants that no fact tells, as if they
// acted by chance, if as much is explained without: a part of a thing that is badly seen.
func (e *explanation) withoutChance(now *explained) (*explained, error) {
	for tried := 0; now.untold() > 0; {
		better := false
		for _, v := range now.byChance() {
			if tried++; tried > mostBlamed {
				return now, nil
			}
			next, err := e.learn(e.h.recording, now.looks.of(now.looks.Without(v)))
			if err != nil {
				return nil, err
			}
			better = next.untold() < now.untold() && successes(next.sure) <= successes(now.sure)
			if better {
				now = next
				break
			}
		}
		if !better {
			break
		}
	}
	return now, nil
}

// untold is how often another variant of a skill happened than facts tell.
func (x *explained) untold() (n int) {
	all, variants := unpredicted(x.result)
	for _, r := range all {
		if variants[r.Action] > 1 {
			n += r.Refusals
		}
	}
	return n
}

// byChance are the variables by whose facts the variants of such skills differ, that of the skill
// with most first.
func (x *explained) byChance() (variables []int) {
	all, _ := unpredicted(x.result)
	slices.SortStableFunc(all, func(p, q Refused) int { return cmp.Compare(q.Refusals, p.Refusals) })
	for _, r := range all {
		for _, v := range x.looks.Splits(int(r.Action)) {
			if r.Refusals > 0 && !slices.Contains(variables, v) {
				variables = append(variables, v)
			}
		}
	}
	return variables
}

// learn learns from a recording with facts that images show; nil: without.
func (e *explanation) learn(r Recording, looks *looks) (*explained, error) {
	o, segments := e.options, r.Segments
	if looks != nil {
		for _, skill := range looks.Variants {
			o.Variants = append(o.Variants, strips.ActionID(skill))
		}
		r, segments = looks.split(r)
		o.Shown = looks.shown(r)
	}
	result, err := traces.Learn(e.actions, segments, o)
	if err != nil {
		return nil, err
	}
	if err := o.Ended(); err != nil {
		return nil, err
	}
	x := e.judge(r, result)
	x.looks = looks
	return x, nil
}

func successes(all []Unexplained) (n int) {
	for _, u := range all {
		n += u.Successes
	}
	return n
}

// leaveOut is the recording without the attempts of some actions.
func (r Recording) leaveOut(actions map[strips.ActionID]bool) (out Recording) {
	for s, segment := range r.Segments {
		var attempts []traces.Attempt
		var images [][2]int
		for i, at := range segment {
			if !actions[at.Action] {
				attempts, images = append(attempts, at), append(images, r.Images[s][i])
			}
		}
		out.Segments, out.Images = append(out.Segments, attempts), append(out.Images, images)
	}
	return out
}

// unknownAfter has nobody know what some actions leave.
func (r Recording) unknownAfter(actions map[strips.ActionID]bool) Recording {
	out := Recording{Images: r.Images}
	for _, segment := range r.Segments {
		segment = slices.Clone(segment)
		for i, at := range segment {
			if actions[at.Action] && at.Outcome == traces.Succeeded {
				segment[i].Outcome = traces.Failed
			}
		}
		out.Segments = append(out.Segments, segment)
	}
	return out
}
