package ros

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"stripswm/msgs"
)

// Describe says what `ros2 param describe` shows of a parameter, and what values it takes.
type Describe[T ParamType] struct {
	Text     string
	ReadOnly bool
	Min, Max float64 // of numbers; no bounds if both are zero
	// Accept is called with each new value, the first one included, before the parameter has it; an
	// error refuses the value.
	Accept func(T) error
}

// A Parameter is one declared parameter of a node.
type Parameter[T ParamType] struct {
	node *Node
	name string
}

// Get is the present value, whose elements are not to be changed.
func (p *Parameter[T]) Get() T {
	p.node.params.mu.Lock()
	defer p.node.params.mu.Unlock()
	return goValue[T](p.node.params.declared[p.name].value)
}

// Set changes the value, as `ros2 param set` does.
func (p *Parameter[T]) Set(v T) error {
	return p.node.params.set([]msgs.Parameter{{Name: p.name, Value: valueOf(v)}})
}

// Declare gives the node a parameter. Its value is what the command line or a parameter file gives,
// or else the default.
func Declare[T ParamType](n *Node, name string, value T, d Describe[T]) (*Parameter[T], error) {
	v := valueOf(value)
	desc := msgs.ParameterDescriptor{Name: name, Type: v.Type, Description: d.Text,
		ReadOnly: d.ReadOnly}
	if d.Min != 0 || d.Max != 0 {
		switch v.Type {
		case msgs.ParameterTypeParameterInteger:
			desc.IntegerRange = []msgs.IntegerRange{{FromValue: int64(d.Min), ToValue: int64(d.Max)}}
		case msgs.ParameterTypeParameterDouble:
			desc.FloatingPointRange = []msgs.FloatingPointRange{{FromValue: d.Min, ToValue: d.Max}}
		}
	}
	p := &declaration{descriptor: desc, value: v}
	if d.Accept != nil {
		p.accept = func(v msgs.ParameterValue) error { return d.Accept(goValue[T](v)) }
	}
	if err := n.params.declare(p, n.name, n.args.params); err != nil {
		return nil, fmt.Errorf("parameter %s: %w", name, err)
	}
	return &Parameter[T]{node: n, name: name}, nil
}

// WarnUndeclared warns of the parameters that the command line, or a parameter file under the
// node's own name, gives the node and that it does not have: misspelled ones, perhaps. It is called
// when all are declared. What a file gives to many nodes by a pattern need not be for all of them.
func (n *Node) WarnUndeclared() {
	for _, name := range n.undeclared() {
		n.log.Warn(
			"there is no such parameter, and it does nothing; `ros2 param list` names those there are",
			"parameter", name)
	}
}

func (n *Node) undeclared() []string {
	names := map[string]bool{}
	for _, o := range n.args.params {
		if _, known := n.params.get(o.name); !known && o.matches(n.name) &&
			!strings.Contains(o.node, "*") {
			names[o.name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

type declaration struct {
	descriptor msgs.ParameterDescriptor
	value      msgs.ParameterValue
	accept     func(msgs.ParameterValue) error
}

// check returns the value as the parameter would have it.
func (p *declaration) check(v msgs.ParameterValue) (msgs.ParameterValue, error) {
	v, err := convert(v, p.descriptor.Type)
	if err != nil {
		return v, err
	}
	for _, r := range p.descriptor.IntegerRange {
		if v.IntegerValue < r.FromValue || v.IntegerValue > r.ToValue {
			return v, fmt.Errorf("%d is not from %d to %d", v.IntegerValue, r.FromValue, r.ToValue)
		}
	}
	for _, r := range p.descriptor.FloatingPointRange {
		if !(v.DoubleValue >= r.FromValue && v.DoubleValue <= r.ToValue) {
			return v, fmt.Errorf("%g is not from %g to %g", v.DoubleValue, r.FromValue, r.ToValue)
		}
	}
	return v, nil
}

// A paramSet is the parameters of a node. Changes come one after the other; readers wait for none
// of the checks.
type paramSet struct {
	node   *Node
	clock  *Subscription // while use_sim_time is or was set
	events *Publisher[*msgs.ParameterEvent]

	changing sync.Mutex // held while a change is checked and made
	mu       sync.Mutex // held while the map is read or written
	declared map[string]*declaration
}

func newParamSet(n *Node) *paramSet {
	return &paramSet{node: n, declared: map[string]*declaration{}}
}

func (s *paramSet) declare(p *declaration, node NodeName, overrides []override) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	name := p.descriptor.Name
	if name == "" {
		return fmt.Errorf("its name is empty")
	}
	if _, ok := s.get(name); ok {
		return fmt.Errorf("it was declared before")
	}
	value := p.value
	for _, o := range overrides {
		if o.name == name && o.matches(node) {
			value = o.value
		}
	}
	value, err := p.check(value)
	if err != nil {
		return err
	}
	if p.accept != nil {
		if err := p.accept(value); err != nil {
			return err
		}
	}
	p.value = value
	s.mu.Lock()
	s.declared[name] = p
	s.mu.Unlock()
	s.announce(&msgs.ParameterEvent{NewParameters: []msgs.Parameter{{Name: name, Value: value}}})
	return nil
}

func (s *paramSet) get(name string) (declaration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.declared[name]
	if !ok {
		return declaration{}, false
	}
	return *p, true
}

func (s *paramSet) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.declared))
}

