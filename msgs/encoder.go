package msgs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// An Encoder appends values in CDR (XCDR version 1): each number is aligned to its own size,
// counted from the end of the 4-byte encapsulation header. The zero Encoder is not ready; use
// Marshal or NewEncoder.
type Encoder struct {
	buf  []byte
	base int // where alignment counts from
	big  bool
	err  error
}

// NewEncoder appends an encapsulation header for the byte order to dst and returns an Encoder that
// continues there.
func NewEncoder(dst []byte, order ByteOrder) *Encoder {
	dst = append(dst, 0, byte(order), 0, 0)
	return &Encoder{buf: dst, base: len(dst), big: order == BigEndian}
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
	if e.big {
		e.buf = binary.BigEndian.AppendUint16(e.buf, v)
		return
	}
	e.buf = binary.LittleEndian.AppendUint16(e.buf, v)
}

// PutInt16 appends two bytes, aligned to two.
func (e *Encoder) PutInt16(v int16) { e.PutUint16(uint16(v)) }

// PutUint32 appends four bytes, aligned to four.
func (e *Encoder) PutUint32(v uint32) {
	e.align(4)
	if e.big {
		e.buf = binary.BigEndian.AppendUint32(e.buf, v)
		return
	}
	e.buf = binary.LittleEndian.AppendUint32(e.buf, v)
}

// PutInt32 appends four bytes, aligned to four.
func (e *Encoder) PutInt32(v int32) { e.PutUint32(uint32(v)) }

// PutUint64 appends eight bytes, aligned to eight.
func (e *Encoder) PutUint64(v uint64) {
	e.align(8)
	if e.big {
		e.buf = binary.BigEndian.AppendUint64(e.buf, v)
		return
	}
	e.buf = binary.LittleEndian.AppendUint64(e.buf, v)
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
