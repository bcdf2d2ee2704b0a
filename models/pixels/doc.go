// Package pixels converts camera images to network input: RGB bytes of a fixed square size. It is
// the only decoder of images in the project, so that a network gets the same pixels on the robot as
// in training. It uses OpenCV.
//
// The main type is [RGB]. [Compressed] and [Raw] are images as ROS 2 carries them; both have a
// method RGB. [Decode] reads a file. A [Frame] takes the region of an image that matters, scales it
// down by area averaging, and fills the rest of the square (letterbox):
//
//	bytes of a PNG or JPEG        Decode, Compressed --+
//	pixels in a ROS 2 encoding                     Raw +--> RGB --Frame--> network
//	a Go image that was drawn                FromImage +
//
//	image, err := pixels.Decode(data)
//	square, err := pixels.Frame{Side: 128, Fit: pixels.Letterbox}.Of(image)
//
// What it reads:
//   - PNG and JPEG of 1 to 2^26 pixels. The size is read from the header before memory is
//     allocated. A file that ends early is an error. JPEG has no checksum, so other damage shows in
//     the image.
//   - The encodings of sensor_msgs/Image in the table of encodings.go.
//   - Samples of 16 bits, by their high byte: 0..65535 is the full scale, unless Camera.Bits says
//     that fewer bits are used.
//   - Grey as three equal channels. Alpha is ignored, because cameras do not set it.
//   - EXIF's orientation is ignored: a raw topic has none, and the pixels of a sensor should not
//     depend on how they arrived.
package pixels
