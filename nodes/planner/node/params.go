package node

import (
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

func declareParams(n *ros.Node) (*params, error) {
	d, e, t := &ros.Settings{Node: n}, execute.DefaultPolicy(), imageplan.DefaultThresholds()
	p := &params{
		bundle: ros.Dial(d, "bundle", "", "directory of the learned bundle"),
		device: ros.Choice(d, "device", "cpu", "where the classifier runs: cpu, cuda or tensorrt",
			ros.OneOf("cpu", "cuda", "tensorrt")),
		strict: ros.Dial(d, "strict_device", false,
			"fail to configure rather than fall back to the CPU"),
		deviceID: ros.Dial(d, "device_id", int64(0), "index of the GPU", 0, 64),
		threads:  ros.Dial(d, "threads", int64(1), "CPU threads of the classifier", 1, 64),
		transport: ros.Choice(d, "image_transport", string(camera.Auto), camera.Help,
			ros.OneOf("auto", "raw", "compressed")),
		region: ros.Dial(d, "region", []float64{}, "part of the images that matters: x, y, width and "+
			"height, as shares of theirs; empty takes the bundle's"),
		bits: ros.Dial(d, "bits", int64(0),
			"bits that a sample of 16 uses, such as 12; 0 takes the bundle's", 0, 16),
		confidence: ros.Dial(d, "min_confidence", t.Confidence,
			"least probability of the least certain predicate's value", 0.5, 1),
		contrast: ros.Dial(d, "min_contrast", t.Contrast,
			"least contrast of an image, standard deviation in grey levels", 0, 128),
		distance: ros.Dial(d, "max_distance", t.Distance, "greatest distance of an image from what "+
			"its state looks like: one in 200 good images exceeds 1; 0 takes the bundle's", 0, 1000),
		observeRate: ros.Dial(d, "observe_rate", 2.0, "recognitions a second while no goal is worked "+
			"on, for predicate_state and plan_image; 0 for none", 0, 100),
		executeTopic: ros.Dial(d, "execute_topic_goals", false,
			"execute plans to images on goal_image too"),
		searchTime: ros.Dial(d, "search_time", 10.0, "longest search, seconds; 0 is no limit", 0, 3600),
		states: ros.Dial(d, "search_states", int64(0),
			"most states that a search keeps; 0 is no limit", 0, 1<<40),
		policy: ros.Choice(d, "policy", "replan",
			"what to do when the table differs from the prediction: replan or stop",
			ros.OneOf("replan", "stop")),
		replans: ros.Dial(d, "replans", int64(e.Replans), "most new plans of one execution", 0, 1000),
		retries: ros.Dial(d, "retries", int64(e.Retries),
			"how often a skill without effect is tried again", 0, 1000),
		images: ros.Dial(d, "max_images", int64(e.MaxImages),
			"images to examine until one is recognized", 1, 1000),
		near: ros.Dial(d, "max_near_images", int64(e.NearImages), "skills in a row to go on after with "+
			"an image that is not recognized, but near to what the skill should have left; 0: the "+
			"execution ends", 0, 1000),
		age: ros.Dial(d, "max_age", e.Age.Seconds(), "oldest image to begin a plan with, seconds", 0, 60),
		settle: ros.Dial(d, "settle", e.Settle.Seconds(),
			"time between a skill's end and the image that shows its effect, seconds", 0, 60),
		skillTime: ros.Dial(d, "skill_timeout", e.SkillTime.Seconds(),
			"longest a skill may take, seconds; 0 is no limit", 0, 3600),
		patience: ros.Dial(d, "frame_timeout", e.FrameTime.Seconds(),
			"longest wait for an image, seconds; 0 is no limit", 0, 3600),
	}
	return p, d.Err
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
