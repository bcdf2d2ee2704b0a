package bags_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"stripswm/bags"
)

// A journal is what a recorder did to its data files, in order.
type journal struct {
	ops          []op
	acknowledged []int // number of ops when each transition was
}

// An op creates a file, or writes to it, cuts it or syncs it.
type op struct {
	file string
	kind byte // 'c', 'w', 't', 's'
	at   int64
	data []byte
}

type journalFile struct {
	*journal
	name string
}

func (j *journal) open(path string) (bags.File, error) {
	f := journalFile{j, filepath.Base(path)}
	f.note('c', 0, nil)
	return f, nil
}

func (f journalFile) note(kind byte, at int64, data []byte) {
	f.ops = append(f.ops, op{f.name, kind, at, slices.Clone(data)})
}

func (f journalFile) WriteAt(p []byte, at int64) (int, error) {
	f.note('w', at, p)
	return len(p),
		nil
}
func (f journalFile) Truncate(size int64) error { f.note('t', size, nil); return nil }
func (f journalFile) Sync() error               { f.note('s', 0, nil); return nil }
func (f journalFile) Close() error              { return nil }

// journalOf notes what the steps do; plan has an 'a' for an attempt, an 'i' for an image more and
// an 's' for a split.
func journalOf(t interface{ Fatal(...any) }, dir, plan string) *journal {
	j := &journal{}
	w, err := bags.Create(filepath.Join(dir, "recorded"), fixed(bags.Options{OpenFile: j.open}))
	if err != nil {
		t.Fatal(err)
	}
	run := func(steps ...step) {
		for _, s := range steps {
			if err := s(w); err != nil {
				t.Fatal(err)
			}
		}
	}
	run(sees(0))
	sec, last, action := 0, 0, uint32(0)
	for _, what := range plan {
		switch what {
		case 'i':
			sec++
			run(sees(sec))
		case 's':
			run(splits)
		case 'a':
			sec++
			action++
			run(sees(sec), does(action, last, sec))
			j.acknowledged = append(j.acknowledged, len(j.ops))
			last = sec
		}
	}
	run((*bags.Writer).Close)
	return j
}

// crash leaves the files as they were after n ops and some bytes of the next; a loss of power
// leaves of each file what was synced, and the same share of the rest.
func (j *journal) crash(t interface{ Fatal(...any) }, dir string, n int, share float64,
	power bool,
) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files, synced := map[string][]byte{}, map[string]int{}
	for i, o := range j.ops {
		data := o.data
		if i > n || i == n && o.kind != 'w' {
			break
		} else if i == n {
			data = data[:int(share*float64(len(data)))]
		}
		switch o.kind {
		case 'c', 't':
			files[o.file] = files[o.file][:o.at]
		case 'w':
			files[o.file] = append(files[o.file][:o.at], data...)
		case 's':
			synced[o.file] = len(files[o.file])
		}
	}
	for name, data := range files {
		if power {
			data = data[:synced[name]+int(share*float64(len(data)-synced[name]))]
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// survives repairs what a crash left, and holds it against what was acknowledged.
func (j *journal) survives(t *testing.T, dir string, n int) (kept, acknowledged int, err error) {
	for _, ops := range j.acknowledged {
		if ops <= n {
			acknowledged++
		}
	}
	report, err := bags.Repair(context.Background(), dir, decode, nil)
	if acknowledged == 0 && (errors.Is(err, bags.ErrNothingToKeep) || errors.Is(err, bags.ErrNoBag)) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, acknowledged, err
	}
	got, err := attempts(t, dir)
	if err != nil {
		return 0, acknowledged, err
	}
	for i, a := range got {
		if a.Action != uint32(i+1) {
			return i, acknowledged, errors.New("transitions are missing or doubled")
		}
	}
	if report.Before.Class == bags.Intact || check(t, dir).Class != bags.Intact {
		return len(got), acknowledged, errors.New("intact without metadata, or not after the repair")
	}
	return len(got), acknowledged, nil
}

// TestEveryCrash ends a recording in three files after each op, within each write, by kill and by
// loss of power.
func TestEveryCrash(t *testing.T) {
	j := journalOf(t, t.TempDir(), "aiasaiasia")
	base := t.TempDir()
	for n := range len(j.ops) + 1 {
		for i, share := range []float64{0, 0.01, 0.5, 0.99, 1} {
			for _, power := range []bool{false, true} {
				dir := filepath.Join(base, "run")
				j.crash(t, dir, n, share, power)
				if kept, acknowledged, err := j.survives(t, dir, n); err != nil || kept < acknowledged {
					t.Errorf("crash after op %d, share %d, loss of power %t: kept %d of %d acknowledged: %v", n, i,
						power, kept, acknowledged, err)
				}
				for _, left := range []string{"", ".damaged"} {
					if err := os.RemoveAll(dir + left); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// TestAnyCrash does so at random, with random recordings.
func TestAnyCrash(t *testing.T) {
	base := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		temp, err := os.MkdirTemp(base, "crash-*")
		if err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(temp)
		j := journalOf(r, temp, rapid.StringMatching(`[aais]{0,12}`).Draw(r, "plan"))
		n := rapid.IntRange(0, len(j.ops)).Draw(r, "ops")
		dir := filepath.Join(temp, "run")
		j.crash(r, dir, n, rapid.Float64Range(0, 1).Draw(r, "share"), rapid.Bool().Draw(r, "power"))
		if kept, acknowledged, err := j.survives(t, dir, n); err != nil || kept < acknowledged {
			r.Errorf("kept %d of %d acknowledged: %v", kept, acknowledged, err)
		}
	})
}
