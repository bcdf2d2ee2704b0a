// Package align tells how a camera and its light differ from those of a recording, and takes the
// difference out of an image.
//
// The main type is [Reference], which a bundle keeps: what the recorded images have in common, and
// how much each pixel varies. [Reference.Estimate] gives a [Change] for a new image: a homography,
// and a gain and bias of each channel. What stands on the table hardly counts, since each pixel is
// weighted by how much it varies and by how far it is off:
//
//	images --Learn--> Reference --Write, Read--> Estimate --> Change
//
// [Frame] shows images to networks as they would look without the change:
//
//	r, err := align.Learn(recorded, 128)
//	frame := align.Frame{Frame: pixels.Frame{Side: 64, Fit: pixels.Letterbox}, Reference: r}
//	small, change, err := frame.Of(image)
//
// Every movement that an image shows is taken out, also of a camera that shook while it recorded:
// networks are trained on aligned images. Light that recorded images show as well is left as it is;
// of other light, gains by place and tone are taken out, as shadows change less than the rest.
package align
