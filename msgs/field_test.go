package msgs_test

import (
	"strings"
	"testing"

	"stripswm/msgs"
)

const gripperEvent = `# what a gripper says
uint8 OPEN=1
std_msgs/Header header
float64[3] force
Joint[] joints
string<=20 skill
int16 code -1
bool busy
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
================================================================================
MSG: my_msgs/Joint
string name
float32[] positions
`

func gripperPayload(t testing.TB) []byte {
	e := msgs.NewEncoder(nil, msgs.LittleEndian)
	e.PutInt32(5)
	e.PutUint32(6)
	e.PutString("tool")
	for range 3 {
		e.PutFloat64(1.5)
	}
	e.PutLen(2)
	for _, name := range []string{"left", "r"} {
		e.PutString(name)
		e.PutLen(1)
		e.PutFloat32(0.5)
	}
	e.PutString("pick")
	e.PutInt16(-7)
	e.PutBool(true)
	payload, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

func TestFieldReader(t *testing.T) {
	payload := gripperPayload(t)
	for path, want := range map[string]string{
		"skill": "pick", "code": "-7", "busy": "true", "header.frame_id": "tool",
		"header.stamp.nanosec": "6",
	} {
		r, err := msgs.NewFieldReader("my_msgs/msg/GripperEvent", gripperEvent, path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Text(payload); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", path, got, err, want)
		}
		if _, err := r.Text(payload[:9]); path != "header.stamp.sec" && err == nil {
			t.Errorf("%s of a message cut off", path)
		}
	}
	for path, want := range map[string]string{
		"data": "it has header, force, joints, skill, code, busy", "force": "not a string",
		"header":      "not a string",
		"joints.name": "not a string", "skill.x": "not a string", "header.data": "it has stamp, frame_id",
	} {
		if _, err := msgs.NewFieldReader("my_msgs/msg/GripperEvent", gripperEvent, path); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", path, err, want)
		}
	}
}

// TestFieldBehindOthers has fields that cannot be stepped over: what comes before them is read.
func TestFieldBehindOthers(t *testing.T) {
	for definition, want := range map[string]string{
		"string data\nwstring w":                "",
		"wstring w\nstring data":                "field data of x/X comes after w: wstring has no one",
		"wstring<=5[2] w\nstring data":          "wstring has no one encoding",
		"wstring data":                          "field data of x/X: wstring has no one encoding",
		"A a\nstring data\nMSG: x/A\nwstring w": "field data of x/X comes after a: wstring has no one",
		"A a\nstring data\nMSG: x/A\nB[] b":     "the definition of x/B is missing",
		"A a\nstring data\nMSG: x/A\nA[] a":     "contains itself",

		"A a\nA b\nstring data\nMSG: x/A\nbool a": "",
	} {
		r, err := msgs.NewFieldReader("x/msg/X", definition, "data")
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v; want %q", definition, err, want)
			}
			continue
		}
		e := msgs.NewEncoder(nil, msgs.LittleEndian)
		if strings.HasPrefix(definition, "A") {
			e.PutBool(true)
			e.PutBool(false)
		}
		e.PutString("pick")
		payload, _ := e.Bytes()
		if err != nil {
			t.Errorf("%q: %v", definition, err)
		} else if text, err := r.Text(payload); err != nil || text != "pick" {
			t.Errorf("%q: %q, %v", definition, text, err)
		}
	}
}

// FuzzFieldReader gives arbitrary definitions and messages: it must end, with a text or an error.
func FuzzFieldReader(f *testing.F) {
	f.Add(gripperEvent, "skill", gripperPayload(f))
	f.Add("A a\nstring data\nMSG: x/A\nA a\n", "data", []byte{0, 1, 0, 0, 1})
	f.Fuzz(func(t *testing.T, definition, path string, payload []byte) {
		if r, err := msgs.NewFieldReader("x/msg/X", definition, path); err == nil {
			_, _ = r.Text(payload)
		}
	})
}
