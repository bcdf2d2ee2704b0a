package inference

import (
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// Decoder is an exported decoder: latent vectors float32 [n, Dims] in, images
// [n, Side, Side, 3] of values from 0 to 255 out. It is not safe for concurrent use.
type Decoder struct {
	Dims, Side int

	*latentSession
}

// OpenDecoderFile opens the decoder in an ONNX file.
func OpenDecoderFile(path string, o Options) (*Decoder, error) {
	model, err := readModel(path)
	if err != nil {
		return nil, err
	}
	d, err := OpenDecoder(model, o)
	if err != nil {
		return nil, fmt.Errorf("open decoder %s: %w", path, err)
	}
	return d, nil
}

// OpenDecoder opens a decoder from the bytes of an ONNX file.
func OpenDecoder(model []byte, o Options) (d *Decoder, err error) {
	inputs, outputs, err := inspect(model)
	if err != nil {
		return nil, err
	}
	if d, err = describeDecoder(inputs, outputs); err != nil {
		return nil, err
	}
	d.latentSession, err = openLatent("decoder", model, d.Dims, ort.NewShape(1, int64(d.Side),
		int64(d.Side), 3), o)
	return d, err
}

func describeDecoder(inputs, outputs []ort.InputOutputInfo) (*Decoder, error) {
	if len(inputs) != 1 || inputs[0].Name != CodeName || len(outputs) != 1 ||
		outputs[0].Name != OutputName {
		return nil,
			fmt.Errorf("not a decoder of this project: want one input %q and one output %q, found %v and %v",
				CodeName, OutputName, inputs, outputs)
	}
	in, out := inputs[0].Dimensions, outputs[0].Dimensions
	if inputs[0].DataType != ort.TensorElementDataTypeFloat || len(in) != 2 || in[1] < 1 {
		return nil, fmt.Errorf("input %q is %v: want float32 [n, dims]", CodeName, inputs[0])
	}
	if outputs[0].DataType != ort.TensorElementDataTypeFloat || len(out) != 4 || out[1] < 1 ||
		out[2] != out[1] || out[3] != 3 {
		return nil, fmt.Errorf("output %q is %v: want float32 [n, side, side, 3]", OutputName, outputs[0])
	}
	return &Decoder{Dims: int(in[1]), Side: int(out[1])}, nil
}

// Draw draws the image of a latent vector of Dims numbers: Side*Side*3 bytes, row by
// row, RGB.
func (d *Decoder) Draw(latent []float32) ([]uint8, error) {
	img, err := d.run(latent)
	if err != nil {
		return nil, err
	}
	pix := make([]uint8, len(img))
	for i, v := range img {
		pix[i] = uint8(min(max(v+0.5, 0), 255))
	}
	return pix, nil
}
