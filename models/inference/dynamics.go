package inference

import (
	"fmt"

	ort "github.com/yalue/onnxruntime_go"
)

// CodeName is the name that exported dynamics give their input; the output's is
// OutputName.
const CodeName = "code"

// Dynamics is exported dynamics over latent codes: float32 [1, Dims] in level
// units in, float32 [Actions, Dims] out, the successor that each action is
// predicted to lead to, not yet rounded. It is not safe for concurrent use.
type Dynamics struct {
	Dims, Actions int

	*latentSession
}

// OpenDynamicsFile opens the dynamics in an ONNX file.
func OpenDynamicsFile(path string, o Options) (*Dynamics, error) {
	model, err := readModel(path)
	if err != nil {
		return nil, err
	}
	d, err := OpenDynamics(model, o)
	if err != nil {
		return nil, fmt.Errorf("open dynamics %s: %w", path, err)
	}
	return d, nil
}

// OpenDynamics opens dynamics from the bytes of an ONNX file.
func OpenDynamics(model []byte, o Options) (d *Dynamics, err error) {
	inputs, outputs, err := inspect(model)
	if err != nil {
		return nil, err
	}
	if d, err = describeDynamics(inputs, outputs); err != nil {
		return nil, err
	}
	d.latentSession, err = openLatent("dynamics", model, d.Dims, ort.NewShape(int64(d.Actions),
		int64(d.Dims)), o)
	return d, err
}

func describeDynamics(inputs, outputs []ort.InputOutputInfo) (*Dynamics, error) {
	if len(inputs) != 1 || inputs[0].Name != CodeName || len(outputs) != 1 ||
		outputs[0].Name != OutputName {
		return nil,
			fmt.Errorf(
				"%w: not dynamics of this project: want one input %q and one output %q, found %v and %v",
				ErrNetwork, CodeName, OutputName, inputs, outputs)
	}
	in, out := inputs[0].Dimensions, outputs[0].Dimensions
	if inputs[0].DataType != ort.TensorElementDataTypeFloat || len(in) != 2 || in[0] != 1 ||
		in[1] < 1 {
		return nil, fmt.Errorf("%w: input %q is %v: want float32 [1, dims]", ErrNetwork, CodeName,
			inputs[0])
	}
	if outputs[0].DataType != ort.TensorElementDataTypeFloat || len(out) != 2 || out[0] < 1 ||
		out[1] != in[1] {
		return nil, fmt.Errorf("%w: output %q is %v: want float32 [actions, %d]", ErrNetwork, OutputName,
			outputs[0], in[1])
	}
	return &Dynamics{Dims: int(in[1]), Actions: int(out[0])}, nil
}

// Successors predicts where each action leads from a code of Dims numbers. The
// result, Dims numbers an action, is valid until the next call.
func (d *Dynamics) Successors(code []float32) ([]float32, error) {
	return d.run(code)
}
