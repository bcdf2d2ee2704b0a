package baselines

import (
	onnx "github.com/gomlx/compute-onnx/support/protos"

	"stripswm/models/inference"
	"stripswm/models/inference/inferencetest"
	"stripswm/models/vision"
)

// colourCoder has an encoder made by hand for images of 4x4 pixels: latent c
// is the mean of channel c, from -1 (dark) to 1 (bright).
func colourCoder() vision.Coder {
	return must(vision.NewCoder(must(inference.Open(colourModel(), inference.Options{})), three))
}

// colourModel is its ONNX file.
func colourModel() []byte {
	return inferencetest.OfMeans(4, 3, []*onnx.NodeProto{
		inferencetest.Node("Div", "scaled", inferencetest.Mean, "half"),
		inferencetest.Node("Sub", inference.OutputName, "scaled", "one"),
	}, inferencetest.Floats("half", nil, 127.5), inferencetest.Floats("one", nil, 1))
}

// must is for what a test has made itself.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
