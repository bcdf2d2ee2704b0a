package pixels

import (
	"fmt"

	"gocv.io/x/gocv"
)

// Quality is what can be said of an image without knowing what it shows.
type Quality struct {
	// Sharpness is the variance of the Laplacian of the grey image (Pech-Pacheco et al., ICPR 2000),
	// grey levels squared: of one scene, the sharper image has more. Noise adds to it.
	Sharpness float64 `json:"sharpness"`
	Mean      float64 `json:"mean"`  // grey level, 0 to 255
	Black     float64 `json:"black"` // share of the pixels that are as dark as can be in a channel
	White     float64 `json:"white"` // likewise as bright as can be
}

// Quality evaluates the image. Errors wrap ErrImage.
func (p RGB) Quality() (Quality, error) {
	if err := p.check(); err != nil {
		return Quality{}, err
	}
	var q Quality
	for at := 0; at < len(p.Pix); at += 3 {
		rgb := p.Pix[at : at+3]
		q.Mean += float64(int(rgb[0])+int(rgb[1])+int(rgb[2])) / 3
		if min(rgb[0], rgb[1], rgb[2]) == 0 {
			q.Black++
		}
		if max(rgb[0], rgb[1], rgb[2]) == 255 {
			q.White++
		}
	}
	n := float64(p.Width * p.Height)
	q.Mean, q.Black, q.White = q.Mean/n, q.Black/n, q.White/n
	src, err := over(p.Pix, p.Height, p.Width, 3)
	if err != nil {
		return q, err
	}
	defer src.Close()
	grey, edges, mean, deviation := gocv.NewMat(), gocv.NewMat(), gocv.NewMat(), gocv.NewMat()
	for _, m := range []*gocv.Mat{&grey, &edges, &mean, &deviation} {
		defer m.Close()
	}
	gocv.CvtColor(src, &grey, gocv.ColorRGBToGray)
	gocv.Laplacian(grey, &edges, gocv.MatTypeCV64F, 1, 1, 0, gocv.BorderReplicate)
	gocv.MeanStdDev(edges, &mean, &deviation)
	if deviation.Empty() {
		return q, fmt.Errorf("%w: no sharpness of %dx%d pixels", ErrImage, p.Width, p.Height)
	}
	d := deviation.GetDoubleAt(0, 0)
	q.Sharpness = d * d
	return q, nil
}
