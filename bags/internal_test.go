package bags

import (
	"bytes"
	"slices"
	"testing"

	"github.com/pierrec/lz4/v4"
	"stripswm/msgs"
)

func TestRecentForgetsTheOldest(t *testing.T) {
	r := newRecent[int](3)
	key := func(i int) stampKey { return stampKey{"/c", msgs.Time{Sec: int32(i)}} }
	for i := range 5 {
		r.put(key(i), i)
	}
	r.put(key(3), 30) // again: it keeps its place
	r.put(key(5), 5)
	for i, want := range map[int]int{0: -1, 1: -1, 2: -1, 3: 30, 4: 4, 5: 5} {
		got, ok := r.get(key(i))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("key %d: got %d, want %d", i, got, want)
		}
	}
	if len(r.values) != 3 {
		t.Errorf("%d values", len(r.values))
	}
}

func TestChunkCacheKeepsToItsBudget(t *testing.T) {
	c := newChunkCache(100)
	for i := range int64(10) {
		c.put(chunkKey{0, i}, make([]byte, 40))
	}
	if _, ok := c.get(chunkKey{0, 9}); !ok || c.size > 100 || len(c.byKey) != 2 {
		t.Errorf("%d bytes in %d chunks", c.size, len(c.byKey))
	}
	c.put(chunkKey{0, 10}, make([]byte, 1000)) // larger than all: kept, alone
	if _, ok := c.get(chunkKey{0, 10}); !ok || len(c.byKey) != 1 {
		t.Errorf("%d bytes in %d chunks", c.size, len(c.byKey))
	}
}

func TestNaturalOrder(t *testing.T) {
	want := []string{"a.mcap", "run_1.mcap", "run_9.mcap", "run_10.mcap", "run_10a.mcap",
		"run_200.mcap"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, naturalOrder)
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestChunksInLZ4(t *testing.T) {
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	if _, err := w.Write([]byte("records")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	c := chunk{size: 7, compression: "lz4", stored: b.Bytes()}
	if got, err := c.contents(); err != nil || string(got) != "records" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A chunk that claims to be large must not be believed.
func TestChunksAreBounded(t *testing.T) {
	for _, c := range []chunk{
		{size: maxRecord + 1},
		{size: 1 << 20, compression: "zstd", stored: []byte{0x28, 0xb5, 0x2f, 0xfd}},
		{size: 10, compression: "rle"},
		{size: 3, stored: []byte{1, 2}},
		{size: 2, crc: 1, stored: []byte{1, 2}},
	} {
		if _, err := c.contents(); err == nil {
			t.Errorf("%+v passes", c)
		}
	}
}
