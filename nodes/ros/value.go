package ros

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"stripswm/msgs"
)

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

func stringValue(s string) msgs.ParameterValue {
	return msgs.ParameterValue{Type: msgs.ParameterTypeParameterString, StringValue: s}
}

// valueOf is the message for a Go value.
func valueOf[T ParamType](v T) msgs.ParameterValue {
	var m msgs.ParameterValue
	switch v := any(v).(type) {
	case bool:
		m.Type, m.BoolValue = msgs.ParameterTypeParameterBool, v
	case int64:
		m.Type, m.IntegerValue = msgs.ParameterTypeParameterInteger, v
	case float64:
		m.Type, m.DoubleValue = msgs.ParameterTypeParameterDouble, v
	case string:
		m = stringValue(v)
	case []byte:
		m.Type, m.ByteArrayValue = msgs.ParameterTypeParameterByteArray, slices.Clone(v)
	case []bool:
		m.Type, m.BoolArrayValue = msgs.ParameterTypeParameterBoolArray, slices.Clone(v)
	case []int64:
		m.Type, m.IntegerArrayValue = msgs.ParameterTypeParameterIntegerArray, slices.Clone(v)
	case []float64:
		m.Type, m.DoubleArrayValue = msgs.ParameterTypeParameterDoubleArray, slices.Clone(v)
	case []string:
		m.Type, m.StringArrayValue = msgs.ParameterTypeParameterStringArray, slices.Clone(v)
	}
	return m
}

// goValue is the inverse of valueOf, for a message of that type.
func goValue[T ParamType](m msgs.ParameterValue) T {
	var v T
	switch p := any(&v).(type) {
	case *bool:
		*p = m.BoolValue
	case *int64:
		*p = m.IntegerValue
	case *float64:
		*p = m.DoubleValue
	case *string:
		*p = m.StringValue
	case *[]byte:
		*p = slices.Clone(m.ByteArrayValue)
	case *[]bool:
		*p = slices.Clone(m.BoolArrayValue)
	case *[]int64:
		*p = slices.Clone(m.IntegerArrayValue)
	case *[]float64:
		*p = slices.Clone(m.DoubleArrayValue)
	case *[]string:
		*p = slices.Clone(m.StringArrayValue)
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

func isArray(t uint8) bool { return t >= msgs.ParameterTypeParameterByteArray }

func arrayLen(v msgs.ParameterValue) int {
	return len(v.ByteArrayValue) + len(v.BoolArrayValue) + len(v.IntegerArrayValue) + len(
		v.DoubleArrayValue) + len(v.StringArrayValue)
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
	return stringValue(n.Value), nil
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
