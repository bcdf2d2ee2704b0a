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
	cuda, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return fmt.Errorf("cuda: %w", err)
	}
	defer cuda.Destroy()
	if err := cuda.Update(map[string]string{"device_id": strconv.Itoa(o.DeviceID)}); err != nil {
		return fmt.Errorf("cuda device %d: %w", o.DeviceID, err)
	}
	if err := opts.AppendExecutionProviderCUDA(cuda); err != nil {
		return fmt.Errorf("cuda device %d: %w", o.DeviceID, err)
	}
	return nil
}

func (o Options) appendTensorRT(opts *ort.SessionOptions) error {
	trt, err := ort.NewTensorRTProviderOptions()
	if err != nil {
		return fmt.Errorf("tensorrt: %w", err)
	}
	defer trt.Destroy()
	if err := trt.Update(map[string]string{"device_id": strconv.Itoa(o.DeviceID)}); err != nil {
		return fmt.Errorf("tensorrt device %d: %w", o.DeviceID, err)
	}
	if err := opts.AppendExecutionProviderTensorRT(trt); err != nil {
		return fmt.Errorf("tensorrt device %d: %w", o.DeviceID, err)
	}
	// Operators that TensorRT lacks run on the same GPU rather than on the CPU.
	return o.appendCUDA(opts)
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
