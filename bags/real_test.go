package bags_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"stripswm/bags"
	"stripswm/msgs"
)

// realBag is a recording that rosbag2 wrote: the shared one if it is beside the checkout, else the
// copy.
func realBag(t testing.TB, name string) string {
	shared := filepath.Join("..", "..", "shared", "data", "bags", name)
	if _, err := os.Stat(shared); err == nil {
		return shared
	}
	return filepath.Join("testdata", name)
}

func read(t *testing.T, path string, topics ...string) []bags.Message {
	t.Helper()
	r, err := bags.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []bags.Message
	for m, err := range r.Messages(context.Background(), topics...) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

func TestReadsWhatRosbag2Wrote(t *testing.T) {
	tests := []struct {
		name   string
		counts map[string]int
		first  string // on the first topic
		topic  string
	}{
		{"talker_mcap", map[string]int{"/topic": 10, "/rosout": 10}, "Hello, world! 0", "/topic"},
		{"talker_sqlite3", map[string]int{"/topic": 10, "/rosout": 10}, "Hello, world! 0", "/topic"},
		{"multiple_files_mcap", map[string]int{"/chatter": 3177}, "test", "/chatter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			counts := map[string]int{}
			var last int64
			for _, m := range read(t, realBag(t, tt.name)) {
				counts[m.Topic.Name]++
				if m.Received < last {
					t.Errorf("%s goes back in time", m.Topic.Name)
				}
				last = m.Received
			}
			if diff := cmp.Diff(tt.counts, counts); diff != "" {
				t.Error(diff)
			}
			var s msgs.String
			first := read(t, realBag(t, tt.name), tt.topic)[0]
			if err := first.Decode(&s); err != nil || s.Data != tt.first {
				t.Errorf("first message %q, %v; want %q", s.Data, err, tt.first)
			}
		})
	}
}

func TestRealBagsAreIntact(t *testing.T) {
	for _, name := range []string{"talker_mcap", "talker_sqlite3"} {
		report, err := bags.Check(context.Background(), realBag(t, name), decode, nil)
		if err != nil {
			t.Fatal(err)
		}
		if report.Class != bags.Intact || report.Messages != 20 {
			t.Errorf("%s", report)
		}
	}
	report, err := bags.Check(context.Background(), realBag(t, "multiple_files_mcap"), decode, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Class != bags.Repairable || report.FaultCount != 1 ||
		!strings.Contains(report.Faults[0].Error(), "metadata.yaml") {
		t.Errorf("a split bag without metadata.yaml: %s", report)
	}
}

// The codec must give back, byte for byte, what rmw implementations put into the bags.
func TestRealPayloadsComeBack(t *testing.T) {
	for _, name := range []string{"talker_mcap", "talker_sqlite3", "multiple_files_mcap"} {
		for _, m := range read(t, realBag(t, name)) {
			into, ok := msgs.New(m.Topic.Type)
			if !ok {
				t.Fatalf("%s: no codec of %s", name, m.Topic.Type)
			}
			if err := m.Decode(into); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			back, err := msgs.Marshal(into)
			if err != nil {
				t.Fatal(err)
			}
			// Writers need not zero their padding, and may pad the end to four bytes.
			again, _ := msgs.New(m.Topic.Type)
			if err := msgs.Unmarshal(back, again); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(into, again); diff != "" || len(m.Data)-len(back) > 3 ||
				len(m.Data) < len(back) {
				t.Fatalf("%s %s: %d bytes came back as %d\n%s", name, m.Topic.Type, len(m.Data), len(back),
					diff)
			}
			if m.Topic.Type == "std_msgs/msg/String" && !bytes.Equal(back, m.Data[:len(back)]) {
				t.Fatalf("%s: %q came back as %q", name, m.Data, back)
			}
		}
	}
}

// normal is a schema without comments and blank lines.
func normal(schema string) string {
	var lines []string
	for line := range strings.Lines(schema) {
		line, _, _ = strings.Cut(line, "#")
		if fields := strings.Fields(line); len(fields) > 0 {
			lines = append(lines, strings.ReplaceAll(strings.Join(fields, " "), " = ", "="))
		}
	}
	return strings.Join(lines, "\n")
}

// The definitions that rosbag2 embeds are the ones this project was written to.
func TestSchemasAreRosbag2s(t *testing.T) {
	for _, m := range read(t, realBag(t, "talker_mcap")) {
		ours, _ := msgs.Schema(m.Topic.Type)
		if diff := cmp.Diff(normal(m.Topic.Schema), normal(ours)); diff != "" {
			t.Fatalf("%s: %s", m.Topic.Type, diff)
		}
	}
}

// A damaged database gives faults, not panics, and whatever decodes is passed on.
func TestDamagedDatabase(t *testing.T) {
	dir, err := copyBag(t, realBag(t, "talker_sqlite3"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "talker.db3")
	data := contents(t, path)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(data); at += 331 {
		poke(t, path, at, data[at]^0xff)
		check(t, dir)
		poke(t, path, at, data[at])
	}
	for cut := len(data) - 1; cut >= 0; cut -= 1009 {
		if err := os.Truncate(path, int64(cut)); err != nil {
			t.Fatal(err)
		}
		if report := check(t, dir); report.Class == bags.Intact && report.Messages < 20 {
			t.Errorf("cut to %d of %d bytes passes: %s", cut, len(data), report)
		}
	}
}
