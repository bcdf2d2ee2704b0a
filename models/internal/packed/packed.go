package packed

import (
	"encoding/binary"
	"math"
)

// Floats packs numbers.
func Floats(values []float64) (data []byte) {
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
	}
	return data
}

// Values are the numbers that Floats packed, whatever the bytes are: NaN and infinities too.
func Values(data []byte) []float64 {
	values := make([]float64, len(data)/4)
	for i := range values {
		values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
	}
	return values
}
