package camera

import (
	"math"
	"sync"

	"stripswm/nodes/sim/scene"
)

// texel is one linear-light colour; the fourth value aligns it.
type texel [4]float32

// texture is an image of a table top at halving resolutions, so that a look-up at any distance
// costs four texels and does not alias.
type texture struct {
	levels []texels
	origin scene.Vec // table coordinates of texel (0, 0)
	scale  float64   // texels a metre at level 0
}

type texels struct {
	w, h int
	at   []texel
}

const texelsPerMetre = 900

// woods keeps the texture of each table: making one takes longer than an image.
var woods sync.Map // scene.Table -> func() *texture

func woodTexture(t scene.Table) *texture {
	made, ok := woods.Load(t)
	if !ok {
		made, _ = woods.LoadOrStore(t, sync.OnceValue(func() *texture { return newWood(t) }))
	}
	return made.(func() *texture)()
}

func newWood(t scene.Table) *texture {
	size := t.Max.Sub(t.Min)
	w, h := int(math.Ceil(size.X*texelsPerMetre)), int(math.Ceil(size.Y*texelsPerMetre))
	base := texels{w, h, make([]texel, w*h)}
	for j := range h {
		grain := newGrain(t.Wood, (float64(j)+0.5)/texelsPerMetre)
		for i := range w {
			base.at[j*w+i] = pack(grain.at((float64(i) + 0.5) / texelsPerMetre))
		}
	}
	tex := &texture{levels: []texels{base}, origin: t.Min, scale: texelsPerMetre}
	for l := base; l.w > 8 && l.h > 8; {
		l = l.halve()
		tex.levels = append(tex.levels, l)
	}
	return tex
}

// grain is one line of the table along the planks.
type grain struct {
	wood       scene.Wood
	seed       uint64
	across     float64 // metres from the plank's middle
	seam       float64 // darkening by the gap to the next plank, 1 for none
	tone       float64 // the plank's own shade
	core       float64 // where across the plank the rings are centred
	ringsMetre float64
}

func newGrain(w scene.Wood, y float64) grain {
	plank := math.Floor(y / w.Plank)
	seed := w.Seed*1000 + uint64(plank)
	within := y - plank*w.Plank
	gap := min(within, w.Plank-within)
	return grain{
		wood:       w,
		seed:       seed,
		across:     within - w.Plank/2,
		seam:       0.42 + 0.58*smoothstep(0.0004, 0.0022, gap),
		tone:       0.09 * lattice(int(plank), 1, seed),
		core:       0.6 * w.Plank * lattice(int(plank), 2, seed),
		ringsMetre: 75 + 25*lattice(int(plank), 3, seed),
	}
}

// at returns the colour x metres along the plank: rings cut lengthwise, drawn out along the trunk,
// fine fibres over them, and a slow drift.
func (g grain) at(x float64) scene.Vec {
	x += 3 * lattice(0, 4, g.seed)
	warp := fractal(x*1.6, g.across*9, 2, g.seed+11)
	radius := math.Hypot(g.across-g.core+0.03*warp, 0.05+0.02*valueNoise(x*0.9, 0, g.seed+12))
	ring := g.ringsMetre * radius
	ring -= math.Floor(ring)
	late := smoothstep(0.35, 0.92, ring) * (1 - smoothstep(0.92, 1, ring))
	fibre := valueNoise(x*22, g.across*1100, g.seed+13)
	pore := smoothstep(0.45, 0.9, valueNoise(x*45, g.across*900, g.seed+14))
	drift := valueNoise(x*3, g.across*14, g.seed+15)
	k := 0.30 + 0.34*late + 0.10*fibre + 0.12*drift + 0.22*pore
	c := g.wood.Early.Mix(g.wood.Late, min(1, max(0, k)))
	return c.Scale((1 + g.tone) * g.seam)
}

func (t texels) halve() texels {
	half := texels{t.w / 2, t.h / 2, make([]texel, (t.w/2)*(t.h/2))}
	for j := range half.h {
		for i := range half.w {
			top, bottom := t.at[2*j*t.w+2*i:], t.at[(2*j+1)*t.w+2*i:]
			for c := range 3 {
				half.at[j*half.w+i][c] = (top[0][c] + top[1][c] + bottom[0][c] + bottom[1][c]) / 4
			}
		}
	}
	return half
}

// level returns the resolution whose texels are about as large as a pixel's footprint in metres.
func (t *texture) level(footprint float64) int {
	l := math.Round(math.Log2(max(1, footprint*t.scale)))
	return min(int(l), len(t.levels)-1)
}

// sample interpolates the colour at table coordinates (x, y).
func (t *texture) sample(x, y float64, level int) (r, g, b float32) {
	l := &t.levels[level]
	scale := t.scale / float64(int(1)<<level)
	u, v := (x-t.origin.X)*scale-0.5, (y-t.origin.Y)*scale-0.5
	u, v = min(max(u, 0), float64(l.w)-1.001), min(max(v, 0), float64(l.h)-1.001)
	i, j := int(u), int(v)
	fu, fv := float32(u-float64(i)), float32(v-float64(j))
	top := l.at[j*l.w+i : j*l.w+i+2 : j*l.w+i+2]
	low := l.at[(j+1)*l.w+i : (j+1)*l.w+i+2 : (j+1)*l.w+i+2]
	a, c := &top[0], &top[1]
	d, e := &low[0], &low[1]
	w0, w1, w2, w3 := (1-fu)*(1-fv), fu*(1-fv), (1-fu)*fv, fu*fv
	return a[0]*w0 + c[0]*w1 + d[0]*w2 + e[0]*w3,
		a[1]*w0 + c[1]*w1 + d[1]*w2 + e[1]*w3,
		a[2]*w0 + c[2]*w1 + d[2]*w2 + e[2]*w3
}
