package node

import (
	"fmt"
	"time"

	"stripswm/models/imageplan"
	"stripswm/models/inference"
	"stripswm/models/planner"
	"stripswm/nodes/camera"
	"stripswm/nodes/execute"
	"stripswm/nodes/ros"
)

// params are the node's parameters. Those of the policy and the thresholds are read when a
// goal begins or the node is configured.
type params struct {
	bundle, device, transport, policy            *ros.Parameter[string]
	strict, executeTopic                         *ros.Parameter[bool]
	deviceID, threads, states, bits              *ros.Parameter[int64]
	region                                       *ros.Parameter[[]float64]
	replans, retries, images, near               *ros.Parameter[int64]
	confidence, contrast, distance, observeRate  *ros.Parameter[float64]
	searchTime, age, settle, skillTime, patience *ros.Parameter[float64]
}

// declarer keeps the first error of several declarations.
type declarer struct {
	node *ros.Node
	err  error
}

func declare[T ros.ParamType](d *declarer, name string, value T,
	about ros.Describe[T],
) *ros.Parameter[T] {
	p, err := ros.Declare(d.node, name, value, about)
	if d.err == nil {
		d.err = err
	}
	return p
}

func text[T ros.ParamType](s string) ros.Describe[T] { return ros.Describe[T]{Text: s} }

func number[T ros.ParamType](s string, lowest, highest float64) ros.Describe[T] {
	return ros.Describe[T]{Text: s, Min: lowest, Max: highest}
}

func choice(s string, options ...string) ros.Describe[string] {
	return ros.Describe[string]{Text: s, Accept: func(v string) error {
		for _, o := range options {
			if v == o {
				return nil
			}
		}
		return fmt.Errorf("%q is not one of %q", v, options)
	}}
}

func declareParams(n *ros.Node) (*params, error) {
	d, e, t := &declarer{node: n}, execute.DefaultPolicy(), imageplan.DefaultThresholds()
	p := &params{
		bundle: declare(d, "bundle", "", text[string]("directory of the learned bundle")),
		device: declare(d, "device", "cpu",
			choice("where the classifier runs: cpu, cuda or tensorrt", "cpu", "cuda", "tensorrt")),
		strict: declare(d, "strict_device", false,
			text[bool]("fail to configure rather than fall back to the CPU")),
		deviceID: declare(d, "device_id", int64(0), number[int64]("index of the GPU", 0, 64)),
		threads: declare(d, "threads", int64(1), number[int64]("CPU threads of the classifier", 1,
			64)),
		transport: declare(d, "image_transport", string(camera.Auto), choice(camera.Help, "auto",
			"raw", "compressed")),
		region: declare(d, "region", []float64{},
			text[[]float64](
				"part of the images that matters: x, y, width and height, as shares of theirs; empty takes "+
					"the bundle's")),
		bits: declare(d, "bits", int64(0),
			number[int64]("bits that a sample of 16 uses, such as 12; 0 takes the bundle's", 0, 16)),
		confidence: declare(d, "min_confidence", t.Confidence,
			number[float64]("least probability of the least certain predicate's value", 0.5, 1)),
		contrast: declare(d, "min_contrast", t.Contrast,
			number[float64]("least contrast of an image, standard deviation in grey levels", 0, 128)),
		distance: declare(d, "max_distance", t.Distance,
			number[float64](
				"greatest distance of an image from what its state looks like: one in 200 good images "+
					"exceeds 1; 0 takes the bundle's", 0, 1000)),
		observeRate: declare(d, "observe_rate", 2.0,
			number[float64](
				"recognitions a second while no goal is worked on, for predicate_state and plan_image; 0 for "+
					"none", 0, 100)),
		executeTopic: declare(d, "execute_topic_goals", false,
			text[bool]("execute plans to images on goal_image too")),
		searchTime: declare(d, "search_time", 10.0,
			number[float64]("longest search, seconds; 0 is no limit", 0, 3600)),
		states: declare(d, "search_states", int64(0),
			number[int64]("most states that a search keeps; 0 is no limit", 0, 1<<40)),
		policy: declare(d, "policy", "replan",
			choice("what to do when the table differs from the prediction: replan or stop", "replan",
				"stop")),
		replans: declare(d, "replans", int64(e.Replans),
			number[int64]("most new plans of one execution", 0, 1000)),
		retries: declare(d, "retries", int64(e.Retries),
			number[int64]("how often a skill without effect is tried again", 0, 1000)),
		images: declare(d, "max_images", int64(e.MaxImages),
			number[int64]("images to examine until one is recognized", 1, 1000)),
		near: declare(d, "max_near_images", int64(e.NearImages),
			number[int64]("skills in a row to go on after with an image that is not recognized, but near "+
				"to what the skill should have left; 0: the execution ends", 0, 1000)),
		age: declare(d, "max_age", e.Age.Seconds(),
			number[float64]("oldest image to begin a plan with, seconds", 0, 60)),
		settle: declare(d, "settle", e.Settle.Seconds(),
			number[float64]("time between a skill's end and the image that shows its effect, seconds", 0,
				60)),
		skillTime: declare(d, "skill_timeout", e.SkillTime.Seconds(),
			number[float64]("longest a skill may take, seconds; 0 is no limit", 0, 3600)),
		patience: declare(d, "frame_timeout", e.FrameTime.Seconds(),
			number[float64]("longest wait for an image, seconds; 0 is no limit", 0, 3600)),
	}
	return p, d.err
}

func (p *params) inference() inference.Options {
	return inference.Options{Device: inference.Device(p.device.Get()), DeviceID: int(p.deviceID.Get()),
		Threads: int(p.threads.Get()), Strict: p.strict.Get()}
}

func (p *params) thresholds() imageplan.Thresholds {
	return imageplan.Thresholds{Confidence: p.confidence.Get(), Contrast: p.contrast.Get(),
		Distance: p.distance.Get()}
}

func (p *params) limits() planner.Limits {
	return planner.Limits{Time: seconds(p.searchTime.Get()), States: int(p.states.Get())}
}

func (p *params) executionPolicy() execute.Policy {
	return execute.Policy{
		Replan: p.policy.Get() == "replan", Replans: int(p.replans.Get()), Retries: int(p.retries.Get()),
		MaxImages: int(p.images.Get()), NearImages: int(p.near.Get()),
		Age: seconds(p.age.Get()), Settle: seconds(p.settle.Get()),
		SkillTime: seconds(p.skillTime.Get()),
		FrameTime: seconds(p.patience.Get()),
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
