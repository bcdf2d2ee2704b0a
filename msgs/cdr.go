package msgs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// An Encoder appends values in CDR (XCDR version 1): each number is aligned to its own size,
// counted from the end of the 4-byte encapsulation header. The zero Encoder is not ready; use
// Marshal or NewEncoder.
type Encoder struct {
	buf   []byte
	base  int // where alignment counts from
	order binary.AppendByteOrder
	err   error
}

// NewEncoder appends an encapsulation header for the byte order to dst and returns an Encoder that
// continues there.
func NewEncoder(dst []byte, order ByteOrder) *Encoder {
	dst = append(dst, 0, byte(order), 0, 0)
	return &Encoder{buf: dst, base: len(dst), order: order.binary()}
}

// Bytes returns what was encoded, after what NewEncoder was given. It fails if a value broke a
// bound of its type.
func (e *Encoder) Bytes() ([]byte, error) { return e.buf, e.err }

func (e *Encoder) align(n int) {
	for (len(e.buf)-e.base)&(n-1) != 0 {
		e.buf = append(e.buf, 0)
	}
}

func (e *Encoder) bound(name string, n, limit int) {
	if n > limit && e.err == nil {
		e.err = fmt.Errorf("field %s: %d elements, at most %d are allowed", name, n, limit)
	}
}

// PutBool appends one byte, 0 or 1.
func (e *Encoder) PutBool(v bool) {
	if v {
		e.buf = append(e.buf, 1)
		return
	}
	e.buf = append(e.buf, 0)
}

// PutUint8 appends one byte.
func (e *Encoder) PutUint8(v uint8) { e.buf = append(e.buf, v) }

// PutInt8 appends one byte.
func (e *Encoder) PutInt8(v int8) { e.buf = append(e.buf, uint8(v)) }

// PutUint16 appends two bytes, aligned to two.
func (e *Encoder) PutUint16(v uint16) {
	e.align(2)
	e.buf = e.order.AppendUint16(e.buf, v)
}

// PutInt16 appends two bytes, aligned to two.
func (e *Encoder) PutInt16(v int16) { e.PutUint16(uint16(v)) }

// PutUint32 appends four bytes, aligned to four.
func (e *Encoder) PutUint32(v uint32) {
	e.align(4)
	e.buf = e.order.AppendUint32(e.buf, v)
}

// PutInt32 appends four bytes, aligned to four.
func (e *Encoder) PutInt32(v int32) { e.PutUint32(uint32(v)) }

// PutUint64 appends eight bytes, aligned to eight.
func (e *Encoder) PutUint64(v uint64) {
	e.align(8)
	e.buf = e.order.AppendUint64(e.buf, v)
}

// PutInt64 appends eight bytes, aligned to eight.
func (e *Encoder) PutInt64(v int64) { e.PutUint64(uint64(v)) }

// PutFloat32 appends four bytes, aligned to four.
func (e *Encoder) PutFloat32(v float32) { e.PutUint32(math.Float32bits(v)) }

// PutFloat64 appends eight bytes, aligned to eight.
func (e *Encoder) PutFloat64(v float64) { e.PutUint64(math.Float64bits(v)) }

// PutLen appends the element count of a sequence.
func (e *Encoder) PutLen(n int) {
	if (n < 0 || n > math.MaxInt32) && e.err == nil {
		e.err = fmt.Errorf("a sequence of %d elements is too long", n)
	}
	e.PutUint32(uint32(n))
}

// PutString appends the length with the closing zero byte, the bytes and the zero byte.
func (e *Encoder) PutString(s string) {
	e.PutLen(len(s) + 1)
	e.buf = append(append(e.buf, s...), 0)
}

// PutBytes appends a sequence of bytes.
func (e *Encoder) PutBytes(p []byte) {
	e.PutLen(len(p))
	e.buf = append(slices.Grow(e.buf, len(p)), p...)
}

func (e *Encoder) putRaw(p []byte) { e.buf = append(e.buf, p...) }

// ErrMalformed is wrapped by every error of a payload that is not the CDR of the message asked for.
var ErrMalformed = errors.New("malformed CDR")

// A Decoder reads values in CDR (XCDR version 1). After the first fault every read returns zero and
// Err tells what was wrong and where; no length in the input makes it allocate more than a small
// multiple of the input.
type Decoder struct {
	data  []byte // after the encapsulation header
	off   int
	order binary.ByteOrder
	alias bool
	err   error
}

// headerSize is the length of the encapsulation header.
const headerSize = 4

