package gz

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"stripswm/nodes/sim/gazebo"
	"stripswm/nodes/sim/gazebo/internal/message"
)

// What gz-transport 11 itself makes of these is tested in test/interop.

func notices() []notice {
	topic := publication{topic: "@/p@/camera", address: "tcp://127.0.0.1:4000", process: "a",
		node: "b", control: "c", message: "gz.msgs.Image"}
	service := publication{topic: "@/p@/put", address: "tcp://127.0.0.1:4001", process: "a", node: "b",
		socket: "s", request: "gz.msgs.Pose_V", response: "gz.msgs.Boolean"}
	return []notice{
		{process: "a", kind: heartbeat}, {process: "a", kind: bye}, {process: "a", kind: subscribe,
			topic: "@/p@/camera"},
		{process: "a", kind: advertise, pub: topic}, {process: "a", kind: unadvertise, pub: service},
		{process: "x", kind: newConnection, pub: topic},
	}
}

func TestNotices(t *testing.T) {
	for _, want := range notices() {
		if got, err := parseNotice(want.marshal()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	good := notices()[0].marshal()
	other := append([]byte(nil), good...)
	other[3]++ // the version
	for name, bad := range map[string][]byte{"empty": nil, "short": good[:len(good)-1],
		"long": append(append([]byte(nil), good...), 0), "another version": other} {
		if n, err := parseNotice(bad); !errors.Is(err, message.ErrWire) {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
}

func TestWrongAddress(t *testing.T) {
	for host, want := range map[string]string{"localhost": "GZ_IP", "192.0.2.7": "no interface"} {
		if _, err := Connect(context.Background(), Settings{Host: host}, "moon",
			func(gazebo.Image) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, name := range []string{"GZ_IP", "GZ_PARTITION", "IGN_IP", "IGN_PARTITION"} {
		t.Setenv(name, "")
	}
	if s := FromEnvironment(); s.Host != "127.0.0.1" || !strings.Contains(s.Partition, ":") {
		t.Errorf("nothing set: %+v", s)
	}
	t.Setenv("IGN_IP", "10.0.0.1")
	t.Setenv("IGN_PARTITION", "fortress")
	if s := FromEnvironment(); s != (Settings{"10.0.0.1", "fortress"}) {
		t.Errorf("Fortress' names: %+v", s)
	}
	t.Setenv("GZ_PARTITION", "harmonic")
	if s := FromEnvironment(); s != (Settings{"10.0.0.1", "harmonic"}) {
		t.Errorf("both: %+v", s)
	}
}

// FuzzDecoders reads whatever may come from discovery, from topics and from services.
func FuzzDecoders(f *testing.F) {
	for _, n := range notices() {
		f.Add(n.marshal())
	}
	f.Add(marshalPoses([]gazebo.Body{{Name: "body_00", Orientation: [4]float64{0, 0, 0, 1}},
		{Name: "body_00"}}))
	f.Add(message.Gz.AppendImage(nil, gazebo.Image{Width: 2, Height: 1, RGB: make([]byte, 6)}))
	f.Add(message.Varint(nil, 2, 1))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := parseNotice(data); err == nil && n.kind <= newConnection {
			again, err := parseNotice(n.marshal())
			if err != nil || again.kind != n.kind || again.process != n.process {
				t.Errorf("%+v became %+v, %v", n, again, err)
			}
		}
		if _, bodies, err := parsePoses(data); err == nil {
			names := map[string]bool{}
			for _, b := range bodies {
				if names[b.Name] {
					t.Errorf("%q twice", b.Name)
				}
				names[b.Name] = true
			}
		}
		parseImage(data)
		parseBoolean(data)
	})
}
