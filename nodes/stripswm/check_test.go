package main

import (
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/msgs"
)

// imageFolder has two images and a table of these rows.
func imageFolder(t *testing.T, rows ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 2 {
		path := filepath.Join(dir, fmt.Sprintf("%d.png", i))
		writePNG(t, path, image.NewGray(image.Rect(0, 0, 40, 30+i)))
	}
	table := "before,action,after,outcome\n" + strings.Join(rows, "\n")
	write(t, filepath.Join(dir, "transitions.csv"), table)
	return dir
}

func TestImportVerb(t *testing.T) {
	dir, out := imageFolder(t, "0.png,on,1.png,succeeded", "1.png,off,0.png,succeeded",
		"0.png,off,0.png,refused"), filepath.Join(t.TempDir(), "bag")
	if stdout := succeeds(t, "import images "+dir+" -q --out "+out); !strings.Contains(stdout,
		out+": intact") || !strings.Contains(stdout, "3 transitions: 2 succeeded, 1 refused") {
		t.Error(stdout)
	}
	for _, path := range []string{dir, out} {
		if stdout := succeeds(t, "check -q "+path); !strings.Contains(stdout,
			"tries by action: 1:2 2:1") {
			t.Errorf("check %s: %s", path, stdout)
		}
	}
	ends(t, map[string]end{
		"import images " + dir + " -q --out " + out: {exitFailure, "is there already"}})
}

func TestUnusableFolder(t *testing.T) {
	for row, says := range map[string]string{
		"0.png,on,2.png,succeeded":            "transitions.csv:2: missing image",
		"0.png,on,1.png,fine":                 "transitions.csv:2: bad transition: unknown outcome",
		"0.png,on,1.png,failed\n0,1,1,failed": "transitions.csv:3: bad transition: action",
	} {
		dir, out := imageFolder(t, row), filepath.Join(t.TempDir(), "out")
		ends(t, map[string]end{"import images -q " + dir + " --out " + out: {exitInput, says},
			"learn -q --bag " + dir + " --out " + t.TempDir(): {exitInput, says},
			"check -q " + dir: {exitInput, says}})
	}
}

// TestCheckFindsDamage has a recording with a flipped bit, one that was cut short, and none.
func TestCheckFindsDamage(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "bag")
	succeeds(t, "record -q --size 64 --seed 3 --transitions 350 --out "+whole)
	if stdout := succeeds(t, "check -q "+whole); !strings.Contains(stdout, "350 succeeded") {
		t.Error(stdout)
	}
	damaged := func(damage func([]byte) []byte) string {
		dir := filepath.Join(t.TempDir(), "bag")
		must(0, os.CopyFS(dir, os.DirFS(whole)))
		path := filepath.Join(dir, "bag_0.mcap")
		write(t, path, string(damage(must(os.ReadFile(path)))))
		return dir
	}
	flipped := damaged(func(data []byte) []byte { data[len(data)/2] ^= 0x10; return data })
	cut := damaged(func(data []byte) []byte { return data[:2*len(data)/3] })
	for path, want := range map[string]string{flipped: "fault", cut: "fault", t.TempDir(): ""} {
		if code, stdout, _ := verb(t, t.Context(), "check", "-q", path); code == exitOK ||
			!strings.Contains(stdout, want) {
			t.Errorf("%s: exit %d, %s", path, code, stdout)
		}
		ends(t, map[string]end{"learn -q --bag " + path + " --out " + t.TempDir(): {exitInput, path}})
	}
	if code, stdout, stderr := verb(t, t.Context(), "check", "-q", cut, "--repair"); code !=
		exitRepaired || !strings.Contains(stdout, "kept") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	if stdout := succeeds(t, "check -q "+cut); !strings.Contains(stdout, "intact") {
		t.Errorf("after repair: %s", stdout)
	}
}

func TestTooLittleToLearnFrom(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	must(0, must(bags.Create(in("empty"), bags.Options{})).Close())
	succeeds(t, "record -q --size 64 --transitions 1 --out "+in("one"))
	succeeds(t, "record -q --size 64 --transitions 20 --out "+in("some"))
	learn := "learn -q --out " + in("out") + " --bag "
	ends(t, map[string]end{
		learn + in("empty"):                       {exitInput, "0 successful attempts"},
		learn + in("one"):                         {exitInput, "1 successful attempt"},
		learn + in("some") + " --actions 2":       {exitInput, "1..2"},
		learn + in("one") + " --preset huge":      {exitUsage, "small"},
		learn + in("one") + " --stage 4":          {exitUsage, "choose"},
		learn + in("one") + " --stage classifier": {exitInput, "bundle"},
	})
}

// TestImportOfAPlainBag takes a recording for a plain bag, by its images and statuses alone: the
// attempts must be those that it has.
func TestImportOfAPlainBag(t *testing.T) {
	dir := t.TempDir()
	bag, out := filepath.Join(dir, "bag"), filepath.Join(dir, "out")
	succeeds(t, "record -q --transitions 20 --size 64 --out "+bag)
	marks := []string{"import", "bag", bag, "-q", "--out", out, "--image-topic",
		"/camera/image_raw/compressed", "--skill-topic", "/skill_status", "--field", "phase",
		"--start-rule", "^1$", "--end-rule", "^3$", "--refused-rule", "^4$", "--motion", "0"}
	code, stdout, stderr := verb(t, t.Context(), marks...)
	_, want, _ := verb(t, t.Context(), "check", bag, "-q")
	transitions := regexp.MustCompile(`[0-9]+ transitions: .*`)
	if code != exitOK || stderr != "" || transitions.FindString(stdout) == "" ||
		transitions.FindString(stdout) != transitions.FindString(want) {
		t.Errorf("exit %d, %s%s; the recording has\n%s", code, stdout, stderr, want)
	}
	again := "import bag " + bag + " -q --out " + out + "2 --skill-topic /b "
	ends(t, map[string]end{
		strings.Join(marks, " "):                {exitFailure, "is there already"},
		again:                                   {exitUsage, `"image-topic" not set`},
		again + "--image-topic /a --end-rule (": {exitUsage, "--end-rule"},
		again + "--image-topic /a --end-rule x": {exitInput, "/a"},
		again + "--image-topic /a --motion 300": {exitUsage, "want 0 to 255"},
	})
}

