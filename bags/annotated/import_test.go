package annotated_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
	"stripswm/bags/annotated"
	"stripswm/bags/pairing"
	"stripswm/msgs"
)

// A drive is a plain bag: a camera at 10 Hz, stamped some seconds off the recorder's clock, and
// what a robot says. What the camera shows changes when a skill that moves something ends.
type drive struct {
	w     *bags.Writer
	now   time.Time
	scene uint8
	stamp func(time.Time) msgs.Time // of an image at a time; cameraOff if nil
}

const cameraOff = -90 * time.Second

func newDrive(t *testing.T) (*drive, string) {
	dir := filepath.Join(t.TempDir(), "drive")
	return &drive{w: must(bags.Create(dir, bags.Options{})), now: time.Unix(2000, 0), scene: 100}, dir
}

func (d *drive) watch(frames int) {
	for range frames {
		d.now = d.now.Add(100 * time.Millisecond)
		m := image.NewGray(image.Rect(0, 0, 32, 32))
		for i := range m.Pix {
			if m.Pix[i] = 20; i%32 < 16 {
				m.SetGray(i%32, i/32, color.Gray{Y: d.scene})
			}
		}
		stamp := msgs.TimeFrom(d.now.Add(cameraOff))
		if d.stamp != nil {
			stamp = d.stamp(d.now)
		}
		must(0, d.w.Write("/camera", d.now, msgs.NewImage(msgs.Header{Stamp: stamp}, m)))
	}
}

// says is a message as a std_msgs/Int16 or a String, both written out as payloads.
func (d *drive) says(value any) {
	e := msgs.NewEncoder(nil, msgs.LittleEndian)
	topic := bags.Topic{Name: "/skill", Type: "std_msgs/msg/String", Schema: "string data"}
	switch v := value.(type) {
	case string:
		e.PutString(v)
	case int:
		topic.Type, topic.Schema = "std_msgs/msg/Int16", "int16 data"
		e.PutInt16(int16(v))
	}
	must(0, d.w.AddTopic(topic))
	must(0, d.w.WriteRaw("/skill", d.now.UnixNano(), 0, must(e.Bytes())))
}

// does is a skill between two marks.
func (d *drive) does(start, end any) {
	d.watch(5)
	d.says(start)
	d.watch(3)
	d.scene += 20
	d.says(end)
	d.watch(10)
}

func thumbnail(m msgs.Message) (pairing.View, error) {
	im := m.(*msgs.Image)
	rgb := make([]uint8, 0, 3*len(im.Data))
	for _, g := range im.Data {
		rgb = append(rgb, g, g, g)
	}
	return pairing.ViewOf(rgb, int(im.Width), int(im.Height)), nil
}

func options(start, end string) annotated.Options {
	o := annotated.Options{Image: "/camera", Skill: "/skill", Field: "data", Thumbnail: thumbnail,
		Log: slog.New(slog.DiscardHandler),
		Rules: annotated.Rules{Start: regexp.MustCompile(start), Refused: regexp.MustCompile("^no$"),
			Failed: regexp.MustCompile("^broke$")}}
	if end != "" {
		o.Rules.End = regexp.MustCompile(end)
	}
	return o
}

// told is what a recording says: "1 succeeded 100>120", by the levels that its images show.
func told(t *testing.T, dir string) (lines []string, names string) {
	t.Helper()
	r := must(bags.Open(dir))
	defer r.Close()
	level := func(im bags.Image) uint8 {
		m := must(im.Message())
		return m.(*msgs.Image).Data[0]
	}
	for tr, err := range r.Transitions(context.Background()) {
		must(0, err)
		lines = append(lines, fmt.Sprintf("%d %s %d>%d", tr.Action, tr.Outcome, level(tr.Before),
			level(tr.After)))
	}
	for m, err := range r.Messages(context.Background(), bags.NamesTopic) {
		var s msgs.String
		must(0, errors.Join(err, m.Decode(&s)))
		names = strings.ReplaceAll(s.Data, "\n", " ")
	}
	return lines, names
}

