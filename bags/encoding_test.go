package bags_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"stripswm/bags"
)

// logs records a line as JSON, as a bridge or an event logger puts it beside what ROS says.
func logs(text string) step {
	return func(w *bags.Writer) error {
		topic := bags.Topic{Name: "/events", Type: "foxglove.Log", Schema: `{"type":"object"}`, Encoding: "json", SchemaEncoding: "jsonschema"}
		if err := w.AddTopic(topic); err != nil {
			return err
		}
		return w.WriteRaw("/events", time.Unix(1000, 0).UnixNano(), 0, []byte(text))
	}
}

func TestOtherEncodingsAreNoted(t *testing.T) {
	dir := bag(t, bags.Options{}, append(threeAttempts(), logs(`{"message":"a"}`), logs(`not even JSON`))...)
	if data := contents(t, dataFile(dir)); !bytes.Contains(data, []byte("jsonschema")) {
		t.Error("the schema's encoding is not in the file")
	}
	report := check(t, dir)
	if report.Class != bags.Intact || report.Transitions != 3 || len(report.Notes) != 1 || !strings.Contains(report.Notes[0], `/events: 2 messages encoded in "json"`) {
		t.Errorf("%s", report)
	}
	if got, err := attempts(t, dir); err != nil || len(got) != 3 {
		t.Errorf("read %d attempts, %v", len(got), err)
	}
	// Repair keeps them as they are.
	if err := os.Remove(dir + "/metadata.yaml"); err != nil {
		t.Fatal(err)
	}
	if _, err := bags.Repair(context.Background(), dir, decode, nil); err != nil {
		t.Fatal(err)
	}
	lines := read(t, dir, "/events")
	if len(lines) != 2 || string(lines[0].Data) != `{"message":"a"}` || lines[0].Topic.Encoding != "json" || lines[0].Topic.SchemaEncoding != "jsonschema" {
		t.Errorf("after repair: %+v", lines)
	}
	if report := check(t, dir); report.Class != bags.Intact || len(report.Notes) != 1 {
		t.Errorf("after repair: %s", report)
	}
}

// A JSON topic of a type that is otherwise checked is not classified as it.
func TestImagesInJSONAreNoImages(t *testing.T) {
	dir := bag(t, bags.Options{}, append(threeAttempts(), func(w *bags.Writer) error {
		if err := w.AddTopic(bags.Topic{Name: "/images", Type: "sensor_msgs/msg/Image",
			Encoding: "json"}); err != nil {
			return err
		}
		return w.WriteRaw("/images", 1, 0, []byte("{}"))
	})...)
	if report := check(t, dir); report.Class != bags.Intact || len(report.Notes) != 1 {
		t.Errorf("%s", report)
	}
}