// set changes all of the parameters, or none.
func (s *paramSet) set(params []msgs.Parameter) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	values := make([]msgs.ParameterValue, len(params))
	for i, m := range params {
		p, ok := s.get(m.Name)
		if !ok {
			return fmt.Errorf("parameter %s is not declared", m.Name)
		}
		if p.descriptor.ReadOnly {
			return fmt.Errorf("parameter %s is read-only", m.Name)
		}
		v, err := p.check(m.Value)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", m.Name, err)
		}
		values[i] = v
	}
	for i, m := range params {
		p, _ := s.get(m.Name)
		if p.accept == nil {
			continue
		}
		if err := p.accept(values[i]); err != nil {
			return fmt.Errorf("parameter %s: %w", m.Name, err)
		}
	}
	changed := make([]msgs.Parameter, len(params))
	s.mu.Lock()
	for i, m := range params {
		s.declared[m.Name].value = values[i]
		changed[i] = msgs.Parameter{Name: m.Name, Value: values[i]}
	}
	s.mu.Unlock()
	s.announce(&msgs.ParameterEvent{ChangedParameters: changed})
	return nil
}

// announce publishes on /parameter_events. That a listener misses it is no failure of the change.
func (s *paramSet) announce(e *msgs.ParameterEvent) {
	e.Stamp, e.Node = msgs.TimeFrom(s.node.clock.Now()), s.node.name.String()
	if err := s.events.Publish(e); err != nil {
		s.node.log.Debug("parameter event", "error", err)
	}
}

// Settings declares parameters, and collects the first error. After it nothing is declared any
// more, and what it returned is not to be used.
type Settings struct {
	Node *Node
	Err  error
}

// Setting declares a read-only parameter and returns its value. bounds are none, or its least and
// greatest value.
func Setting[T ParamType](s *Settings, name string, value T, text string, bounds ...float64) T {
	if p := add(s, name, value, Describe[T]{Text: text, ReadOnly: true}, bounds); p != nil {
		return p.Get()
	}
	return value
}

// Dial declares a parameter that can be set.
func Dial[T ParamType](s *Settings, name string, value T, text string,
	bounds ...float64,
) *Parameter[T] {
	return add(s, name, value, Describe[T]{Text: text}, bounds)
}

// Choice declares a parameter that can be set to what accept takes.
func Choice(s *Settings, name, value, text string, accept func(string) error) *Parameter[string] {
	return add(s, name, value, Describe[string]{Text: text, Accept: accept}, nil)
}

// ChoiceSetting is Setting for one of few words.
func ChoiceSetting(s *Settings, name, value, text string, words ...string) string {
	about := Describe[string]{Text: text, ReadOnly: true, Accept: OneOf(words...)}
	if p := add(s, name, value, about, nil); p != nil {
		return p.Get()
	}
	return value
}

// OneOf accepts one of few words.
func OneOf(words ...string) func(string) error {
	return func(v string) error {
		if !slices.Contains(words, v) {
			return fmt.Errorf("%q is not one of %q", v, words)
		}
		return nil
	}
}

