package ros_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"stripswm/msgs"
	"stripswm/nodes/ros"
	"stripswm/nodes/ros/rostest"
)

func TestParametersTakeTheirOverrides(t *testing.T) {
	n := newWorld(t).node("n", "-p", "rate:=10", "-p", "names:=[a, b]", "-p", "other:size:=3", "-p",
		"n:size:=4")
	rate := must(ros.Declare(n, "rate", 30.0, ros.Describe[float64]{Min: 1, Max: 100}))
	names := must(ros.Declare(n, "names", []string{}, ros.Describe[[]string]{}))
	size := must(ros.Declare(n, "size", int64(1), ros.Describe[int64]{}))
	plain := must(ros.Declare(n, "plain", "default", ros.Describe[string]{}))
	if rate.Get() != 10 || !slices.Equal(names.Get(), []string{"a", "b"}) || size.Get() != 4 ||
		plain.Get() != "default" {
		t.Errorf("rate %v, names %v, size %v, plain %v", rate.Get(), names.Get(), size.Get(), plain.Get())
	}
	if err := rate.Set(101); err == nil || !strings.Contains(err.Error(), "101") || rate.Get() != 10 {
		t.Errorf("out of bounds: %v, rate %v", err, rate.Get())
	}
	if _, err := ros.Declare(n, "rate", 1.0, ros.Describe[float64]{}); err == nil {
		t.Error("declared twice")
	}
	wrong := newWorld(t).node("n", "-p", "rate:=fast")
	if _, err := ros.Declare(wrong, "rate", 30.0, ros.Describe[float64]{}); err == nil ||
		!strings.Contains(err.Error(), "double") {
		t.Errorf("a string for a double: %v", err)
	}
}

func TestUndeclaredParameters(t *testing.T) {
	w := newWorld(t)
	n := w.node("n", "-p", "rate:=10", "-p", "rte:=1.0", "-p", "n:sise:=4", "-p", "sise:=4", "-p",
		"other:size:=3", "-p", "/**:shared:=1")
	must(ros.Declare(n, "rate", 30.0, ros.Describe[float64]{}))
	n.WarnUndeclared()
	if text := w.log.String(); w.count("no such parameter") != 2 ||
		!strings.Contains(text, "parameter=rte") || !strings.Contains(text, "parameter=sise") {
		t.Errorf("warned: %s", text)
	}
}

func TestParameterServices(t *testing.T) {
	noLeaks(t)
	w := newWorld(t)
	n, tool := w.node("n"), w.node("tool")
	seen := make(chan *msgs.ParameterEvent, 8)
	must(ros.Subscribe(tool, "/parameter_events", ros.ParameterEvents, func(e *msgs.ParameterEvent,
		_ ros.Info) {
		if e.Node == "/n" {
			seen <- e
		}
	}))
	var accepted []int64
	count := must(ros.Declare(n, "camera.count", int64(2), ros.Describe[int64]{Text: "how many",
		Min: 1, Max: 9, Accept: func(v int64) error {
			if v == 7 {
				return errors.New("not seven")
			}
			accepted = append(accepted, v)
			return nil
		}}))
	must(ros.Declare(n, "serial", "x", ros.Describe[string]{ReadOnly: true}))
	must(ros.Declare(n, "names", []string{}, ros.Describe[[]string]{}))
	for range 3 {
		receive(t, seen)
	}

	list := func(req msgs.ListParametersRequest) msgs.ListParametersResult {
		return rostest.Call[*msgs.ListParametersResponse](tool, "/n/list_parameters", &req).Result
	}
	got := list(msgs.ListParametersRequest{})
	want := []string{"camera.count", "names", "serial", "use_sim_time"}
	if !slices.Equal(got.Names, want) || !slices.Equal(got.Prefixes, []string{"camera"}) {
		t.Errorf("listed %v", got)
	}
	got = list(msgs.ListParametersRequest{Prefixes: []string{"camera"}, Depth: 1})
	if want := []string{"camera.count"}; !slices.Equal(got.Names, want) {
		t.Errorf("listed below camera %v", got)
	}

	integer := func(name string, v int64) msgs.Parameter {
		return msgs.Parameter{Name: name, Value: msgs.ParameterValue{
			Type: msgs.ParameterTypeParameterInteger, IntegerValue: v}}
	}
	results := rostest.Call[*msgs.SetParametersResponse](tool, "/n/set_parameters",
		&msgs.SetParametersRequest{Parameters: []msgs.Parameter{integer("camera.count", 5),
			integer("camera.count", 7), integer("camera.count", 99), integer("serial", 1),
			integer("none", 1), {Name: "names", Value: msgs.ParameterValue{Type: 200}}}}).Results
	var reasons []string
	for _, r := range results {
		reasons = append(reasons, r.Reason)
	}
	want = []string{"", "parameter camera.count: not seven",
		"parameter camera.count: 99 is not from 1 to 9", "parameter serial is read-only",
		"parameter none is not declared",
		"parameter names: it is of type string array, and type 200 was given"}
	if diff := cmp.Diff(want, reasons); diff != "" || !results[0].Successful {
		t.Error(diff)
	}
	if count.Get() != 5 || !slices.Equal(accepted, []int64{2, 5}) {
		t.Errorf("count %d, accepted %v", count.Get(), accepted)
	}
	if e := receive(t, seen); len(e.ChangedParameters) != 1 ||
		e.ChangedParameters[0].Value.IntegerValue != 5 {
		t.Errorf("event %v", e)
	}

	res := rostest.Call[*msgs.SetParametersAtomicallyResponse](tool, "/n/set_parameters_atomically",
		&msgs.SetParametersAtomicallyRequest{
			Parameters: []msgs.Parameter{integer("camera.count", 6), integer("camera.count", 99)}})
	if res.Result.Successful || count.Get() != 5 {
		t.Errorf("a bad one among two: %v, count %d", res.Result, count.Get())
	}

	both, undeclared := []string{"camera.count", "serial"}, []string{"serial", "none"}
	if v := rostest.Call[*msgs.GetParametersResponse](tool, "/n/get_parameters",
		&msgs.GetParametersRequest{Names: both}).Values; len(v) != 2 || v[0].IntegerValue != 5 ||
		v[1].StringValue != "x" {
		t.Errorf("values %v", v)
	}
	types := func(names []string) []uint8 {
		return rostest.Call[*msgs.GetParameterTypesResponse](tool, "/n/get_parameter_types",
			&msgs.GetParameterTypesRequest{Names: names}).Types
	}
	describe := func(names []string) []msgs.ParameterDescriptor {
		return rostest.Call[*msgs.DescribeParametersResponse](tool, "/n/describe_parameters",
			&msgs.DescribeParametersRequest{Names: names}).Descriptors
	}
	if v := types(both); !slices.Equal(v, []uint8{msgs.ParameterTypeParameterInteger,
		msgs.ParameterTypeParameterString}) {
		t.Errorf("types %v", v)
	}
	// One name that is not declared leaves the answer empty, as rclcpp does it.
	if len(types(undeclared))+len(describe(undeclared)) > 0 {
		t.Error("types and descriptors with a name that is not declared")
	}
	described := []msgs.ParameterDescriptor{
		{Name: "camera.count", Type: msgs.ParameterTypeParameterInteger, Description: "how many",
			IntegerRange: []msgs.IntegerRange{{FromValue: 1, ToValue: 9}}}}
	if diff := cmp.Diff(described, describe(both[:1]), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
