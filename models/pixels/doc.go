// Package pixels turns camera pictures into what the networks take: RGB bytes
// of a fixed square size. It is the project's only decoder of pictures, so a
// network meets the same pixels on the robot as in training. OpenCV does the work.
//
// The main type is RGB. Compressed and Raw are pictures as ROS 2 carries them,
// and both have a method RGB; Decode is for a file. A Frame takes the region of a picture that
// matters, shrinks it by area averaging, and letterboxes what is no square:
//
//	bytes of a PNG or JPEG        Decode, Compressed --+
//	pixels in a ROS 2 encoding                     Raw +--> RGB --Frame--> network
//	a Go image that was drawn                FromImage +
//
// What is read, and how:
//   - PNG and JPEG, of 1 to 2^26 pixels. The size is read from the header before anything is
//     allocated. A file that ends early is an error; JPEG has no checksum, so other damage inside it shows.
//   - The encodings of sensor_msgs/Image in the table of encodings.go.
//   - 16 bits a sample become 8 by their high byte: 0..65535 is the full scale, unless Camera.Bits says that fewer are used.
//   - Alpha is left aside, as cameras do not set it; grey becomes three equal channels.
//   - EXIF's orientation is left aside: a raw topic has none, and the pixels of a sensor should
//     not turn with the way they came.
package pixels
