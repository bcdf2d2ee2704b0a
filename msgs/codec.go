package msgs

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// A codec writes and reads values of one Go type. Values are addressable and settable: parts of
// what a pointer points to.
type codec struct {
	put func(*Encoder, reflect.Value)
	get func(*Decoder, reflect.Value)
	// fewest bytes on the wire, without padding: a count of more elements than the payload can hold is
	// refused before anything is allocated for them
	min int
}

// codecs holds a *codec by the reflect.Type of a message's struct.
var codecs sync.Map

func codecOf(t reflect.Type) *codec {
	if c, ok := codecs.Load(t); ok {
		return c.(*codec)
	}
	c := newCodec(t)
	codecs.Store(t, c)
	return c
}

func encode(e *Encoder, m Message) {
	v := reflect.ValueOf(m).Elem()
	codecOf(v.Type()).put(e, v)
}

func decode(d *Decoder, m Message) {
	v := reflect.ValueOf(m).Elem()
	codecOf(v.Type()).get(d, v)
}

// Short names, for the table below.
type (
	encoder = *Encoder
	decoder = *Decoder
	value   = reflect.Value
)

// primitives are the codecs of the types that a field has in the end.
var primitives = map[reflect.Kind]*codec{
	reflect.Bool: {func(e encoder, v value) { e.PutBool(v.Bool()) },
		func(d decoder, v value) { v.SetBool(d.GetBool()) }, 1},
	reflect.Uint8: {func(e encoder, v value) { e.PutUint8(uint8(v.Uint())) },
		func(d decoder, v value) { v.SetUint(uint64(d.GetUint8())) }, 1},
	reflect.Uint16: {func(e encoder, v value) { e.PutUint16(uint16(v.Uint())) },
		func(d decoder, v value) { v.SetUint(uint64(d.GetUint16())) }, 2},
	reflect.Uint32: {func(e encoder, v value) { e.PutUint32(uint32(v.Uint())) },
		func(d decoder, v value) { v.SetUint(uint64(d.GetUint32())) }, 4},
	reflect.Uint64: {func(e encoder, v value) { e.PutUint64(v.Uint()) },
		func(d decoder, v value) { v.SetUint(d.GetUint64()) }, 8},
	reflect.Int8: {func(e encoder, v value) { e.PutInt8(int8(v.Int())) },
		func(d decoder, v value) { v.SetInt(int64(d.GetInt8())) }, 1},
	reflect.Int16: {func(e encoder, v value) { e.PutInt16(int16(v.Int())) },
		func(d decoder, v value) { v.SetInt(int64(d.GetInt16())) }, 2},
	reflect.Int32: {func(e encoder, v value) { e.PutInt32(int32(v.Int())) },
		func(d decoder, v value) { v.SetInt(int64(d.GetInt32())) }, 4},
	reflect.Int64: {func(e encoder, v value) { e.PutInt64(v.Int()) },
		func(d decoder, v value) { v.SetInt(d.GetInt64()) }, 8},
	reflect.Float32: {func(e encoder, v value) { e.PutFloat32(float32(v.Float())) },
		func(d decoder, v value) { v.SetFloat(float64(d.GetFloat32())) }, 4},
	reflect.Float64: {func(e encoder, v value) { e.PutFloat64(v.Float()) },
		func(d decoder, v value) { v.SetFloat(d.GetFloat64()) }, 8},
	reflect.String: {func(e encoder, v value) { e.PutString(v.String()) },
		func(d decoder, v value) { v.SetString(d.GetString()) }, 4},
}

// newCodec panics for a type that no definition can have, such as a map.
func newCodec(t reflect.Type) *codec {
	if c, ok := primitives[t.Kind()]; ok {
		return c
	}
	switch t.Kind() {
	case reflect.Struct:
		return structCodec(t)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // pixels: as a whole
			return &codec{func(e encoder, v value) { e.PutBytes(v.Bytes()) },
				func(d decoder, v value) { v.SetBytes(d.GetBytes()) }, 4}
		}
		return sliceCodec(newCodec(t.Elem()))
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return &codec{func(e encoder, v value) { e.putRaw(v.Bytes()) },
				func(d decoder, v value) { d.getRaw(v.Bytes()) }, t.Len()}
		}
		return arrayCodec(t.Len(), newCodec(t.Elem()))
	case reflect.Pointer:
		return pointerCodec(t, newCodec(t.Elem()))
	}
	panic(fmt.Sprintf("msgs: a field of a message is of Go type %s, which has no encoding in CDR", t))
}

func structCodec(t reflect.Type) *codec {
	if t.NumField() == 0 { // has one byte on the wire
		return &codec{func(e encoder, _ value) { e.PutUint8(0) },
			func(d decoder, _ value) { d.GetUint8() }, 1}
	}
	fields := make([]*codec, t.NumField())
	size := 0
	for i := range fields {
		f := t.Field(i)
		fields[i] = newCodec(f.Type)
		if limit, err := strconv.Atoi(f.Tag.Get("max")); err == nil {
			fields[i] = boundedCodec(f.Name, limit, fields[i])
		}
		size += fields[i].min
	}
	return &codec{
		func(e encoder, v value) {
			for i, f := range fields {
				f.put(e, v.Field(i))
			}
		},
		func(d decoder, v value) {
			for i, f := range fields {
				f.get(d, v.Field(i))
			}
		}, size}
}

// boundedCodec is for a sequence "[<=limit]" of the definition, tagged `max:"limit"` in Go.
func boundedCodec(name string, limit int, sequence *codec) *codec {
	return &codec{
		func(e encoder, v value) {
			e.bound(name, v.Len(), limit)
			sequence.put(e, v)
		},
		func(d decoder, v value) {
			sequence.get(d, v)
			d.bound(name, v.Len(), limit)
		}, sequence.min}
}

func sliceCodec(elem *codec) *codec {
	return &codec{
		func(e encoder, v value) {
			n := v.Len()
			e.PutLen(n)
			for i := range n {
				elem.put(e, v.Index(i))
			}
		},
		func(d decoder, v value) {
			v.SetZero() // so that the elements of before are not written over: others may hold them
			n := d.GetLen(elem.min)
			if n == 0 {
				return
			}
			v.Grow(n)
			v.SetLen(n)
			for i := range n {
				elem.get(d, v.Index(i))
			}
		}, 4}
}

func arrayCodec(n int, elem *codec) *codec {
	return &codec{
		func(e encoder, v value) {
			for i := range n {
				elem.put(e, v.Index(i))
			}
		},
		func(d decoder, v value) {
			for i := range n {
				elem.get(d, v.Index(i))
			}
		}, n * elem.min}
}

// pointerCodec writes nil as a zero value: CDR has no way to leave a field out.
func pointerCodec(t reflect.Type, elem *codec) *codec {
	return &codec{
		func(e encoder, v value) {
			if v.IsNil() {
				v = reflect.New(t.Elem())
			}
			elem.put(e, v.Elem())
		},
		func(d decoder, v value) {
			v.Set(reflect.New(t.Elem()))
			elem.get(d, v.Elem())
		}, elem.min}
}
