package bags_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/bags"
	"stripswm/msgs"
)

// folder makes a folder of images named by number, PNG and JPEG, with this table.
func folder(t testing.TB, images int, table string) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name string, data []byte) {
		must(0, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	for i := range images {
		var b bytes.Buffer
		encode := func() error { return png.Encode(&b, img(i)) }
		if i%2 == 1 {
			encode = func() error { return jpeg.Encode(&b, img(i), nil) }
		}
		must(0, encode())
		put(fmt.Sprint(i), b.Bytes())
	}
	put(bags.TableName, []byte(table))
	return dir
}

const scanned = `before,action,after,outcome,reset
0,pick,1,succeeded,
1,place,2,succeeded,0
3,place,3,refused,
3,place,3,refused,
0,pick,1,succeeded,1
2,place,1,failed,
`

// told is what a recording says, with the bytes of its images.
func told(t *testing.T, path string) (lines []string, images [][2]string) {
	t.Helper()
	r := must(bags.Open(path))
	defer r.Close()
	for tr, err := range r.Transitions(t.Context()) {
		must(0, err)
		lines = append(lines, fmt.Sprintf("%d %d %s %s reset %v same %v", tr.Index, tr.Action, tr.Note,
			tr.Outcome, tr.Reset, tr.Before.Stamp == tr.After.Stamp))
		var both [2]string
		for i, im := range []bags.Image{tr.Before, tr.After} {
			m := must(im.Message())
			both[i] = string(m.(*msgs.CompressedImage).Data)
		}
		images = append(images, both)
	}
	return lines, images
}

func TestFolderIsARecording(t *testing.T) {
	dir := folder(t, 4, scanned)
	lines, images := told(t, dir)
	want := []string{
		"0 1 pick succeeded reset false same false",
		"1 2 place succeeded reset false same false",
		"2 2 place refused reset false same true",
		"3 2 place refused reset false same true",
		"4 1 pick succeeded reset true same false",
		"5 2 place failed reset false same false",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
	for i, names := range [][2]string{{"0", "1"}, {"1", "2"}, {"3", "3"}, {"3", "3"}, {"0", "1"},
		{"2", "1"}} {
		for k, name := range names {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil ||
				string(data) != images[i][k] {
				t.Errorf("transition %d, image %d is not %s (%v)", i, k, name, err)
			}
		}
	}
	report, err := bags.Check(t.Context(), dir, nil, nil)
	if err != nil || report.Class != bags.Intact || report.Transitions != 6 || report.Images != 9 {
		t.Errorf("check: %v, %v", report, err)
	}
	if _, err := bags.Repair(t.Context(), dir, nil, nil); !errors.Is(err, bags.ErrUnsupported) {
		t.Errorf("repair: %v", err)
	}
}

func TestImport(t *testing.T) {
	dir, out := folder(t, 4, scanned), filepath.Join(t.TempDir(), "made", "bag")
	var progress int64
	report, err := bags.Import(t.Context(), dir, out, nil, func(done, total int64) {
		progress = total - done
	})
	if err != nil || report.Transitions != 6 || report.Path != out || report.Bytes == 0 ||
		progress != 0 {
		t.Fatalf("%+v, %v; %d of the progress left", report, err, progress)
	}
	lines, images := told(t, dir)
	if gotLines, gotImages := told(t, out); !slices.Equal(gotLines, lines) ||
		!slices.Equal(gotImages, images) {
		t.Errorf("got %q, want %q", gotLines, lines)
	}
	if report, err := bags.Check(t.Context(), out, nil, nil); err != nil ||
		report.Class != bags.Intact {
		t.Errorf("check: %v, %v", report, err)
	}
	for _, again := range []struct {
		from, to string
		says     string
	}{{dir, out, "is there already"}, {out, out + "2", "it is a recording already"},
		{t.TempDir(), out + "2", "no transitions.csv"}} {
		if _, err := bags.Import(t.Context(), again.from, again.to, nil, nil); err == nil ||
			!strings.Contains(err.Error(), again.says) {
			t.Errorf("error %v, want %q", err, again.says)
		}
	}
}

// An import that cannot end leaves nothing behind.
func TestUnfinishedImportsLeaveNothing(t *testing.T) {
	broken := folder(t, 4, scanned)
	must(0, os.WriteFile(filepath.Join(broken, "2"), []byte("no image"), 0o666))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	undecodable := func(msgs.Message) (string, error) { return "", errors.New("it is torn") }
	for name, c := range map[string]struct {
		ctx    context.Context
		dir    string
		decode bags.Decoder
		want   string
	}{
		"no image": {t.Context(), broken, nil,
			"transitions.csv: line 3: bad image: 2 is neither PNG nor JPEG"},
		"undecodable": {t.Context(), folder(t, 4, scanned), undecodable,
			"transitions.csv: line 2: /images[0]: bad image: it is torn"},
		"^C": {canceled, folder(t, 4, scanned), nil, "canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			_, err := bags.Import(c.ctx, c.dir, filepath.Join(parent, "bag"), c.decode, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if left, _ := os.ReadDir(parent); len(left) != 0 {
				t.Errorf("%v is left", left)
			}
		})
	}
}

