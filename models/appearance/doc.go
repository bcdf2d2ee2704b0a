// Package appearance models what the images of each state look like, and how far an image is from
// that: the out-of-distribution check of models/imageplan.
//
// The main type is Model. Learn makes it of a recording and the node of each image; Export gives an
// ONNX network from images to the distance to each node, which a bundle keeps:
//
//	dataset, node of each image -> Learn -> Model -> Export -> ONNX -> distances of new images
//
// A distance of 1 is what one in 200 of the node's own images exceeds. Thumbnails of 32x32 pixels
// are compared (pixels.Thumbnail), and the mean brightness does not count. The measures are those
// of residuals after probabilistic principal components (modes.go), over the image and in blocks,
// and matched filters for objects that a skill moves (changes.go, differences.go). Their units are
// found by cross-validation (units.go).
//
// docs/research/recognition-check.md has measurements.
package appearance
