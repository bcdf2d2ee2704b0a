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
)

// written is a file of a recognizer of two predicates, as it was once written.
func written(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/facts.json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestReadRefusesDamage changes each field of a file, and each number in it, to what would switch
// its check off, or makes no sense.
func TestReadRefusesDamage(t *testing.T) {
	data := written(t)
	if _, err := Read(bytes.NewReader(data), nil); err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	mayBeNone := []string{"one_holds", "sums", "common_modes"} // of few images and facts
	for name, value := range fields {
		damaged := map[string]string{"text": `"x"`, "an object": `{"x": 1}`, "a fraction": `[1.5]`,
			"negative": `-1`, "zero": `0`, "infinite": `1e999`, "huge": `1e300`, "a set of none": `[[]]`,
			"a huge literal": `[[1000000]]`, "a negative literal": `[[-1]]`}
		if !slices.Contains(mayBeNone, name) {
			damaged["null"], damaged["none"], damaged["no bytes"] = `null`, `[]`, `""`
		}
		for what, is := range numbers(t, value) {
			damaged[what] = is
		}
		for what, is := range damaged {
			with := maps.Clone(fields)
			with[name] = json.RawMessage(is)
			refused(t, name+" is "+what, with)
		}
		with := maps.Clone(fields)
		delete(with, name)
		refused(t, name+" is missing", with)
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
	for n := range data[:len(data)-2] {
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
