package camera

import "fmt"

// A Capture is what a camera's images were like.
type Capture struct {
	Read, Unreadable int
	Err              error // of the last unreadable one
}

func (s *Capture) add(err error) {
	if err == nil {
		s.Read++
		return
	}
	s.Unreadable++
	s.Err = err
}

// Since is what came since it was last called, and since ever.
func (c *Camera) Since() (now, ever Capture) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, c.now = c.now, Capture{}
	return now, c.ever
}

// Dropped counts the images that there was no room for.
func (c *Camera) Dropped() (count uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count = c.dropped
	for _, s := range c.subs {
		count += s.Dropped()
	}
	return count
}

// Malformed counts the messages that did not decode.
func (c *Camera) Malformed() (count uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count = c.refused
	for _, s := range c.subs {
		count += s.Malformed()
	}
	return count
}

// Topic is the one that images come on, or would.
func (c *Camera) Topic() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.names[c.chosen]
}

// Absent says that nobody publishes the images, and what to do; "" if somebody does.
func (c *Camera) Absent() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for transport := range c.subs {
		if c.published(transport) {
			return ""
		}
	}
	if c.transport == Auto {
		return fmt.Sprintf(
			"nobody publishes %s or %s; start the camera, or remap camera/image_raw to its topic",
			c.names[Raw], c.names[Compressed])
	}
	return fmt.Sprintf(
		"nobody publishes %s; start the camera, remap camera/image_raw to its topic, or set "+
			"image_transport to auto", c.names[c.transport])
}