func TestImport(t *testing.T) {
	for name, c := range map[string]struct {
		start, end string
		drive      func(*drive)
		want       []string
		names      string
	}{
		"words": {"^start (.+)", "^done", func(d *drive) {
			d.does("start pick up", "done")
			d.does("start drop", "done with it")
			d.says("battery low")
			d.does("start pick up", "done")
		}, []string{"2 succeeded 100>120", "1 succeeded 120>140", "2 succeeded 140>160"}, "drop pick_up"},
		"numbers are ids": {"^[1-9].*", "^0$", func(d *drive) {
			d.does(7, 0)
			d.does(3, 0)
		}, []string{"7 succeeded 100>120", "3 succeeded 120>140"}, ""},
		"said again and again": {".+", "^idle$", func(d *drive) {
			d.says("idle")
			d.watch(5)
			for range 3 {
				d.says("pick")
				d.watch(2)
			}
			d.scene += 20
			d.says("idle")
			d.watch(5)
			d.says("idle")
			d.watch(5)
		}, []string{"1 succeeded 100>120"}, "pick"},
		"no word of ends": {"^go (.+)", "", func(d *drive) {
			d.watch(5)
			for _, name := range []string{"go a", "go b", "go a"} {
				d.says(name)
				d.watch(5)
				d.scene += 20
				d.watch(15)
			}
		}, []string{"1 succeeded 100>120", "2 succeeded 120>140", "1 succeeded 140>160"}, "a b"},
		"outcomes": {"^go (.+)", "^done", func(d *drive) {
			d.does("go a", "no")
			d.does("go a", "broke")
		}, []string{"1 refused 100>120", "1 failed 120>140"}, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			d, bag := newDrive(t)
			c.drive(d)
			must(0, d.w.Close())
			out := filepath.Join(t.TempDir(), "out")
			report := must(annotated.Import(t.Context(), bag, out, options(c.start, c.end)))
			if lines, names := told(t, out); !slices.Equal(lines, c.want) || names != c.names ||
				report.Transitions() != len(c.want) {
				t.Errorf("%q, names %q; want %q, %q", lines, names, c.want, c.names)
			}
			if r, err := bags.Check(t.Context(), out, nil, nil); err != nil || r.Class != bags.Intact {
				t.Errorf("%v, %v", r, err)
			}
			again := out + "2"
			must(annotated.Import(t.Context(), bag, again, options(c.start, c.end)))
			if data(t, out) != data(t, again) {
				t.Error("the same bag gives other data")
			}
		})
	}
}

