package incremental

import (
	"cmp"
	"slices"
	"time"
)

// Trail remembers the codes of the latest frames. Its zero value keeps none.
type Trail struct {
	Keep time.Duration // age, against the newest, from which frames are forgotten
	Near time.Duration // greatest distance of a frame that stands for another

	marks []mark // by stamp
}

type mark struct {
	stamp time.Time
	code  string
}

// Add remembers a frame's code. Frames may come in any order.
func (t *Trail) Add(stamp time.Time, code string) {
	i, _ := t.find(stamp)
	t.marks = slices.Insert(t.marks, i, mark{stamp, code})
	oldest := t.marks[len(t.marks)-1].stamp.Add(-t.Keep)
	if first, _ := t.find(oldest); first > len(t.marks)/2 { // in large steps, so that little is moved
		t.marks = slices.Delete(t.marks, 0, first)
	}
}

// At is the code of the frame at a time, or of the nearest one if that is near.
func (t *Trail) At(stamp time.Time) (code string, ok bool) {
	i, exact := t.find(stamp)
	if exact {
		return t.marks[i].code, true
	}
	best := t.Near + 1
	for _, j := range []int{i - 1, i} {
		if j < 0 || j >= len(t.marks) {
			continue
		}
		if d := t.marks[j].stamp.Sub(stamp).Abs(); d < best {
			best, code = d, t.marks[j].code
		}
	}
	return code, best <= t.Near
}

func (t *Trail) find(stamp time.Time) (int, bool) {
	return slices.BinarySearchFunc(t.marks, stamp, func(m mark, s time.Time) int {
		return cmp.Compare(m.stamp.Sub(s), 0)
	})
}