func add[T ParamType](s *Settings, name string, value T, about Describe[T],
	bounds []float64,
) (p *Parameter[T]) {
	if s.Err != nil {
		return nil
	}
	if len(bounds) == 2 {
		about.Min, about.Max = bounds[0], bounds[1]
	}
	p, s.Err = Declare(s.Node, name, value, about)
	return p
}

// serve offers what `ros2 param` and other nodes ask for: list, get, set, describe.
func (s *paramSet) serve() error {
	n := s.node
	var err error
	s.events, err = Advertise[*msgs.ParameterEvent](n, "/parameter_events", ParameterEvents)
	return errors.Join(err, Serve(n, "~/list_parameters", s.list),
		Serve(n, "~/get_parameters", s.getAll), Serve(n, "~/get_parameter_types", s.types),
		Serve(n, "~/set_parameters", s.setEach),
		Serve(n, "~/set_parameters_atomically", s.setTogether),
		Serve(n, "~/describe_parameters", s.describe))
}

func (s *paramSet) list(_ context.Context,
	req *msgs.ListParametersRequest,
) *msgs.ListParametersResponse {
	res := &msgs.ListParametersResponse{}
	for _, name := range s.names() {
		if !listed(name, req.Prefixes, req.Depth) {
			continue
		}
		res.Result.Names = append(res.Result.Names, name)
		if i := strings.LastIndexByte(name, '.'); i >= 0 &&
			!slices.Contains(res.Result.Prefixes, name[:i]) {
			res.Result.Prefixes = append(res.Result.Prefixes, name[:i])
		}
	}
	return res
}

// listed reports whether the name is at or below a prefix, and not deeper below it than depth (0 is
// any).
func listed(name string, prefixes []string, depth uint64) bool {
	shallow := func(rest string) bool { return depth == 0 || uint64(strings.Count(rest, ".")) < depth }
	if len(prefixes) == 0 {
		return shallow(name)
	}
	for _, prefix := range prefixes {
		rest, ok := strings.CutPrefix(name, prefix+".")
		if name == prefix || ok && shallow(rest) {
			return true
		}
	}
	return false
}

// each is what of makes of the parameters of those names, or nothing if one of them is not
// declared: as rclcpp answers.
func each[T any](s *paramSet, names []string, of func(declaration) T) []T {
	var found []T
	for _, name := range names {
		p, ok := s.get(name)
		if !ok {
			return nil
		}
		found = append(found, of(p))
	}
	return found
}

func (s *paramSet) getAll(_ context.Context,
	req *msgs.GetParametersRequest,
) *msgs.GetParametersResponse {
	return &msgs.GetParametersResponse{Values: each(s, req.Names,
		func(p declaration) msgs.ParameterValue { return p.value })}
}

func (s *paramSet) types(_ context.Context,
	req *msgs.GetParameterTypesRequest,
) *msgs.GetParameterTypesResponse {
	return &msgs.GetParameterTypesResponse{Types: each(s, req.Names,
		func(p declaration) uint8 { return p.value.Type })}
}

func (s *paramSet) describe(_ context.Context,
	req *msgs.DescribeParametersRequest,
) *msgs.DescribeParametersResponse {
	return &msgs.DescribeParametersResponse{Descriptors: each(s, req.Names,
		func(p declaration) msgs.ParameterDescriptor { return p.descriptor })}
}

func (s *paramSet) setEach(_ context.Context,
	req *msgs.SetParametersRequest,
) *msgs.SetParametersResponse {
	res := &msgs.SetParametersResponse{}
	for _, p := range req.Parameters {
		res.Results = append(res.Results, result(s.set([]msgs.Parameter{p})))
	}
	return res
}

func (s *paramSet) setTogether(_ context.Context,
	req *msgs.SetParametersAtomicallyRequest,
) *msgs.SetParametersAtomicallyResponse {
	return &msgs.SetParametersAtomicallyResponse{Result: result(s.set(req.Parameters))}
}

func result(err error) msgs.SetParametersResult {
	if err != nil {
		return msgs.SetParametersResult{Reason: err.Error()}
	}
	return msgs.SetParametersResult{Successful: true}
}

// ParamType is the Go type of a parameter. A double takes integers too, so that "rate:=10" does
// what it says.
type ParamType interface {
	bool | int64 | float64 | string | []byte | []bool | []int64 | []float64 | []string
}

// typeNames are by ParameterType's constants.
var typeNames = [...]string{"not set", "bool", "integer", "double", "string", "byte array",
	"bool array", "integer array", "double array", "string array"}

