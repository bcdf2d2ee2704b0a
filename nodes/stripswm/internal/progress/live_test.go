package progress

import (
	"bytes"
	"strings"
	"testing"
)

func TestLiveBar(t *testing.T) {
	for _, tt := range []struct {
		name  string
		total int64
		count int64
		note  string
		want  []string
	}{
		{"complete", 10, 10, "", []string{"start", "train: 10/10"}},
		{"more than the total", 10, 12, "", []string{"12/10"}},
		{"interrupted", 10, 4, "interrupted", []string{"4/10", ", interrupted\n"}},
		{"unknown total", 0, 7, "", []string{"train: 7 in "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			l := newLive(Options{Out: &out}, "start", tt.total)
			l.update("train", tt.count)
			l.finish("train", tt.count, tt.note)
			for _, want := range tt.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q in %q", want, out.String())
				}
			}
			if !strings.HasSuffix(out.String(), "\n") {
				t.Errorf("the last line does not end: %q", out.String())
			}
		})
	}
}
