package camera

import "fmt"

// Transport is the way that images come.
type Transport string

const (
	Auto       Transport = "auto"       // whichever is published: raw if both are
	Raw        Transport = "raw"        // sensor_msgs/Image on the topic
	Compressed Transport = "compressed" // sensor_msgs/CompressedImage on <topic>/compressed
)

// Help is for a parameter that takes a Transport.
const Help = "how images come: raw (sensor_msgs/Image), compressed (CompressedImage, on " +
	"<topic>/compressed), or auto (whichever is published)"

// ParseTransport reads a parameter's value.
func ParseTransport(s string) (Transport, error) {
	switch t := Transport(s); t {
	case Auto, Raw, Compressed:
		return t, nil
	}
	return "", fmt.Errorf("image_transport %q: choose %s, %s or %s", s, Auto, Raw, Compressed)
}
