package node

import (
	"context"
	"image"
	"math"
	"time"

	"stripswm/msgs"
	"stripswm/nodes/ros"
)

// imagePublisher publishes images: raw ones, and JPEG if somebody listens, as image_transport does.
type imagePublisher struct {
	raw        *ros.Publisher[*msgs.Image]
	compressed *ros.Publisher[*msgs.CompressedImage]
	info       *ros.Publisher[*msgs.CameraInfo]
}

func (r *Node) advertiseImages() (e imagePublisher, err error) {
	if e.raw, err = ros.Advertise[*msgs.Image](r.node, "camera/image_raw",
		ros.SensorData); err != nil {
		return e, err
	}
	if e.compressed, err = ros.Advertise[*msgs.CompressedImage](r.node, "camera/image_raw/compressed",
		ros.SensorData); err != nil {
		return e, err
	}
	e.info, err = ros.Advertise[*msgs.CameraInfo](r.node, "camera/camera_info", ros.SensorData)
	return e, err
}

// publish sends an rgb8 image, taken at a time.
func (r *Node) publish(e imagePublisher, m *msgs.Image, at time.Time) {
	m.Header = msgs.Header{Stamp: msgs.TimeFrom(at), FrameID: frameID}
	err := e.raw.Publish(m)
	if err == nil {
		r.ticks.Sent()
	}
	r.node.WarnOf("not published: image", err)
	about := cameraInfo(int(m.Width), int(m.Height))
	about.Header = m.Header
	r.node.WarnOf("not published: camera info", e.info.Publish(about))
	if e.compressed.Subscribers() > 0 {
		r.node.WarnOf("not published: compressed image", r.compress(e.compressed, m))
	}
}

// rgb8 is an image message of that encoding.
func rgb8(width, height int, data []byte) *msgs.Image {
	return &msgs.Image{Width: uint32(width), Height: uint32(height), Encoding: msgs.RGB8,
		Step: uint32(3 * width), Data: data}
}

// openCamera publishes the rig's own images at the camera's rate.
func (r *Node) openCamera() error {
	e, err := r.advertiseImages()
	if err != nil {
		return err
	}
	w, h := int(r.settings.width), int(r.settings.height)
	m := rgb8(w, h, make([]byte, 3*w*h))
	r.ticks.Period = time.Duration(float64(time.Second) / r.settings.rate)
	r.ticks.Start(r.node.Clock().Now())
	r.node.Every(context.Background(), r.ticks.Period, func(now time.Time) {
		r.ticks.Tick(now)
		if r.cell.Frame(m.Data, now) {
			r.publish(e, m, now)
		}
	})
	return nil
}

// compress publishes the camera's rgb8 image as JPEG.
func (r *Node) compress(pub *ros.Publisher[*msgs.CompressedImage], m *msgs.Image) error {
	img := image.NewRGBA(image.Rect(0, 0, int(m.Width), int(m.Height)))
	for src, dst := m.Data, img.Pix; len(src) > 0; src, dst = src[3:], dst[4:] {
		dst[0], dst[1], dst[2], dst[3] = src[0], src[1], src[2], 0xff
	}
	c, err := msgs.NewJPEG(m.Header, img, int(r.settings.quality))
	if err != nil {
		return err
	}
	return pub.Publish(c)
}

// image is an image message of a state.
func (r *Node) image(m image.Image) *msgs.Image {
	return msgs.NewImage(msgs.Header{Stamp: msgs.TimeFrom(r.node.Clock().Now()), FrameID: frameID}, m)
}

// fieldOfView is the angle that the shorter side spans: the worlds' cameras have
// 27.5 to 36.5 degrees, and nothing here needs better.
const fieldOfView = 30 * math.Pi / 180

// cameraInfo is a pinhole without distortion.
func cameraInfo(w, h int) *msgs.CameraInfo {
	f, cx, cy := float64(min(w, h))/2/math.Tan(fieldOfView/2), float64(w)/2, float64(h)/2
	return &msgs.CameraInfo{
		Width: uint32(w), Height: uint32(h), DistortionModel: "plumb_bob", D: make([]float64, 5),
		K: [9]float64{f, 0, cx, 0, f, cy, 0, 0, 1},
		R: [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
		P: [12]float64{f, 0, cx, 0, 0, f, cy, 0, 0, 0, 1, 0},
	}
}
