package msgs

import (
	"bytes"
	"fmt"
	"time"
)

// Nanoseconds since the epoch of the clock that made t.
func (t Time) Nanoseconds() int64 { return int64(t.Sec)*1e9 + int64(t.Nanosec) }

// IsZero reports whether t was never set.
func (t Time) IsZero() bool { return t == Time{} }

// GoTime returns t as a time.Time in UTC.
func (t Time) GoTime() time.Time { return time.Unix(int64(t.Sec), int64(t.Nanosec)).UTC() }

// TimeFromNanoseconds is the inverse of Time.Nanoseconds, for times from 1901 to 2038.
func TimeFromNanoseconds(ns int64) Time {
	sec, nanosec := ns/1e9, ns%1e9
	if nanosec < 0 {
		sec, nanosec = sec-1, nanosec+1e9
	}
	return Time{Sec: int32(sec), Nanosec: uint32(nanosec)}
}

// TimeFrom is the message for a time.Time.
func TimeFrom(t time.Time) Time { return TimeFromNanoseconds(t.UnixNano()) }

// String is seconds and nanoseconds with a point between.
func (t Time) String() string { return fmt.Sprintf("%d.%09d", t.Sec, t.Nanosec) }

// Restamp is a payload whose message begins with a Header, with another stamp.
func Restamp(payload []byte, t Time) ([]byte, error) {
	if _, err := Stamp(payload); err != nil {
		return nil, err
	}
	order := ByteOrder(payload[1]).binary()
	payload = bytes.Clone(payload)
	order.PutUint32(payload[headerSize:], uint32(t.Sec))
	order.PutUint32(payload[headerSize+4:], t.Nanosec)
	return payload, nil
}

// Stamp reads the stamp of a payload whose message begins with a Header, without decoding the rest.
func Stamp(payload []byte) (Time, error) {
	d := NewDecoder(payload)
	t := Time{Sec: d.GetInt32(), Nanosec: d.GetUint32()}
	return t, d.Err()
}

// HeaderOf is Stamp for the whole Header.
func HeaderOf(payload []byte) (Header, error) {
	var h Header
	d := NewDecoder(payload)
	decode(d, &h)
	return h, d.Err()
}