func typeName(t uint8) string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("type %d", t)
}

// fieldsOf are the fields of a message for values, by ParameterType's constants.
func fieldsOf(m *msgs.ParameterValue) [10]any {
	return [...]any{nil, &m.BoolValue, &m.IntegerValue, &m.DoubleValue, &m.StringValue,
		&m.ByteArrayValue, &m.BoolArrayValue, &m.IntegerArrayValue, &m.DoubleArrayValue,
		&m.StringArrayValue}
}

// valueOf is the message for a Go value, which shares its elements.
func valueOf[T ParamType](v T) (m msgs.ParameterValue) {
	for kind, field := range fieldsOf(&m) {
		if field, ok := field.(*T); ok {
			m.Type, *field = uint8(kind), v
		}
	}
	return m
}

// goValue is the inverse of valueOf, for a message of that type.
func goValue[T ParamType](m msgs.ParameterValue) (v T) {
	for _, field := range fieldsOf(&m) {
		if field, ok := field.(*T); ok {
			return *field
		}
	}
	return v
}

// convert makes v a value of the type, if it is one or nothing is lost.
func convert(v msgs.ParameterValue, to uint8) (msgs.ParameterValue, error) {
	switch {
	case v.Type == to:
		return v, nil
	case to == msgs.ParameterTypeParameterDouble && v.Type == msgs.ParameterTypeParameterInteger:
		return valueOf(float64(v.IntegerValue)), nil
	case to == msgs.ParameterTypeParameterDoubleArray &&
		v.Type == msgs.ParameterTypeParameterIntegerArray:
		doubles := make([]float64, len(v.IntegerArrayValue))
		for i, n := range v.IntegerArrayValue {
			doubles[i] = float64(n)
		}
		return valueOf(doubles), nil
	case isArray(to) && isArray(v.Type) && arrayLen(v) == 0: // "[]" has no type of its own
		return msgs.ParameterValue{Type: to}, nil
	}
	return v, fmt.Errorf("it is of type %s, and %s was given", typeName(to), typeName(v.Type))
}

func isArray(t uint8) bool {
	return t >= msgs.ParameterTypeParameterByteArray && int(t) < len(typeNames)
}

func arrayLen(v msgs.ParameterValue) int {
	return reflect.ValueOf(fieldsOf(&v)[v.Type]).Elem().Len()
}

// yamlValue reads a scalar, or a sequence of scalars of one type (integers among doubles are
// doubles).
func yamlValue(n *yaml.Node) (msgs.ParameterValue, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	var err error
	switch {
	case n.Kind == yaml.SequenceNode:
		return yamlArray(n)
	case n.Kind != yaml.ScalarNode:
		return msgs.ParameterValue{}, fmt.Errorf("a value must be a scalar or a list of scalars")
	}
	switch n.ShortTag() {
	case "!!bool":
		var v bool
		err = n.Decode(&v)
		return valueOf(v), err
	case "!!int":
		var v int64
		err = n.Decode(&v)
		return valueOf(v), err
	case "!!float":
		var v float64
		err = n.Decode(&v)
		return valueOf(v), err
	}
	return valueOf(n.Value), nil
}

func yamlArray(n *yaml.Node) (msgs.ParameterValue, error) {
	tags := map[string]bool{}
	for _, e := range n.Content {
		if e.Kind != yaml.ScalarNode {
			return msgs.ParameterValue{}, fmt.Errorf("a list must have scalars only")
		}
		tags[e.ShortTag()] = true
	}
	numbers := tags["!!float"] && (len(tags) == 1 || len(tags) == 2 && tags["!!int"])
	switch {
	case len(tags) == 0, tags["!!str"] && len(tags) == 1:
		return decodeArray[[]string](n)
	case numbers:
		return decodeArray[[]float64](n)
	case len(tags) == 1 && tags["!!int"]:
		return decodeArray[[]int64](n)
	case len(tags) == 1 && tags["!!bool"]:
		return decodeArray[[]bool](n)
	}
	return msgs.ParameterValue{}, fmt.Errorf("a list must have values of one type")
}

func decodeArray[T ParamType](n *yaml.Node) (msgs.ParameterValue, error) {
	var v T
	err := n.Decode(&v)
	return valueOf(v), err
}
