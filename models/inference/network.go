package inference

import (
	"errors"
	"fmt"
	"math"

	ort "github.com/yalue/onnxruntime_go"
)

// The names that every exported network gives its input and output.
const (
	InputName  = "images"
	OutputName = "output"
)

// ErrOutput is returned, wrapped, where a network's output is NaN or infinite.
var ErrOutput = errors.New("network output is not a finite number")

// ErrNetwork is returned, wrapped, for a file that is no network, or not one that can be run here.
var ErrNetwork = errors.New("unusable network")

// Network is an exported network: images uint8 [n, height, width, 3] (RGB) in,
// float32 [n, Outputs] out. Scaling of pixels is part of the network. It is not
// safe for concurrent use.
type Network struct {
	Height, Width int // of the images, pixels
	Outputs       int // numbers an image: latent dimensions or predicates

	session  *ort.DynamicAdvancedSession
	device   Device
	fallback error

	// Tensors of the last batch size, kept since a planner asks one size again and again.
	images *ort.Tensor[uint8]
	output *ort.Tensor[float32]
}

// Open opens a network from the bytes of an ONNX file.
func Open(model []byte, o Options) (*Network, error) {
	in, out, err := inspect(model, "a network",
		end{InputName, ort.TensorElementDataTypeUint8, "uint8 [n, height, width, 3]",
			[]int64{rows, some, some, 3}},
		end{OutputName, ort.TensorElementDataTypeFloat, "float32 [n, outputs]", []int64{rows, some}})
	if err != nil {
		return nil, err
	}
	n := &Network{Height: int(in[1]), Width: int(in[2]), Outputs: int(out[1])}
	if n.session, n.device, n.fallback, err = NewSession(model, []string{InputName},
		[]string{OutputName}, o); err != nil {
		return nil, err
	}
	return n, nil
}

// end is what a model has to have as its input or output: a name, a type, and a shape, in words and
// in numbers.
type end struct {
	name  string
	kind  ort.TensorElementDataType
	words string
	shape []int64
}

// Numbers of a shape that may differ: rows is any number of them, some at least one.
const rows, some = -1, 0

// inspect reads the shapes of a model's input and output, which have to be of what it is to be.
func inspect(model []byte, what string, input, output end) (in, out ort.Shape, err error) {
	if _, err := Load(""); err != nil {
		return nil, nil, err
	}
	inputs, outputs, err := ort.GetInputOutputInfoWithONNXData(model)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: not an onnx model that this onnx runtime reads: %w", ErrNetwork,
			err)
	}
	if len(inputs) != 1 || inputs[0].Name != input.name || len(outputs) != 1 ||
		outputs[0].Name != output.name {
		return nil, nil, fmt.Errorf("%w: not %s of this project: want one input %q and one output %q, "+
			"found %v and %v", ErrNetwork, what, input.name, output.name, inputs, outputs)
	}
	for k, of := range []ort.InputOutputInfo{inputs[0], outputs[0]} {
		want := []end{input, output}[k]
		fits := of.DataType == want.kind && len(of.Dimensions) == len(want.shape)
		for i := 0; fits && i < len(want.shape); i++ {
			n := want.shape[i]
			fits = n == rows || n == of.Dimensions[i] || n == some && of.Dimensions[i] > 0
		}
		if !fits {
			return nil, nil, fmt.Errorf("%w: %q is %v: want %s", ErrNetwork, of.Name, of, want.words)
		}
	}
	return inputs[0].Dimensions, outputs[0].Dimensions, nil
}

// Device is where the network runs.
func (n *Network) Device() Device { return n.device }

// Fallback is why the network does not run on the device that was asked for,
// nil where it does.
func (n *Network) Fallback() error { return n.fallback }

// Run evaluates the network on images packed one after the other, each
// Height*Width*3 bytes, row by row, RGB. The result, Outputs numbers an image,
// is valid until the next call. NaN or infinity is ErrOutput: NaN would pass every check
// against a limit, and JSON has neither.
func (n *Network) Run(images []uint8) ([]float32, error) {
	size := n.Height * n.Width * 3
	count := len(images) / size
	if count == 0 || len(images)%size != 0 {
		return nil, fmt.Errorf("run network: %d bytes are not whole images of %dx%d rgb (%d bytes each)",
			len(images), n.Width, n.Height, size)
	}
	if err := n.reserve(count); err != nil {
		return nil, fmt.Errorf("run network on %d images: %w", count, err)
	}
	copy(n.images.GetData(), images)
	if err := n.session.Run([]ort.Value{n.images}, []ort.Value{n.output}); err != nil {
		return nil, fmt.Errorf("run network on %d images: %w", count, err)
	}
	output := n.output.GetData()
	for i, v := range output {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("run network: %w: output %d is %v; learn its bundle again",
				ErrOutput, i%n.Outputs, v)
		}
	}
	return output, nil
}

func (n *Network) reserve(count int) error {
	if n.images != nil && n.images.GetShape()[0] == int64(count) {
		return nil
	}
	n.release()
	var err error
	n.images, err = ort.NewEmptyTensor[uint8](ort.NewShape(int64(count), int64(n.Height),
		int64(n.Width), 3))
	if err != nil {
		return err
	}
	n.output, err = ort.NewEmptyTensor[float32](ort.NewShape(int64(count), int64(n.Outputs)))
	return err
}

func (n *Network) release() {
	if n.images != nil {
		n.images.Destroy()
		n.images = nil
	}
	if n.output != nil {
		n.output.Destroy()
		n.output = nil
	}
}

// Close frees the session and its memory.
func (n *Network) Close() error {
	n.release()
	if err := n.session.Destroy(); err != nil {
		return fmt.Errorf("close network: %w", err)
	}
	return nil
}
