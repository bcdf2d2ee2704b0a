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
	return must(inferencetest.Network(4, 3, []*onnx.NodeProto{
		inferencetest.With(inferencetest.Node("ReduceMean", "mean", inferencetest.Pixels, "axes"),
			"keepdims", 0),
		inferencetest.Node("Div", "scaled", "mean", "half"),
		inferencetest.Node("Sub", inference.OutputName, "scaled", "one"),
	}, inferencetest.Ints("axes", 1, 2), inferencetest.Floats("half", nil, 127.5),
		inferencetest.Floats("one", nil, 1)))
}

// must is for what a test has made itself.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