// TestImportOfImages has a plain bag with a skill, whose camera publishes images of some form.
func TestImportOfImages(t *testing.T) {
	const side = 32
	pixels := func(bytes int) []byte {
		p := make([]byte, side*side*bytes)
		for i := range p {
			p[i] = uint8(i / bytes / side * 7)
		}
		return p
	}
	raw := func(encoding string, bytes, step int) msgs.Message {
		return &msgs.Image{Width: side, Height: side, Encoding: encoding, Step: uint32(step),
			Data: pixels(bytes)}
	}
	depth := append(make([]byte, 12), "\x89PNG\r\n\x1a\n"...)
	for name, c := range map[string]struct {
		image msgs.Message
		want  string // "" where it is read
	}{
		"rgb8":        {raw("rgb8", 3, 3*side), ""},
		"mono16":      {raw("mono16", 2, 2*side), ""},
		"bayer_rggb8": {raw("bayer_rggb8", 1, side), ""},
		"yuv422_yuy2": {raw("yuv422_yuy2", 2, 2*side), ""},
		"floats":      {raw("32FC1", 4, 4*side), `encoding "32FC1" is not one of`},
		"labels":      {raw("32SC1", 4, 4*side), `encoding "32SC1" is not one of`},
		"no encoding": {raw("", 3, 3*side), `encoding "" is not one of`},
		"no step":     {raw("rgb8", 3, 0), "step of 0 bytes is too short for 32 rgb8 pixels"},
		"long step":   {raw("rgb8", 3, 3*side+1), "with a step of 97 bytes"},
		"compressed depth": {&msgs.CompressedImage{Format: "16UC1; compressedDepth png", Data: depth},
			`neither png nor jpeg, in format "16UC1; compressedDepth png"`},
		"video": {&msgs.CompressedImage{Format: "h264", Data: []byte{0, 0, 0, 1, 0x67}},
			`neither png nor jpeg, in format "h264"`},
		"no format": {&msgs.CompressedImage{}, "0 bytes that are neither png nor jpeg"},
	} {
		t.Run(name, func(t *testing.T) {
			bag, out := filepath.Join(t.TempDir(), "bag"), filepath.Join(t.TempDir(), "out")
			w, err := bags.Create(bag, bags.Options{})
			for i := range 30 {
				now := time.Unix(1000, 0).Add(time.Duration(i) * 100 * time.Millisecond)
				header := msgs.Header{Stamp: msgs.TimeFrom(now)}
				switch m := c.image.(type) {
				case *msgs.Image:
					m.Header = header
				case *msgs.CompressedImage:
					m.Header = header
				}
				err = errors.Join(err, w.Write("/eye", now, c.image))
				if text := map[int]string{10: "start pick", 15: "done"}[i]; text != "" {
					err = errors.Join(err, w.Write("/skill", now, &msgs.String{Data: text}))
				}
			}
			must(0, errors.Join(err, w.Close()))
			code, stdout, stderr := verb(t, t.Context(), "import", "bag", bag, "-q", "--out", out,
				"--image-topic", "/eye", "--skill-topic", "/skill", "--start-rule", "^start (.+)",
				"--end-rule", "^done")
			if c.want == "" {
				if code != exitOK || !strings.Contains(stdout, "1 transitions: 1 succeeded") {
					t.Errorf("exit %d, %s%s", code, stdout, stderr)
				}
			} else if code != exitInput || !strings.Contains(stderr, "topic /eye: bad image: ") ||
				!strings.Contains(stderr, c.want) {
				t.Errorf("exit %d, %s", code, stderr)
			}
		})
	}
}

func TestLearnWarnsOfAFolder(t *testing.T) {
	dir := imageFolder(t, "0.png,on,1.png,succeeded")
	_, _, stderr := verb(t, t.Context(), "learn", "--bag", dir, "--out", t.TempDir(), "-q")
	if !strings.Contains(stderr, "images of different sizes, 40x30 (1), 40x31 (1)") {
		t.Error(stderr)
	}
}

// TestLearnNamesTheVerb: what is no recording of attempts can be made one.
func TestLearnNamesTheVerb(t *testing.T) {
	for path, want := range map[string]string{
		"../../bags/testdata/talker_mcap": "stripswm import bag ../../bags/testdata/talker_mcap " +
			"--image-topic TOPIC --skill-topic TOPIC",
		"../../bags/testdata/talker_sqlite3": "/topic (std_msgs/msg/String)",
		t.TempDir():                          "stripswm import makes a recording",
		"check_test.go":                      "stripswm import makes a recording",
	} {
		ends(t, map[string]end{"learn -q --bag " + path + " --out " + t.TempDir(): {exitInput, want}})
	}
}
