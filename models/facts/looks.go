package facts

import (
	"context"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"stripswm/models/effects"
	"stripswm/models/strips"
	"stripswm/models/traces"
)

// looks are facts that images show (package effects), and the attempts that they were learned from.
type looks struct {
	*effects.Result
	recorded []traces.Attempt
	images   [][2]int       // by attempt
	attempts map[[2]int]int // by images
	// variants has the action of the successes of skills with variants, by images; 0: nobody knows.
	variants map[[2]int]strips.ActionID
	unclear  float64 // share of attempts of skills with variants that are of none
}

// look learns facts of what changes in images.
func (h *changes) look(ctx context.Context, skills int) (*looks, error) {
	var attempts []effects.Attempt
	l := &looks{attempts: map[[2]int]int{}}
	n := 0 // segments
	for s, segment := range h.recording.Segments {
		n++
		for i, at := range segment {
			if at.Outcome == traces.Failed || at.With > 0 {
				n++ // nobody knows what it left, or in which order
				continue
			}
			a := effects.Attempt{Action: int(at.Action), Succeeded: at.Outcome == traces.Succeeded,
				Segment: n}
			images := h.recording.Images[s][i]
			if images[0] >= 0 {
				a.Before, a.After = h.thumbs[images[0]], h.thumbs[images[1]]
				l.attempts[images] = len(attempts)
			}
			attempts, l.images = append(attempts, a), append(l.images, images)
			l.recorded = append(l.recorded, at)
		}
	}
	found, err := effects.Learn(ctx, attempts, effects.Options{Channels: 3, Skills: skills})
	if err != nil {
		return nil, err
	}
	return l.of(found), nil
}

// of are the looks with facts of the same images.
func (l *looks) of(found *effects.Result) *looks {
	of := &looks{Result: found, images: l.images, attempts: l.attempts, recorded: l.recorded,
		variants: map[[2]int]strips.ActionID{}}
	several := map[int]bool{}
	for _, skill := range found.Variants {
		several[skill] = true
	}
	for i, a := range l.recorded {
		other := several[int(a.Action)] || found.Actions[i] != int(a.Action)
		if a.Outcome == traces.Succeeded && other {
			of.variants[l.images[i]] = strips.ActionID(found.Actions[i])
		}
		if several[int(a.Action)] && found.Actions[i] == 0 {
			of.unclear += 1 / float64(len(l.recorded))
		}
	}
	return of
}

// untold says whether some variable changes in images, and facts of a model do not tell from what
// to what, most of the time.
func (l *looks) untold(r Recording, result *traces.Result, images int) bool {
	shows := r.Intervals(result, images)
	interval := func(image int) int {
		if image < 0 {
			return -1
		}
		return shows[image]
	}
	for _, v := range l.Variables {
		look := map[int]int{} // by interval
		for i, of := range l.images {
			for end, now := range [2]int{v.Before[i], v.After[i]} {
				if at := interval(of[end]); at >= 0 && now >= 0 {
					look[at] = now
				}
			}
		}
		told := tell(result, look, v.Looks)
		changes, missed := 0, 0
		for i, of := range l.images {
			before, after := interval(of[0]), interval(of[1])
			if min(v.Before[i], v.After[i], before, after) >= 0 && v.Before[i] != v.After[i] {
				changes++
				if told[before] != v.Before[i] || told[after] != v.After[i] {
					missed++
				}
			}
		}
		if 2*missed > changes {
			return true
		}
	}
	return false
}

// hidden counts the facts of a model that no image shows.
func (l *looks) hidden(r *traces.Result) (n int) {
	for _, p := range r.Model.Predicates {
		shown := func(f effects.Fact) bool {
			sets, clears := ids(f.Sets), ids(f.Clears)
			return slices.Equal(sets, p.Add) && slices.Equal(clears, p.Del) ||
				slices.Equal(sets, p.Del) && slices.Equal(clears, p.Add)
		}
		if p.Members == nil && !slices.ContainsFunc(l.Facts, shown) {
			n++
		}
	}
	return n
}

