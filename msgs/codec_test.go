package msgs_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"stripswm/msgs"
)

// The bytes are laid out by hand from the CDR rules: alignment counts from the end of the
// encapsulation header.
func TestKnownBytes(t *testing.T) {
	tests := []struct {
		name   string
		m      msgs.Message
		little []byte
		big    []byte
	}{
		{
			name:   "string: length with the closing zero",
			m:      &msgs.String{Data: "hi"},
			little: []byte{0, 1, 0, 0, 3, 0, 0, 0, 'h', 'i', 0},
			big:    []byte{0, 0, 0, 0, 0, 0, 0, 3, 'h', 'i', 0},
		},
		{
			name:   "header: time before the frame",
			m:      &msgs.Header{Stamp: msgs.Time{Sec: 1, Nanosec: 2}, FrameID: ""},
			little: []byte{0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0},
			big:    []byte{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0},
		},
		{
			name: "status: numbers are padded to their size",
			m: &msgs.SkillStatus{Action: 3, Phase: msgs.SkillStatusRunning, Progress: 0.5, Message: "x",
				ExecutionID: msgs.UUID{UUID: [16]byte{9, 8}}},
			little: []byte{0, 1, 0, 0,
				0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, // header
				9, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // 17 to 33
				0, 0, 0, 3, 0, 0, 0, // padded to 36
				2, 0, 0, 0, 0, 0, 0, 0x3f, // phase, padding, progress
				2, 0, 0, 0, 'x', 0},
		},
		{
			name:   "an empty request has one byte",
			m:      &msgs.StopRecordingRequest{},
			little: []byte{0, 1, 0, 0, 0},
			big:    []byte{0, 0, 0, 0, 0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for order, want := range map[msgs.ByteOrder][]byte{msgs.LittleEndian: tt.little,
				msgs.BigEndian: tt.big} {
				if want == nil {
					continue
				}
				got, err := msgs.MarshalAppend(nil, tt.m, order)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("order %d:\n got % x\nwant % x", order, got, want)
				}
				back, _ := msgs.New(tt.m.ROSType())
				if err := msgs.Unmarshal(want, back); err != nil {
					t.Fatal(err)
				}
				if diff := gocmp.Diff(tt.m, back); diff != "" {
					t.Errorf("order %d: decoded differs:\n%s", order, diff)
				}
			}
		})
	}
}

// fill sets every field from r, so that no field can be forgotten or swapped by the codec without a
// test noticing.
func fill(v reflect.Value, r *rand.Rand) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), r)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), r)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), r)
	case reflect.Slice:
		if n := r.IntN(4); n > 0 {
			if strings.Contains(v.Type().String(), "Range") { // bounded to one in their definition
				n = 1
			}
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range v.Len() {
			fill(v.Index(i), r)
		}
	case reflect.String:
		v.SetString(strings.Repeat("é", r.IntN(5)))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(r.NormFloat64())))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
	default:
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()))
	}
}

func randomMessage(rosType string, seed uint64) msgs.Message {
	m, _ := msgs.New(rosType)
	fill(reflect.ValueOf(m).Elem(), rand.New(rand.NewPCG(seed, 1)))
	return m
}

