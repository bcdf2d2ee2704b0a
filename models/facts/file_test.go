package facts

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"stripswm/models/internal/bitset"
	"stripswm/models/traces"
)

// written are files of recognizers: of today, and of before there was a side.
func written(t *testing.T) map[string][]byte {
	t.Helper()
	w := table{2, 3}
	d, states := film(t, w, 200, 1)
	var images []int
	var targets [][]float32
	for i := range d.Images() { // object 0 is at place 0, at 1
		at := slices.Clone(states[i/2])
		if i%2 == 1 {
			w.apply(at, segmentOf(w, 200, 1)[i/2].Action)
		}
		target := make([]float32, 2)
		if at[0] == 0 || at[0] == 1 {
			target[at[0]] = 1
		}
		images, targets = append(images, i), append(targets, target)
	}
	c := &Constraints{predicates: 2, atLeast: [][]literal{{0, 2}},
		sums: []sum{{Weights: []int64{1, 1}, Total: 1}}, excludes: pairOfExcludes()}
	z := &Recognizer{Constraints: c, Limit: 1.5, Unit: 5.3,
		Appearance: learnAppearance(d, images, targets, 2, func(all []int) []int { return all }),
		size:       d.Size}
	var today bytes.Buffer
	if err := z.Write(&today); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"today": bytes.TrimSpace(today.Bytes()), "old": old}
}

// segmentOf are the attempts of a film.
func segmentOf(w table, attempts int, seed uint64) []traces.Attempt {
	segment, _ := w.record(attempts, seed)
	return segment
}

// pairOfExcludes has two predicates exclude each other.
func pairOfExcludes() (sets []set) {
	for _, all := range [][]literal{{1, 2}, {0}, {0, 3}, {2}} {
		s := bitset.Make[literal](4)
		for _, l := range all {
			s.Set(l)
		}
		sets = append(sets, s)
	}
	return sets
}

// TestReadRefusesDamage changes each field of a file, and each number in it, to what would switch
// its check off, or makes no sense.
func TestReadRefusesDamage(t *testing.T) {
	for name, data := range written(t) {
		t.Run(name, func(t *testing.T) { refuseDamage(t, data) })
	}
}

func refuseDamage(t *testing.T, data []byte) {
	if _, err := Read(bytes.NewReader(data), nil); err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	mayBeNone := []string{"one_holds", "sums", "common_modes", "pairs"} // of few images and facts
	for name, value := range fields {
		damaged := map[string]string{"text": `"x"`, "an object": `{"x": 1}`, "a fraction": `[1.5]`,
			"negative": `-1`, "zero": `0`, "infinite": `1e999`, "huge": `1e300`, "a set of none": `[[]]`,
			"a huge literal": `[[1000000]]`, "a negative literal": `[[-1]]`}
		if !slices.Contains(mayBeNone, name) {
			damaged["null"], damaged["none"], damaged["no bytes"] = `null`, `[]`, `""`
		}
		if name != "met" { // which has bytes
			for what, is := range numbers(t, value) {
				damaged[what] = is
			}
		}
		for what, is := range damaged {
			with := maps.Clone(fields)
			with[name] = json.RawMessage(is)
			refused(t, name+" is "+what, with)
		}
		if name != "pairs" {
			with := maps.Clone(fields)
			delete(with, name)
			refused(t, name+" is missing", with)
		}
	}
	for _, sum := range []string{`{"total": 1}`, `{"weights": [1], "total": 1}`,
		`{"weights": [0, 0], "total": 0}`, `{"weights": [1, 1], "total": 3}`,
		`{"weights": [1, 1], "total": -1}`, `{"weights": [9007199254740993, 1], "total": 1}`} {
		with := maps.Clone(fields)
		with["sums"] = json.RawMessage("[" + sum + "]")
		refused(t, "sum "+sum, with)
	}
	for _, excludes := range []string{`[[1, 2], [0], [3], [2]]`, `[[1], [0], [], [2]]`} {
		with := maps.Clone(fields)
		with["excludes"] = json.RawMessage(excludes)
		refused(t, "excludes "+excludes, with)
	}
	for n := 0; n < len(data)-2; n += 1 + len(data)/500 {
		if _, err := Read(bytes.NewReader(data[:n]), nil); err == nil {
			t.Fatalf("cut after %d bytes of %d: taken", n, len(data))
		}
	}
	if _, err := Read(bytes.NewReader(append(data, data...)), nil); err == nil {
		t.Error("twice: taken")
	}
}

func refused(t *testing.T, what string, fields map[string]json.RawMessage) {
	t.Helper()
	data, err := json.Marshal(fields)
	if err != nil {
		return // no JSON, which no reader takes
	}
	if _, err := Read(bytes.NewReader(data), nil); err == nil {
		t.Errorf("%s: taken", what)
	} else if !strings.Contains(err.Error(), "learn it again") {
		t.Errorf("%s: %v", what, err)
	}
}

// numbers are the packed numbers of a field with the last one, or their count, made senseless.
func numbers(t *testing.T, value json.RawMessage) map[string]string {
	t.Helper()
	var packed []byte
	list := false
	if err := json.Unmarshal(value, &packed); err != nil || len(packed) < 4 {
		var rows [][]byte
		if err := json.Unmarshal(value, &rows); err != nil || len(rows[0]) < 4 {
			return nil
		}
		packed, list = rows[0], true
	}
	all := map[string]string{}
	add := func(what string, data []byte) {
		var is any = data
		if list {
			is = [][]byte{data, nil}
		}
		text, err := json.Marshal(is)
		if err != nil {
			t.Fatal(err)
		}
		all[what] = string(text)
	}
	for what, v := range map[string]float64{"not a number": math.NaN(), "infinite": math.Inf(1),
		"negative infinite": math.Inf(-1)} {
		data := slices.Clone(packed)
		binary.LittleEndian.PutUint32(data[len(data)-4:], math.Float32bits(float32(v)))
		add("with one that is "+what, data)
	}
	add("one byte less", packed[:len(packed)-1])
	add("one number more", append(slices.Clone(packed), 0, 0, 0, 63))
	return all
}