func TestFolderErrorsNameTheLine(t *testing.T) {
	for table, want := range map[string]string{
		"before,action,after,outcome\n0,1,1,succeeded\n1,1,7,succeeded\n": "transitions.csv:3: missing " +
			"image: ",
		"before,action,after,outcome\n0,1,1,done\n": "transitions.csv:2: bad " +
			"transition: unknown outcome",
		"before,action,after,outcome\n0,1,.,succeeded\n": "transitions.csv:2: missing " +
			"image: . is no file",
	} {
		if _, err := bags.Open(folder(t, 2, table)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestImportKeepsOtherFolders(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bag")
	mine := filepath.Join(out+".importing", "thesis.tex")
	must(0, os.Mkdir(filepath.Dir(mine), 0o755))
	rewrite(mine, nil)
	must(bags.Import(t.Context(), folder(t, 4, scanned), out, nil, nil))
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Dir(out)); len(left) != 2 {
		t.Errorf("%d entries, want the bag and the folder of another", len(left))
	}
}

// TestFolderIsNotLeft has images be links: within the folder, and out of it.
func TestFolderIsNotLeft(t *testing.T) {
	outside := folder(t, 2, scanned)
	for target, inside := range map[string]bool{
		"0": true, "./1": true, filepath.Join(outside, "0"): false,
		"../" + filepath.Base(outside) + "/0": false, "/dev/zero": false,
	} {
		dir := folder(t, 2, "before,action,after,outcome\n0,1,link,succeeded\n")
		must(0, os.Symlink(target, filepath.Join(dir, "link")))
		out := filepath.Join(t.TempDir(), "bag")
		_, err := bags.Import(t.Context(), dir, out, nil, nil)
		if inside != (err == nil) || err != nil && !errors.Is(err, bags.ErrReference) {
			t.Errorf("a link to %s: %v", target, err)
		}
	}
}

func TestFolderNotes(t *testing.T) {
	size := func(width int) bags.Decoder {
		return func(m msgs.Message) (string, error) {
			if m.(*msgs.CompressedImage).Format == "jpeg" {
				return fmt.Sprintf("%dx6 jpeg", width), nil
			}
			return "8x6 png", nil
		}
	}
	for name, tt := range map[string]struct {
		header string
		decode bags.Decoder
		want   []string
	}{
		"nothing": {"before,action,after,outcome", size(8), nil},
		"columns": {"before,action,after,outcome,who,when", size(8), []string{
			`transitions.csv: the columns ["who" "when"] are ignored`,
		}},
		"different sizes": {"before,action,after,outcome", size(16), []string{
			"/images: images of different sizes, 16x6 (1), 8x6 (1): see that all show the same part of " +
				"the scene",
		}},
	} {
		row := "0,1,1,succeeded" + strings.Repeat(",x", strings.Count(tt.header, ",")-3)
		dir, out := folder(t, 2, tt.header+"\n"+row+"\n"), filepath.Join(t.TempDir(), "bag")
		report, err := bags.Import(t.Context(), dir, out, tt.decode, nil)
		if err != nil || !slices.Equal(report.Notes, tt.want) {
			t.Errorf("%s: notes %q, %v", name, report.Notes, err)
		}
	}
}