func TestEveryTypeComesBackFromBothByteOrders(t *testing.T) {
	for _, name := range msgs.Types() {
		for seed := range uint64(20) {
			m := randomMessage(name, seed)
			for _, order := range []msgs.ByteOrder{msgs.BigEndian, msgs.LittleEndian} {
				payload, err := msgs.MarshalAppend(nil, m, order)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for _, decode := range []func([]byte, msgs.Message) error{msgs.Unmarshal,
					msgs.UnmarshalNoCopy} {
					back, _ := msgs.New(name)
					if err := decode(payload, back); err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if diff := gocmp.Diff(m, back); diff != "" {
						t.Fatalf("%s, order %d: came back different:\n%s", name, order, diff)
					}
				}
			}
		}
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	for _, name := range msgs.Types() {
		payload, err := msgs.Marshal(randomMessage(name, 3))
		if err != nil {
			t.Fatal(err)
		}
		for n := range payload {
			m, _ := msgs.New(name)
			if err := msgs.Unmarshal(payload[:n], m); !errors.Is(err, msgs.ErrMalformed) {
				t.Fatalf("%s cut to %d of %d bytes: error %v", name, n, len(payload), err)
			}
		}
	}
}

func TestMalformedPayloads(t *testing.T) {
	tests := []struct {
		name    string
		payload []byte
		into    msgs.Message
		want    string
	}{
		{"no header", []byte{0, 1}, &msgs.String{}, "no encapsulation header"},
		{"parameter list", []byte{0, 3, 0, 0, 1, 0, 0, 0, 0}, &msgs.String{}, "not plain CDR"},
		{"XCDR version 2", []byte{0, 7, 0, 0, 1, 0, 0, 0, 0}, &msgs.String{}, "not plain CDR"},
		{"huge string", []byte{0, 1, 0, 0, 255, 255, 255, 255, 'x'}, &msgs.String{},
			"4294967295 elements in 1 bytes"},
		{"no closing zero", []byte{0, 1, 0, 0, 1, 0, 0, 0, 'x'}, &msgs.String{}, "closing zero"},
		{"bytes left over", append([]byte{0, 1, 0, 0, 1, 0, 0, 0, 0}, make([]byte, 8)...), &msgs.String{},
			"8 bytes remain"},
		{"bool of 2", []byte{0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			&msgs.SendGoalResponse[*msgs.ExecuteSkillGoal]{}, "a bool of value 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := msgs.Unmarshal(tt.payload, tt.into)
			if !errors.Is(err, msgs.ErrMalformed) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// TestBounds sends two ranges of a parameter where the definition allows one.
func TestBounds(t *testing.T) {
	const want = "field IntegerRange: 2 elements, at most 1"
	m := &msgs.ParameterDescriptor{IntegerRange: make([]msgs.IntegerRange, 2)}
	if _, err := msgs.Marshal(m); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("encoded: %v, want an error with %q", err, want)
	}
	m.IntegerRange = nil
	payload, err := msgs.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	payload[len(payload)-4] = 2 // the length of IntegerRange, which comes last
	err = msgs.Unmarshal(append(payload, make([]byte, 2*24+4)...), m)
	if !errors.Is(err, msgs.ErrMalformed) || !strings.Contains(err.Error(), want) {
		t.Errorf("decoded: %v, want an error with %q", err, want)
	}
}

func TestNoCopyAliasesAndCopyDoesNot(t *testing.T) {
	payload, _ := msgs.Marshal(&msgs.CompressedImage{Format: "jpeg", Data: []byte{1, 2, 3}})
	var aliased, copied msgs.CompressedImage
	if err := errors.Join(msgs.UnmarshalNoCopy(payload, &aliased),
		msgs.Unmarshal(payload, &copied)); err != nil {
		t.Fatal(err)
	}
	payload[len(payload)-1] = 99
	if aliased.Data[2] != 99 || copied.Data[2] != 3 {
		t.Errorf("after the payload changed: aliased %v, copied %v", aliased.Data, copied.Data)
	}
}

// TestWireIsKept has every type's schema, encoding and hash, which recordings and other programs
// rely on, as they were before the codec used reflection. A changed definition changes its lines.
func TestWireIsKept(t *testing.T) {
	const golden = "testdata/wire.golden"
	var got strings.Builder
	for _, name := range msgs.Types() {
		schema, _ := msgs.Schema(name)
		m := randomMessage(name, 3)
		little, littleErr := msgs.MarshalAppend(nil, m, msgs.LittleEndian)
		both, bigErr := msgs.MarshalAppend(little, m, msgs.BigEndian)
		if err := errors.Join(littleErr, bigErr); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s %.16x %.16x %s\n", name, sha256.Sum256([]byte(schema)),
			sha256.Sum256(both), cmp.Or(msgs.TypeHash(name), "-"))
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("type, digest of the schema, digest of a message, hash of the type (-update writes "+
			"them anew):\n%s", d)
	}
	if _, ok := msgs.Schema("no_msgs/msg/Such"); ok || msgs.TypeHash("no_msgs/msg/Such") != "" {
		t.Error("a type that does not exist has a schema or a hash")
	}
}

var update = flag.Bool("update", false, "write the golden file anew")

func FuzzUnmarshal(f *testing.F) {
	names := msgs.Types()
	for i, name := range names {
		for _, order := range []msgs.ByteOrder{msgs.BigEndian, msgs.LittleEndian} {
			payload, _ := msgs.MarshalAppend(nil, randomMessage(name, 2), order)
			f.Add(uint16(i), payload)
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, payload []byte) {
		name := names[int(which)%len(names)]
		m, _ := msgs.New(name)
		if msgs.Unmarshal(payload, m) != nil {
			return
		}
		// What decodes must survive another round: as bytes, since NaN is not equal to itself.
		first, err := msgs.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := msgs.New(name)
		if err := msgs.Unmarshal(first, again); err != nil {
			t.Fatalf("%s: what was encoded does not decode: %v", name, err)
		}
		second, _ := msgs.Marshal(again)
		if !bytes.Equal(first, second) {
			t.Fatalf("%s: encoding is not stable", name)
		}
	})
}

func TestTimes(t *testing.T) {
	for _, ns := range []int64{0, 1, -1, 1_500_000_000, -1_500_000_000,
		math.MaxInt32 * 1_000_000_000} {
		if got := msgs.TimeFromNanoseconds(ns).Nanoseconds(); got != ns {
			t.Errorf("%d ns came back as %d", ns, got)
		}
		if got := msgs.TimeFrom(msgs.TimeFromNanoseconds(ns).GoTime()).Nanoseconds(); got != ns {
			t.Errorf("%d ns came back from time.Time as %d", ns, got)
		}
	}
	if !slices.IsSorted(msgs.Types()) {
		t.Error("Types is not sorted")
	}
}

func BenchmarkImage(b *testing.B) {
	m := &msgs.Image{Width: 640, Height: 480, Step: 1920, Encoding: msgs.RGB8,
		Data: make([]byte, 1920*480)}
	payload, _ := msgs.Marshal(m)
	b.Run("marshal", func(b *testing.B) {
		b.SetBytes(int64(len(payload)))
		buf := make([]byte, 0, len(payload))
		for b.Loop() {
			if _, err := msgs.MarshalAppend(buf, m, msgs.LittleEndian); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("unmarshal", func(b *testing.B) {
		b.SetBytes(int64(len(payload)))
		for b.Loop() {
			if err := msgs.Unmarshal(payload, &msgs.Image{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("unmarshal without copying", func(b *testing.B) {
		for b.Loop() {
			if err := msgs.UnmarshalNoCopy(payload, &msgs.Image{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSmall is the messages of which many pass: a transition, and a plan of ten skills.
func BenchmarkSmall(b *testing.B) {
	for _, name := range []string{"msg/Transition", "msg/SkillStatus", "msg/ActionSequence"} {
		m := randomMessage("strips_wm_msgs/"+name, 2)
		if plan, ok := m.(*msgs.ActionSequence); ok {
			plan.Actions, plan.Expected = make([]uint32, 10), make([]msgs.PredicateState, 11)
			for i := range plan.Expected {
				plan.Expected[i].Values = make([]bool, 14)
			}
		}
		payload, err := msgs.Marshal(m)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/marshal", func(b *testing.B) {
			buf := make([]byte, 0, len(payload))
			for b.Loop() {
				if _, err := msgs.MarshalAppend(buf, m, msgs.LittleEndian); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/unmarshal", func(b *testing.B) {
			for b.Loop() {
				into, _ := msgs.New(m.ROSType())
				if err := msgs.Unmarshal(payload, into); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
