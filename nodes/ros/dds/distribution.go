package dds

import "stripswm/msgs"

// A distribution is a release of ROS 2, and what its nodes read and tell on DDS. docs/ros2.md has
// the table too.
type distribution struct {
	name          string
	gid           int  // bytes of a gid in ros_discovery_info
	hashes        bool // endpoints tell the hash of their type, and ROS 2 warns of those that do not
	introspection bool // services may publish <service>/_service_event; none of this package does
	checked       string
}

// distributions are in the order of their release. An unknown one is taken for the latest.
var distributions = []distribution{
	{"humble", humbleGID, false, false, "run"},
	{"iron", ironGID, true, true, "read in its sources"},
	{"jazzy", ironGID, true, true, "run"},
	{"kilted", ironGID, true, true, "the adapter on rclgo, its own tests (rcl 10.1.3)"},
	{"lyrical", ironGID, true, true, "not read: assumed to be as Kilted"},
}

// distributionOf is the one that ROS_DISTRO names. Without a name its layout of ros_discovery_info
// is Humble's: Iron and later read a message in Humble's layout as one of the same participant
// without nodes, which does no harm until they have been heard. Humble reads one in Iron's layout
// as a node without a name, and its command line then fails.
func distributionOf(name string) distribution {
	switch name {
	case "":
		return distribution{gid: humbleGID, hashes: true}
	case "foxy", "galactic":
		return distributions[0]
	}
	for _, d := range distributions {
		if d.name == name {
			return d
		}
	}
	return distributions[len(distributions)-1]
}

// typeUserData is what an endpoint of that type tells of it.
func (d distribution) typeUserData(rosType string) string {
	hash := msgs.TypeHash(rosType)
	if hash == "" || !d.hashes {
		return ""
	}
	return "typehash=" + hash + ";"
}
