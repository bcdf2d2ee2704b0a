package camera

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"math"

	"stripswm/nodes/sim/scene"
)

// tone is the camera's response: linear light, 0 to toneMax in toneSteps, to 0..255. Highlights are
// rolled off above 0.7 and the rest follows the sRGB curve.
var tone = func() (t [toneSteps]float32) {
	for i := range t {
		x := float64(i) / toneSteps * toneMax
		if x > 0.7 {
			x = 0.7 + 0.3*(1-math.Exp((0.7-x)/0.3))
		}
		if x <= 0.0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
		t[i] = float32(255 * x)
	}
	return t
}()

const (
	toneSteps = 8192
	toneMax   = 3
)

// gauss holds quantiles of the normal distribution: indexed by random bits it draws from it.
var gauss = func() (g [1024]float32) {
	for i := range g {
		g[i] = float32(math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/float64(len(g))-1))
	}
	return g
}()

// develop turns light into the image the sensor gives.
func (f *frame) develop(dst *image.RGBA, seed uint64) error {
	s := &f.scene.Sensor
	f.smear(s.Smear)
	rng := hash(1, 2, seed) | 1
	gain := [3]float32{}
	for c, b := range [3]float64{s.Balance.X, s.Balance.Y, s.Balance.Z} {
		gain[c] = float32(s.Exposure * b * toneSteps / toneMax)
	}
	sigma := float32(255 * s.Noise)
	rr := 1 / (f.view.cx*f.view.cx + f.view.cy*f.view.cy)
	for j := range f.h {
		dy := float64(j) + 0.5 - f.view.cy
		out := dst.Pix[j*dst.Stride : j*dst.Stride+4*f.w]
		for i := range f.w {
			dx := float64(i) + 0.5 - f.view.cx
			shade := float32(1 - s.Vignette*(dx*dx+dy*dy)*rr)
			p := &f.pixels[j*f.w+i]
			rng ^= rng << 13
			rng ^= rng >> 7
			rng ^= rng << 17
			bits := rng
			grey := gauss[bits>>54] * 0.75
			for c := range 3 {
				x := min(p[c]*gain[c]*shade, toneSteps-1)
				v := tone[int(max(x, 0))]
				// Dark pixels are a little noisier, as after a gamma curve.
				v += sigma * (1.2 - v*(1./512)) * (grey + 0.66*gauss[bits&1023])
				bits >>= 10
				out[4*i+c] = uint8(min(max(v+0.5, 0), 255))
			}
			out[4*i+3] = 255
		}
	}
	if s.JPEG == 0 {
		return nil
	}
	return compress(dst, s.JPEG)
}

// smear averages along the path that the image moved while the shutter was open.
func (f *frame) smear(path scene.Vec) {
	dx, dy := path.X*float64(f.w), path.Y*float64(f.w)
	length := math.Hypot(dx, dy)
	if length < 0.3 {
		return
	}
	f.spare = resize(f.spare, len(f.pixels))
	n := 2 + int(length)
	for j := range f.h {
		for i := range f.w {
			var sum texel
			for k := range n {
				t := (float64(k)+0.5)/float64(n) - 0.5
				c := f.between(float64(i)+t*dx, float64(j)+t*dy)
				sum[0], sum[1], sum[2] = sum[0]+c[0], sum[1]+c[1], sum[2]+c[2]
			}
			inv := 1 / float32(n)
			f.spare[j*f.w+i] = texel{sum[0] * inv, sum[1] * inv, sum[2] * inv}
		}
	}
	f.pixels, f.spare = f.spare, f.pixels
}

// between interpolates the traced light at pixel coordinates.
func (f *frame) between(x, y float64) texel {
	x, y = min(max(x, 0), float64(f.w)-1.001), min(max(y, 0), float64(f.h)-1.001)
	i, j := int(x), int(y)
	u, v := float32(x-float64(i)), float32(y-float64(j))
	k := j*f.w + i
	a, b, c, d := &f.pixels[k], &f.pixels[k+1], &f.pixels[k+f.w], &f.pixels[k+f.w+1]
	w0, w1, w2, w3 := (1-u)*(1-v), u*(1-v), (1-u)*v, u*v
	return texel{
		a[0]*w0 + b[0]*w1 + c[0]*w2 + d[0]*w3,
		a[1]*w0 + b[1]*w1 + c[1]*w2 + d[1]*w3,
		a[2]*w0 + b[2]*w1 + c[2]*w2 + d[2]*w3,
	}
}

// compress passes the image through JPEG.
func compress(m *image.RGBA, quality int) error {
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, m, &jpeg.Options{Quality: quality}); err != nil {
		return fmt.Errorf("compress at quality %d: %w", quality, err)
	}
	decoded, err := jpeg.Decode(&buf)
	if err != nil {
		return fmt.Errorf("decompress: %w", err)
	}
	draw.Draw(m, m.Rect, decoded, decoded.Bounds().Min, draw.Src)
	return nil
}