// NewDecoder reads the encapsulation header of a payload.
func NewDecoder(payload []byte) *Decoder {
	d := &Decoder{}
	if len(payload) < headerSize {
		d.fail("payload of %d bytes has no encapsulation header", len(payload))
		return d
	}
	if payload[0] != 0 || payload[1] > 1 {
		d.fail("encapsulation %02x %02x is not plain CDR", payload[0], payload[1])
		return d
	}
	d.order = ByteOrder(payload[1]).binary()
	d.data = payload[headerSize:]
	return d
}

// Err returns the first fault, or nil.
func (d *Decoder) Err() error { return d.err }

// Finish returns the first fault, or a fault if bytes remain that padding does not explain.
func (d *Decoder) Finish() error {
	const maxPadding = 7
	if rest := len(d.data) - d.off; d.err == nil && rest > maxPadding {
		d.fail("%d bytes remain after the message", rest)
	}
	return d.err
}

func (d *Decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w at byte %d: %s", ErrMalformed, d.off+headerSize,
			fmt.Sprintf(format, args...))
	}
}

// take returns the next n bytes, aligned, or nil after a fault.
func (d *Decoder) take(n, align int) []byte {
	if d.err != nil {
		return nil
	}
	off := (d.off + align - 1) &^ (align - 1)
	if n > len(d.data)-off {
		d.fail("%d bytes wanted, %d remain", n, max(0, len(d.data)-off))
		return nil
	}
	d.off = off + n
	return d.data[off:d.off:d.off]
}

func (d *Decoder) bound(name string, n, limit int) {
	if n > limit {
		d.fail("field %s: %d elements, at most %d are allowed", name, n, limit)
	}
}

// GetBool reads one byte, which must be 0 or 1.
func (d *Decoder) GetBool() bool {
	v := d.GetUint8()
	if v > 1 {
		d.fail("a bool of value %d", v)
	}
	return v == 1
}

// GetUint8 reads one byte.
func (d *Decoder) GetUint8() uint8 {
	p := d.take(1, 1)
	if p == nil {
		return 0
	}
	return p[0]
}

// GetInt8 reads one byte.
func (d *Decoder) GetInt8() int8 { return int8(d.GetUint8()) }

// GetUint16 reads two bytes, aligned to two.
func (d *Decoder) GetUint16() (v uint16) {
	if p := d.take(2, 2); p != nil {
		v = d.order.Uint16(p)
	}
	return v
}

// GetInt16 reads two bytes, aligned to two.
func (d *Decoder) GetInt16() int16 { return int16(d.GetUint16()) }

// GetUint32 reads four bytes, aligned to four.
func (d *Decoder) GetUint32() (v uint32) {
	if p := d.take(4, 4); p != nil {
		v = d.order.Uint32(p)
	}
	return v
}

// GetInt32 reads four bytes, aligned to four.
func (d *Decoder) GetInt32() int32 { return int32(d.GetUint32()) }

// GetUint64 reads eight bytes, aligned to eight.
func (d *Decoder) GetUint64() (v uint64) {
	if p := d.take(8, 8); p != nil {
		v = d.order.Uint64(p)
	}
	return v
}

// GetInt64 reads eight bytes, aligned to eight.
func (d *Decoder) GetInt64() int64 { return int64(d.GetUint64()) }

// GetFloat32 reads four bytes, aligned to four.
func (d *Decoder) GetFloat32() float32 { return math.Float32frombits(d.GetUint32()) }

// GetFloat64 reads eight bytes, aligned to eight.
func (d *Decoder) GetFloat64() float64 { return math.Float64frombits(d.GetUint64()) }

// GetLen reads the element count of a sequence whose elements take minSize bytes or more each.
func (d *Decoder) GetLen(minSize int) int {
	n := d.GetUint32()
	if uint64(n)*uint64(minSize) > uint64(len(d.data)-d.off) {
		d.fail("a sequence of %d elements in %d bytes", n, len(d.data)-d.off)
	}
	if d.err != nil {
		return 0
	}
	return int(n)
}

// GetString reads a string; one of length 0, without the closing zero byte, is taken as empty.
func (d *Decoder) GetString() string {
	p := d.take(d.GetLen(1), 1)
	if len(p) == 0 {
		return ""
	}
	if p[len(p)-1] != 0 {
		d.fail("a string without its closing zero byte")
		return ""
	}
	return string(p[:len(p)-1])
}

// GetBytes reads a sequence of bytes: a copy, or a part of the payload when decoding with
// UnmarshalNoCopy.
func (d *Decoder) GetBytes() []byte {
	p := d.take(d.GetLen(1), 1)
	if len(p) == 0 {
		return nil
	}
	if d.alias {
		return p
	}
	return append([]byte(nil), p...)
}

func (d *Decoder) getRaw(dst []byte) { copy(dst, d.take(len(dst), 1)) }
