package bundle

import (
	"fmt"
	"io"
	"slices"

	onnx "github.com/gomlx/compute-onnx/support/protos"
	"google.golang.org/protobuf/proto"

	"stripswm/models/strips"
	"stripswm/models/taskgraph"
)

// understood are the readers of roles whose content other packages define.
var understood = map[Role]func(io.Reader) (map[string]int64, error){}

// Understand has parts of a role read whenever a bundle is written or opened. read refuses content
// that cannot be used, and returns what other parts must agree with. Packages call it in init.
func Understand(role Role, read func(io.Reader) (map[string]int64, error)) {
	understood[role] = read
}

// readFacts reads from a part what other parts must agree with. It gives nothing for roles it does
// not know.
func readFacts(role Role, r io.Reader) (map[string]int64, error) {
	if read := understood[role]; read != nil {
		return read(r)
	}
	switch role {
	case Graph:
		g, err := taskgraph.ReadJSON(r)
		if err != nil {
			return nil, err
		}
		return graphFacts(g), nil
	case GraphDFA:
		g, err := taskgraph.ReadDFA(r)
		if err != nil {
			return nil, err
		}
		return graphFacts(g), nil
	case Model:
		m, err := strips.ReadJSON(r)
		if err != nil {
			return nil, err
		}
		return map[string]int64{Predicates: int64(m.Predicates), Actions: int64(m.Actions()),
			States: int64(len(m.States))}, nil
	case Encoder:
		return networkFacts(r, Latent)
	case Dynamics:
		return dynamicsFacts(r)
	case Classifier:
		return networkFacts(r, Predicates)
	case Appearance:
		return networkFacts(r, States)
	}
	return nil, nil
}

func graphFacts(g *taskgraph.Graph) map[string]int64 {
	return map[string]int64{States: int64(g.NumStates()), Actions: int64(g.NumActions()),
		Edges: int64(len(g.Edges))}
}

// networkFacts expects one input [n, height, width, 3] and one output [n, outputs].
func networkFacts(r io.Reader, outputs string) (map[string]int64, error) {
	in, out, err := readShapes(r)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	if len(in) != 1 || len(in[0]) != 4 || !within(MaxSide, in[0][1], in[0][2]) || in[0][3] != 3 {
		return nil, fmt.Errorf("onnx: inputs have the shapes %v, want one [n, height, width, 3], at "+
			"most %d a side", in, MaxSide)
	}
	if len(out) != 1 || len(out[0]) != 2 || !within(MaxOutputs, out[0][1]) {
		return nil, fmt.Errorf("onnx: outputs have the shapes %v, want one [n, %s], at most %d", out,
			outputs, MaxOutputs)
	}
	return map[string]int64{Height: in[0][1], Width: in[0][2], outputs: out[0][1]}, nil
}

// dynamicsFacts expects one input [1, latent] and one output [actions, latent].
func dynamicsFacts(r io.Reader) (map[string]int64, error) {
	in, out, err := readShapes(r)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	if len(in) != 1 || len(in[0]) != 2 || in[0][0] != 1 || !within(MaxOutputs, in[0][1]) {
		return nil, fmt.Errorf("onnx: inputs have the shapes %v, want one [1, %s]", in, Latent)
	}
	if len(out) != 1 || len(out[0]) != 2 || !within(MaxOutputs, out[0][0]) || out[0][1] != in[0][1] {
		return nil, fmt.Errorf("onnx: outputs have the shapes %v, want one [%s, %d]", out, Actions,
			in[0][1])
	}
	return map[string]int64{Actions: out[0][0], Latent: in[0][1]}, nil
}

// readShapes reads the shapes of a network's inputs and outputs from an ONNX file, -1 for a
// symbolic dimension.
func readShapes(r io.Reader) (inputs, outputs [][]int64, err error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	var model onnx.ModelProto
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, &model); err != nil {
		return nil, nil, err
	}
	return shapes(model.GetGraph().GetInput()), shapes(model.GetGraph().GetOutput()), nil
}

func shapes(values []*onnx.ValueInfoProto) (all [][]int64) {
	for _, v := range values {
		shape := []int64{}
		for _, d := range v.GetType().GetTensorType().GetShape().GetDim() {
			size := int64(-1)
			if known, ok := d.GetValue().(*onnx.TensorShapeProto_Dimension_DimValue); ok {
				size = known.DimValue
			}
			shape = append(shape, size)
		}
		all = append(all, shape)
	}
	return all
}

// within says whether all numbers are 1 to most.
func within(most int64, numbers ...int64) bool {
	return slices.Min(numbers) >= 1 && slices.Max(numbers) <= most
}
