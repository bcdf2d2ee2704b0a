package incremental

import (
	"cmp"
	"slices"
	"time"

	"stripswm/models/identity"
)

// FrameCodes remembers the codes of the latest frames. Its zero value keeps none.
type FrameCodes struct {
	Keep time.Duration // age, against the newest, from which frames are forgotten
	Near time.Duration // greatest distance of a frame that stands for another

	frames []frame // by stamp
}

type frame struct {
	stamp time.Time
	code  identity.Code
}

// Add remembers a frame's code. Frames may come in any order.
func (f *FrameCodes) Add(stamp time.Time, code identity.Code) {
	i, _ := f.find(stamp)
	f.frames = slices.Insert(f.frames, i, frame{stamp, code})
	oldest := f.frames[len(f.frames)-1].stamp.Add(-f.Keep)
	if first, _ := f.find(oldest); first > len(f.frames)/2 { // in large steps, so that little is moved
		f.frames = slices.Delete(f.frames, 0, first)
	}
}

// At is the code of the frame at a time, or of the nearest one if that is near.
func (f *FrameCodes) At(stamp time.Time) (code identity.Code, ok bool) {
	i, exact := f.find(stamp)
	if exact {
		return f.frames[i].code, true
	}
	best := f.Near + 1
	for _, j := range []int{i - 1, i} {
		if j < 0 || j >= len(f.frames) {
			continue
		}
		if d := f.frames[j].stamp.Sub(stamp).Abs(); d < best {
			best, code = d, f.frames[j].code
		}
	}
	return code, best <= f.Near
}

// Reached says whether a frame of this time or a later one has come.
func (f *FrameCodes) Reached(stamp time.Time) bool {
	return len(f.frames) > 0 && !f.frames[len(f.frames)-1].stamp.Before(stamp)
}

func (f *FrameCodes) find(stamp time.Time) (int, bool) {
	return slices.BinarySearchFunc(f.frames, stamp, func(a frame, s time.Time) int {
		return cmp.Compare(a.stamp.Sub(s), 0)
	})
}
