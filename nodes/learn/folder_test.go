package learn_test

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stripswm/bags"
	"stripswm/models/pixels"
	"stripswm/nodes/learn"
)

// folderOf makes a folder of plain pictures, of any size, with this table.
func folderOf(t *testing.T, pictures int, table string) string {
	t.Helper()
	dir := t.TempDir()
	for i := range pictures {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%d.png", i)))
		if err != nil {
			t.Fatal(err)
		}
		img := image.NewGray(image.Rect(0, 0, 90+7*i, 70))
		for p := range img.Pix {
			img.Pix[p] = color.Gray{Y: uint8(40 * i)}.Y
		}
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, bags.TableName), []byte(table), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A folder of pictures and the bag that import makes of it are one recording: what follows what, names and pictures.
func TestLoadFolder(t *testing.T) {
	dir := folderOf(t, 4, `before,action,after,outcome,reset
0.png,pick,1.png,succeeded,
1.png,place,2.png,succeeded,
2.png,place,3.png,succeeded,1
3.png,drop,3.png,refused,
3.png,pick,0.png,succeeded,
0.png,drop,0.png,refused,1
0.png,pick,1.png,succeeded,
`)
	bag := filepath.Join(t.TempDir(), "bag")
	if _, err := bags.Import(t.Context(), dir, bag, nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, bag} {
		r, err := learn.Load(t.Context(), path, learn.Frame{Side: 64, Fit: pixels.Letterbox}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		var actions []int
		var follows []bool
		for _, tr := range r.Data.Transitions {
			actions, follows = append(actions, int(tr.Action)), append(follows, tr.Follows)
		}
		if !slices.Equal(actions, []int{2, 3, 3, 2, 2}) || !slices.Equal(follows, []bool{false, true, false, true, false}) {
			t.Errorf("%s: actions %v, follows %v", path, actions, follows)
		}
		if len(r.Data.Refused) != 2 || r.Data.Actions != 3 || !slices.Equal(r.Names, []string{"drop", "pick", "place"}) {
			t.Errorf("%s: %d refused, %d actions, names %q", path, len(r.Data.Refused), r.Data.Actions, r.Names)
		}
		if p, err := r.Picture(r.Data.Transitions[1].After); err != nil || p.Width != 104 || p.Height != 70 {
			t.Errorf("%s: picture of %dx%d, %v", path, p.Width, p.Height, err)
		}
	}
}

func TestLoadFolderNamesTheTornPicture(t *testing.T) {
	dir := folderOf(t, 2, "before,action,after,outcome\n0.png,1,1.png,succeeded\n")
	torn := filepath.Join(dir, "1.png")
	data, err := os.ReadFile(torn)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn, data[:len(data)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := learn.Load(t.Context(), dir, learn.Frame{Side: 64, Fit: pixels.Letterbox}, 0, nil); err == nil || !strings.Contains(err.Error(), "1.png (transitions.csv:2)") {
		t.Errorf("error %v does not name the picture", err)
	}
}