// TestStamps has images that nobody stamped, or by a clock that is off or runs wrong: all is in the
// order of receipt.
func TestStamps(t *testing.T) {
	begin := time.Unix(2000, 0)
	for name, c := range map[string]struct {
		stamp func(time.Time) msgs.Time
		warns string
	}{
		"none": {func(time.Time) msgs.Time { return msgs.Time{} }, "images have no stamp"},
		"no times": {func(time.Time) msgs.Time { return msgs.Time{Nanosec: 3e9} },
			"images have no stamp"},
		"right": {msgs.TimeFrom, ""},
		"ahead": {func(t time.Time) msgs.Time { return msgs.TimeFrom(t.Add(400 * time.Millisecond)) },
			"0.40 s ahead"},
		"slow": {func(t time.Time) msgs.Time { return msgs.TimeFrom(t.Add(begin.Sub(t) / 100)) },
			"received 0.0"},
		"set back": {func(t time.Time) msgs.Time {
			if t.Sub(begin) > 3*time.Second {
				t = t.Add(-500 * time.Millisecond)
			}
			return msgs.TimeFrom(t)
		}, "received 0.50 s later"},
	} {
		t.Run(name, func(t *testing.T) {
			d, bag := newDrive(t)
			d.stamp = c.stamp
			for range 12 {
				d.does("start pick", "done")
			}
			must(0, d.w.Close())
			out, log := filepath.Join(t.TempDir(), "out"), &strings.Builder{}
			o := options("^start (.+)", "^done")
			o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
			must(annotated.Import(t.Context(), bag, out, o))
			var want []string
			for i := range 12 {
				want = append(want, fmt.Sprintf("1 succeeded %d>%d", uint8(100+20*i), uint8(120+20*i)))
			}
			if got, _ := told(t, out); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			if !strings.Contains(log.String(), c.warns) || c.warns == "" && log.Len() > 0 {
				t.Errorf("the log says %s, want %q", log, c.warns)
			}
			if r, err := bags.Check(t.Context(), out, nil, nil); err != nil || r.Class != bags.Intact {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
}

// TestImportOfASlowCamera has an image every eight seconds.
func TestImportOfASlowCamera(t *testing.T) {
	d, bag := newDrive(t)
	photograph := func() { d.now = d.now.Add(8 * time.Second); d.watch(1) }
	photograph()
	for range 3 {
		photograph()
		d.now = d.now.Add(5 * time.Second)
		d.says("go on")
		d.now = d.now.Add(time.Second)
		d.scene += 20
		d.says("done")
	}
	photograph()
	must(0, d.w.Close())
	o := options("^go (.+)", "^done")
	o.Pairing = pairing.Options{MotionThreshold: -1, MaxAge: 9 * time.Second,
		Timeout: 10 * time.Second}
	out := filepath.Join(t.TempDir(), "out")
	must(annotated.Import(t.Context(), bag, out, o))
	if lines, _ := told(t, out); !slices.Equal(lines, []string{"1 succeeded 100>120",
		"1 succeeded 120>140", "1 succeeded 140>160"}) {
		t.Errorf("%q", lines)
	}
}

// rewrite copies a bag as other programs lay it out: write gets its messages in order of time.
func rewrite(t *testing.T, bag string, write func(*bags.Writer, []bags.Message) error) string {
	t.Helper()
	r := must(bags.Open(bag))
	defer r.Close()
	var all []bags.Message
	for m, err := range r.Messages(t.Context()) {
		all = append(all, must(m, err))
	}
	dir := filepath.Join(t.TempDir(), "rewritten")
	w := must(bags.Create(dir, bags.Options{}))
	must(0, errors.Join(write(w, all), w.Close()))
	return dir
}

func put(w *bags.Writer, list []bags.Message, keep func(bags.Message) bool) error {
	for _, m := range list {
		if !keep(m) {
			continue
		}
		if err := errors.Join(w.AddTopic(*m.Topic),
			w.WriteRaw(m.Topic.Name, m.Received, m.Published, m.Data)); err != nil {
			return err
		}
	}
	return nil
}

// TestImportOfAnyLayout has one bag in several layouts: the attempts are the same.
func TestImportOfAnyLayout(t *testing.T) {
	d, bag := newDrive(t)
	for range 3 {
		d.does("start pick", "done")
		d.does("start drop", "done")
	}
	middle := d.now
	must(0, d.w.Close())
	var want []string
	for i := range 6 {
		want = append(want, fmt.Sprintf("%d succeeded %d>%d", 2-i%2, 100+20*i, 120+20*i))
	}
	camera := func(m bags.Message) bool { return m.Topic.Name == "/camera" }
	skill := func(m bags.Message) bool { return !camera(m) }
	for name, write := range map[string]func(*bags.Writer, []bags.Message) error{
		"one topic behind the other": func(w *bags.Writer, all []bags.Message) error {
			return errors.Join(put(w, all, camera), put(w, all, skill))
		},
		"a file for each topic": func(w *bags.Writer, all []bags.Message) error {
			return errors.Join(put(w, all, skill), w.Split(), put(w, all, camera))
		},
		"files in another order": func(w *bags.Writer, all []bags.Message) error {
			early := func(m bags.Message) bool { return m.Received < middle.Add(-5*time.Second).UnixNano() }
			late := func(m bags.Message) bool { return !early(m) }
			return errors.Join(put(w, all, late), w.Split(), put(w, all, early))
		},
		"some messages late": func(w *bags.Writer, all []bags.Message) error {
			for i := 10; i < len(all); i += 10 {
				all[i-1], all[i] = all[i], all[i-1]
			}
			return put(w, all, func(bags.Message) bool { return true })
		},
		"a clock that was set back": func(w *bags.Writer, all []bags.Message) error {
			for i := range all {
				if all[i].Received > middle.Add(-4*time.Second).UnixNano() {
					all[i].Received -= int64(6 * time.Second)
				}
			}
			return put(w, all, func(bags.Message) bool { return true })
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			must(annotated.Import(t.Context(), rewrite(t, bag, write), out,
				options("^start (.+)", "^done")))
			if lines, _ := told(t, out); !slices.Equal(lines, want) {
				t.Errorf("%q", lines)
			}
		})
	}
}

// data is the content of a recording's only data file.
func data(t *testing.T, dir string) string {
	t.Helper()
	files := must(filepath.Glob(filepath.Join(dir, "*.mcap")))
	if len(files) != 1 {
		t.Fatalf("data files %v", files)
	}
	return string(must(os.ReadFile(files[0])))
}

func TestImportRefuses(t *testing.T) {
	d, bag := newDrive(t)
	d.does("start pick", "done")
	must(0, d.w.Close())
	talker := filepath.Join("..", "testdata", "talker_sqlite3")
	// with another definition of what marks skills
	defined := func(encoding, kind, schema string) string {
		return rewrite(t, bag, func(w *bags.Writer, all []bags.Message) error {
			for i := range all {
				if topic := *all[i].Topic; topic.Name == "/skill" {
					topic.SchemaEncoding, topic.Type, topic.Schema = encoding, kind, schema
					all[i].Topic = &topic
				}
			}
			return put(w, all, func(bags.Message) bool { return true })
		})
	}
	idl := "module my { module msg { struct Skill { string data; }; }; };"
	if _, err := annotated.Import(t.Context(), defined("ros2idl", "std_msgs/msg/String", idl),
		filepath.Join(t.TempDir(), "out"), options("^start (.+)", "^done")); err != nil {
		t.Errorf("a known type, defined in IDL: %v", err)
	}
	for name, c := range map[string]struct {
		bag    string
		change func(*annotated.Options)
		want   string
	}{
		"no such image topic": {bag, func(o *annotated.Options) { o.Image = "/cam" },
			"no messages on /cam; there are /camera (sensor_msgs/msg/Image), /skill (std_msgs/msg/String)"},
		"not images": {bag, func(o *annotated.Options) { o.Image = "/skill" },
			"/skill has std_msgs/msg/String, not images"},
		"no such skill topic": {bag, func(o *annotated.Options) { o.Skill = "/skills" },
			"no messages on /skills"},
		"no such field": {bag, func(o *annotated.Options) { o.Field = "name" }, `no field "name"; it has data`},
		"no start":      {bag, func(o *annotated.Options) { o.Rules.Start = regexp.MustCompile("^begin") }, `the first are ["start pick" "done"]`},
		"never an end": {bag, func(o *annotated.Options) {
			o.Rules.End = regexp.MustCompile("over")
		}, "none of the skills that start has an image"},
		"rosbag2's, no image": {talker, func(o *annotated.Options) { o.Skill = "/topic" },
			"there are /rosout (rcl_interfaces/msg/Log), /topic (std_msgs/msg/String)"},
		"IDL": {defined("ros2idl", "my/msg/Skill", idl), func(*annotated.Options) {},
			"topic /skill: unsupported: my/msg/Skill is defined in ros2idl; record a topic"},
		"wide strings": {defined("", "my/msg/Skill", "wstring w\nstring data"),
			func(*annotated.Options) {}, "field data of my/Skill comes after w: wstring has no one"},
		"no image can be read": {bag, func(o *annotated.Options) {
			o.Thumbnail = func(msgs.Message) (pairing.View, error) {
				return pairing.View{}, errors.New(`encoding "32FC1"`)
			}
		}, `topic /camera: bad image: no image can be read; the first: encoding "32FC1"`},
		"no bag": {t.TempDir(), func(*annotated.Options) {}, "not a recording"},
	} {
		t.Run(name, func(t *testing.T) {
			o, out := options("^start (.+)|^Hello", "^done"), filepath.Join(t.TempDir(), "out")
			c.change(&o)
			if _, err := annotated.Import(t.Context(), c.bag, out, o); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("something is left")
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
