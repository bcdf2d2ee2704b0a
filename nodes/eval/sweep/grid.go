package sweep

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"stripswm/models/vision"
	"stripswm/nodes/sim"
)

// Grid is the settings to try, each with each, and what all jobs have in common.
type Grid struct {
	Worlds   []string  `json:"worlds"`
	Presets  []string  `json:"presets"`
	Seeds    []uint64  `json:"seeds"`
	Dims     []int     `json:"dims"`     // of the latent space [levels]^dims
	Data     []float64 `json:"data"`     // shares of the transitions, 0..1
	Mislabel []float64 `json:"mislabel"` // shares of the transitions with a wrong action id, 0..1

	Transitions int     `json:"transitions"` // all of the data; 0 takes the paper's number
	Steps       int     `json:"steps"`       // most of stage 1; 0 takes the preset's
	Size        int     `json:"size"`        // of the images, pixels a side
	Nuisance    float64 `json:"nuisance"`
	Queries     int     `json:"queries"` // per horizon
}

// Job is one run of the pipeline.
type Job struct {
	Index       int     `json:"index"` // from 0
	World       string  `json:"world"`
	Preset      string  `json:"preset"`
	Seed        uint64  `json:"seed"`
	Dims        int     `json:"dims"`
	Data        float64 `json:"data"`
	Transitions int     `json:"transitions"` // that share of the data
	Mislabel    float64 `json:"mislabel"`
	Steps       int     `json:"steps"`
	Size        int     `json:"size"`
	Nuisance    float64 `json:"nuisance"`
	Queries     int     `json:"queries"`
}

// Name tells the job from others of its sweep, and is fit for a file's name.
func (j Job) Name() string {
	return fmt.Sprintf("%03d-%s-%s-d%d", j.Index, j.Recording(), j.Preset, j.Dims)
}

// Recording names the recording that the job learns from; jobs that differ in
// latent space or preset share it.
func (j Job) Recording() string {
	return fmt.Sprintf("%s-s%d-n%d-m%s", j.World, j.Seed, j.Transitions,
		strconv.FormatFloat(j.Mislabel, 'g', -1, 64))
}

// Jobs numbers the jobs. The latent space varies slowest, so that workers who go
// through the jobs in order rarely wait for one another's recordings.
func (g Grid) Jobs() ([]Job, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	var jobs []Job
	for _, dims := range g.Dims {
		for _, preset := range g.Presets {
			for _, name := range g.Worlds {
				world, err := sim.New(name)
				if err != nil {
					return nil, err
				}
				all := cmp.Or(g.Transitions, world.Dataset().Transitions)
				for _, seed := range g.Seeds {
					for _, data := range g.Data {
						for _, mislabel := range g.Mislabel {
							jobs = append(jobs, Job{
								Index: len(jobs), World: world.Name(), Preset: preset, Seed: seed, Dims: dims,
								Data: data, Transitions: max(int(math.Round(data*float64(all))), 1), Mislabel: mislabel,
								Steps: g.Steps, Size: g.Size, Nuisance: g.Nuisance, Queries: g.Queries,
							})
						}
					}
				}
			}
		}
	}
	return jobs, nil
}

func (g Grid) check() error {
	for _, axis := range []struct {
		name  string
		fault error
	}{
		{"worlds", axisFault(g.Worlds, func(name string) error { _, err := sim.New(name); return err })},
		{"presets",
			axisFault(g.Presets, func(name string) error {
				_, err := vision.PresetByName(name)
				return err
			})},
		{"seeds", axisFault(g.Seeds, func(uint64) error { return nil })},
		{"dimensions", axisFault(g.Dims, within(1, 16))},
		{"shares of the data", axisFault(g.Data, within(0.001, 1))},
		{"shares of mislabelled transitions", axisFault(g.Mislabel, within(0., 1))},
		{"transitions", within(0, 1_000_000)(g.Transitions)},
		{"steps", within(0, 10_000_000)(g.Steps)},
		{"size of the images", within(64, 640)(g.Size)},
		{"nuisance", within(0., 4)(g.Nuisance)},
		{"queries", within(1, 1_000_000)(g.Queries)},
	} {
		if axis.fault != nil {
			return fmt.Errorf("%s: %w", axis.name, axis.fault)
		}
	}
	return nil
}

func axisFault[T cmp.Ordered](values []T, check func(T) error) error {
	if len(values) == 0 {
		return fmt.Errorf("none given")
	}
	for i, v := range values {
		if err := check(v); err != nil {
			return err
		}
		if slices.Contains(values[:i], v) {
			return fmt.Errorf("%v is given twice", v)
		}
	}
	return nil
}

// within refuses what is not a number, too.
func within[T cmp.Ordered](least, most T) func(T) error {
	return func(v T) error {
		if !(v >= least && v <= most) {
			return fmt.Errorf("%v: choose %v to %v", v, least, most)
		}
		return nil
	}
}
