package ood

import "stripswm/models/pixels"

// Visible says whether two images differ clearly in at least one pixel of 200: the sensor's
// noise is the same in both.
func Visible(a, b pixels.RGB) bool {
	const clearly, share = 30, 200
	differ := 0
	for i := 0; i < len(a.Pix); i += 3 {
		for c := range 3 {
			if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d > clearly || d < -clearly {
				differ++
				break
			}
		}
	}
	return differ*share >= len(a.Pix)/3
}
