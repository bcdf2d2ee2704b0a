package vision

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	ort "github.com/yalue/onnxruntime_go"

	"stripswm/models/inference"
	"stripswm/models/taskgraph"
)

// evaluationBatch is the number of images encoded at once.
const evaluationBatch = 128

// reader applies a graph (weights, images) -> [batch, outputs] to many images.
type reader struct {
	program *program
	size    int
	outputs int
	images  *ort.Tensor[uint8]
	out     *ort.Tensor[float32]
}

func newReader(fn graphFunc, total, size, outputs int, o inference.Options) (*reader, error) {
	p, err := compile(fn, []shapes.Shape{
		shapes.Make(dtypes.Float32, total),
		shapes.Make(dtypes.Uint8, evaluationBatch, size, size, 3),
	}, 1, o)
	if err != nil {
		return nil, err
	}
	r := &reader{program: p, size: size * size * 3, outputs: outputs}
	if r.images, err = newTensor[uint8]([]int{evaluationBatch, size, size, 3}); err != nil {
		return nil, err
	}
	if r.out, err = floats(evaluationBatch, outputs); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *reader) close() {
	r.images.Destroy()
	r.out.Destroy()
	r.program.close()
}

// read returns the outputs for images 0..n-1 of the data [n*outputs].
func (r *reader) read(ctx context.Context, weights *ort.Tensor[float32], d *Dataset, n int) ([]float32, error) {
	all := make([]float32, 0, (n+evaluationBatch)*r.outputs)
	for from := 0; from < n; from += evaluationBatch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+evaluationBatch, n)
		copy(r.images.GetData(), d.pixels[from*r.size:to*r.size])
		if err := r.program.run([]ort.Value{weights, r.images}, []ort.Value{r.out}); err != nil {
			return nil, err
		}
		all = append(all, r.out.GetData()...)
	}
	return all[:n*r.outputs], nil
}

// codes quantises the latents of n images.
func (q FSQ) codes(latents []float32) []Code {
	codes := make([]Code, len(latents)/q.Dims)
	for i := range codes {
		codes[i] = q.Code(latents[i*q.Dims : (i+1)*q.Dims])
	}
	return codes
}

// TaskGraph builds the labelled graph of the data under a code for each image
// (paper, section 5.1). labels[a-1] names action a. A refused attempt at an image
// without a code is left out.
func TaskGraph(d *Dataset, codes []Code, labels []string) (*taskgraph.Graph, error) {
	b := taskgraph.NewBuilder(labels)
	for i, t := range d.Transitions {
		if err := b.Observe(string(codes[t.Before]), t.Action, string(codes[t.After])); err != nil {
			return nil, fmt.Errorf("transition %d: %w", i, err)
		}
	}
	for i, t := range d.Refused {
		if codes[t.Before] == "" {
			continue
		}
		if err := b.Refuse(string(codes[t.Before]), t.Action); err != nil {
			return nil, fmt.Errorf("refused attempt %d: %w", i, err)
		}
	}
	return b.Graph(), nil
}
