package inference

import (
	"fmt"
	"strconv"

	ort "github.com/yalue/onnxruntime_go"
)

// Device names where a session runs.
type Device string

// The devices that a planner may be asked to use.
const (
	CPU      Device = "cpu"
	CUDA     Device = "cuda"
	TensorRT Device = "tensorrt"
)

// ParseDevice reads a device's name as a parameter or flag gives it.
func ParseDevice(name string) (Device, error) {
	switch p := Device(name); p {
	case CPU, CUDA, TensorRT:
		return p, nil
	}
	return "", fmt.Errorf("unknown provider %q: choose cpu, cuda or tensorrt", name)
}

// Options says where and how a session runs.
type Options struct {
	// Device asks for a device; empty means CPU.
	Device Device
	// Device is the GPU's index, for CUDA and TensorRT.
	DeviceID int
	// Threads is the number of CPU threads of one operator; 0 means 1, which is
	// fastest for one image at a time.
	Threads int
	// Strict makes a device that cannot be used an error. Otherwise the session
	// falls back to the CPU and says why (Network.Fallback).
	Strict bool
}

// sessionOptions makes ONNX Runtime's options; the caller destroys them.
func (o Options) sessionOptions(device Device) (*ort.SessionOptions, error) {
	opts, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("create session options: %w", err)
	}
	if err := o.configure(opts, device); err != nil {
		opts.Destroy()
		return nil, err
	}
	return opts, nil
}

func (o Options) configure(opts *ort.SessionOptions, device Device) error {
	if err := opts.SetIntraOpNumThreads(max(o.Threads, 1)); err != nil {
		return fmt.Errorf("set threads: %w", err)
	}
	// Spinning threads burn the core that a camera driver or a second learner
	// needs, and lose up to five times on a busy machine.
	if err := opts.AddSessionConfigEntry("session.intra_op.allow_spinning", "0"); err != nil {
		return fmt.Errorf("set spinning: %w", err)
	}
	switch device {
	case CUDA:
		return o.appendCUDA(opts)
	case TensorRT:
		return o.appendTensorRT(opts)
	}
	return nil
}

func (o Options) appendCUDA(opts *ort.SessionOptions) error {
	return appendProvider("cuda", o.DeviceID, ort.NewCUDAProviderOptions,
		opts.AppendExecutionProviderCUDA)
}

func (o Options) appendTensorRT(opts *ort.SessionOptions) error {
	if err := appendProvider("tensorrt", o.DeviceID, ort.NewTensorRTProviderOptions,
		opts.AppendExecutionProviderTensorRT); err != nil {
		return err
	}
	// Operators that TensorRT lacks run on the same GPU rather than on the CPU.
	return o.appendCUDA(opts)
}

// providerOptions are those of CUDA or TensorRT.
type providerOptions interface {
	Update(map[string]string) error
	Destroy() error
}

func appendProvider[P providerOptions](name string, device int, options func() (P, error),
	use func(P) error) error {
	p, err := options()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer p.Destroy()
	err = p.Update(map[string]string{"device_id": strconv.Itoa(device)})
	if err == nil {
		err = use(p)
	}
	if err != nil {
		return fmt.Errorf("%s device %d: %w", name, device, err)
	}
	return nil
}

// NewSession makes a session for a model held in memory, on the device asked
// for or, unless o.Strict, on the CPU with the reason in fallback. It is the
// one place that sets threads and devices, for networks and for training.
func NewSession(model []byte, inputs, outputs []string,
	o Options,
) (session *ort.DynamicAdvancedSession, used Device, fallback error, err error) {
	if _, err := Load(""); err != nil {
		return nil, "", nil, err
	}
	if o.Device == "" {
		o.Device = CPU
	}
	for _, device := range []Device{o.Device, CPU} {
		session, err = open(model, inputs, outputs, o, device)
		if err == nil || device == CPU || o.Strict {
			return session, device, fallback, err
		}
		fallback = fmt.Errorf("%s is not usable here, running on the cpu: %w", device, err)
	}
	return nil, "", nil, err
}

func open(model []byte, inputs, outputs []string, o Options,
	device Device,
) (*ort.DynamicAdvancedSession, error) {
	opts, err := o.sessionOptions(device)
	if err != nil {
		return nil, err
	}
	defer opts.Destroy()
	session, err := ort.NewDynamicAdvancedSessionWithONNXData(model, inputs, outputs, opts)
	if err != nil {
		return nil, fmt.Errorf("create session on %s: %w", device, err)
	}
	return session, nil
}