// tell guesses the look in each interval by a tree of predicates, each of which tells more than any
// of them would by chance: nats, by Krichevsky and Trofimov's estimator.
func tell(result *traces.Result, look map[int]int, looks int) map[int]int {
	told, predicates := map[int]int{}, len(result.Model.Predicates)
	count := func(of []int) (counts []float64, nats float64) {
		counts = make([]float64, looks)
		for k, i := range of {
			nats += math.Log((counts[look[i]] + 0.5) / (float64(k) + 0.5*float64(looks)))
			counts[look[i]]++
		}
		return counts, nats
	}
	var grow func(of []int)
	grow = func(of []int) {
		counts, nats := count(of)
		most := nats + math.Log(float64(predicates)/falseCells)
		var best [3][]int
		for p := range predicates {
			var parts [3][]int
			for _, i := range of {
				v := result.Value(strips.Predicate(p), i)
				parts[v] = append(parts[v], i)
			}
			sum := 0.0
			for _, part := range parts {
				_, nats := count(part)
				sum += nats
			}
			if sum > most {
				most, best = sum, parts
			}
		}
		if len(best[0])+len(best[1])+len(best[2]) > 0 {
			for _, part := range best {
				if len(part) > 0 {
					grow(part)
				}
			}
			return
		}
		for _, i := range of {
			told[i] = floats.MaxIdx(counts)
		}
	}
	grow(slices.Sorted(maps.Keys(look)))
	return told
}

// split returns a recording's attempts by variants. What a success did that is of none is unknown,
// in the recording returned, too, and another segment begins where images show that somebody
// changed the scene between two attempts.
func (l *looks) split(r Recording) (Recording, [][]traces.Attempt) {
	var named Recording
	var split [][]traces.Attempt
	for s, segment := range r.Segments {
		begin := 0
		for end := 1; end <= len(segment); end++ {
			if end < len(segment) && !l.changed(r.Images[s][end-1], r.Images[s][end]) {
				continue
			}
			own, actions := slices.Clone(segment[begin:end]), slices.Clone(segment[begin:end])
			for i, images := range r.Images[s][begin:end] {
				action, several := l.variants[images]
				switch {
				case !several || own[i].Outcome != traces.Succeeded:
				case action == 0:
					own[i].Outcome, actions[i].Outcome = traces.Failed, traces.Failed
				default:
					actions[i].Action = action
				}
			}
			named.Segments, split = append(named.Segments, own), append(split, actions)
			named.Images = append(named.Images, r.Images[s][begin:end])
			begin = end
		}
	}
	return named, split
}

// changed says whether images show that the scene is not as the attempt before left it.
func (l *looks) changed(before, now [2]int) bool {
	i, known := l.attempts[before]
	k, too := l.attempts[now]
	return known && too && slices.ContainsFunc(l.Variables, func(v effects.Variable) bool {
		return min(v.After[i], v.Before[k]) >= 0 && v.After[i] != v.Before[k]
	})
}

// shown are the facts with what the images of a recording show.
func (l *looks) shown(r Recording) []traces.Shown {
	var all []traces.Shown
	for _, f := range l.Facts {
		s := traces.Shown{Set: ids(f.Sets), Clear: ids(f.Clears), Doubt: ids(f.Doubts),
			Nats: l.Variables[f.Variable].Nats, Variable: f.Variable + 1,
			Values: make([][][2]traces.Value, len(r.Segments))}
		for k, segment := range r.Segments {
			s.Values[k] = make([][2]traces.Value, len(segment))
			for n := range segment {
				i, seen := l.attempts[r.Images[k][n]]
				for end := 0; end < 2 && seen; end++ {
					switch value, known := l.Value(f, i, end); {
					case known && value:
						s.Values[k][n][end] = traces.True
					case known:
						s.Values[k][n][end] = traces.False
					}
				}
				if segment[n].Outcome == traces.Failed { // what is after it is in the next interval
					s.Values[k][n][1] = traces.Unknown
				}
			}
		}
		all = append(all, s)
	}
	return all
}

func ids(actions []int) (all []strips.ActionID) {
	for _, a := range actions {
		all = append(all, strips.ActionID(a))
	}
	return all
}
