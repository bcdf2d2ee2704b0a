package dds

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"stripswm/msgs"
)

// Range says how far participants look for each other, as ROS_AUTOMATIC_DISCOVERY_RANGE does.
type Range int

// The ranges.
const (
	Subnet    Range = iota // everyone that multicast reaches: ROS 2's default
	Localhost              // this machine only
	Off                    // nobody outside of this process
	System                 // as CYCLONEDDS_URI or the library's own defaults say
)

// MaxDomain is the highest domain whose ports exist.
const MaxDomain = 232

// A Config says where a transport looks for others.
type Config struct {
	Domain    int
	Range     Range
	Peers     []string // addresses to look at besides
	Interface string   // network interface by name or address; empty leaves the choice to the library
	// CYCLONEDDS_URI: configuration files or XML, which decide instead of Range, Peers and Interface
	Extra   string
	Enclave string // SROS 2's: "/arm/camera"; empty is "/"
	Keys    string // folder of the enclave's keys; empty is without security
	// ROS_DISTRO: "humble" and older have another form of ros_discovery_info; empty is as others speak
	Distro string

	Unprotected string // why there is no security although it was asked for; empty otherwise
}

// ConfigFromEnv reads what ROS 2 users set: RMW_IMPLEMENTATION, ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY,
// ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS, ROS_DISTRO, CYCLONEDDS_URI and, for an enclave,
// ROS_SECURITY_ENABLE, ROS_SECURITY_KEYSTORE, ROS_SECURITY_STRATEGY and
// ROS_SECURITY_ENCLAVE_OVERRIDE. With none of them set it is domain 0 and the subnet.
func ConfigFromEnv(enclave string) (Config, error) { return configFrom(os.Getenv, enclave) }

func configFrom(getenv func(string) string, enclave string) (Config, error) {
	c := Config{Extra: getenv("CYCLONEDDS_URI"), Distro: getenv("ROS_DISTRO")}
	if rmw := getenv("RMW_IMPLEMENTATION"); rmw != "" && !slices.ContainsFunc(speakDDS,
		func(name string) bool { return strings.Contains(rmw, name) }) {
		return Config{}, fmt.Errorf("RMW_IMPLEMENTATION is %q, whose nodes do not speak DDS, and these "+
			"speak nothing else: build them with `make ros`, or set "+
			"RMW_IMPLEMENTATION=rmw_cyclonedds_cpp for all nodes", rmw)
	}
	if override := getenv("ROS_SECURITY_ENCLAVE_OVERRIDE"); override != "" {
		enclave = override
	}
	c.Enclave = enclave
	if err := c.protect(getenv); err != nil {
		return Config{}, err
	}
	if s := getenv("ROS_DOMAIN_ID"); s != "" {
		id, err := strconv.Atoi(s)
		if err != nil {
			return Config{}, fmt.Errorf("ROS_DOMAIN_ID is %q: it must be a number from 0 to %d", s,
				MaxDomain)
		}
		c.Domain = id
	}
	switch s := strings.ToUpper(getenv("ROS_AUTOMATIC_DISCOVERY_RANGE")); s {
	case "", "SUBNET":
	case "LOCALHOST":
		c.Range = Localhost
	case "OFF":
		c.Range = Off
	case "SYSTEM_DEFAULT":
		c.Range = System
	default:
		return Config{},
			fmt.Errorf(
				"ROS_AUTOMATIC_DISCOVERY_RANGE is %q: it must be SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT", s)
	}
	switch s := getenv("ROS_LOCALHOST_ONLY"); s {
	case "", "0":
	case "1": // which decides over the range, as in ROS 2
		c.Range = Localhost
	default:
		return Config{}, fmt.Errorf("ROS_LOCALHOST_ONLY is %q: it must be 0 or 1", s)
	}
	for peer := range strings.SplitSeq(getenv("ROS_STATIC_PEERS"), ";") {
		if peer = strings.TrimSpace(peer); peer != "" {
			c.Peers = append(c.Peers, peer)
		}
	}
	return c, c.check()
}

// speakDDS is in the names of implementations of rmw that speak DDS.
var speakDDS = []string{"dds", "fastrtps", "connext"}

func (c Config) check() error {
	if c.Domain < 0 || c.Domain > MaxDomain {
		return fmt.Errorf("domain is %d: it must be 0 to %d", c.Domain, MaxDomain)
	}
	return nil
}

// loopbackAlone says that nothing is to be heard from the network; a CYCLONEDDS_URI decides by
// itself.
func (c Config) loopbackAlone() bool {
	return (c.Range == Localhost || c.Range == Off) && c.Interface == "" && c.Extra == ""
}

// unheeded says which settings others overrule; "" if none.
func (c Config) unheeded() string {
	switch {
	case c.Extra != "" && (c.Range == Localhost || c.Range == Off || len(c.Peers) > 0):
		return "CYCLONEDDS_URI decides who hears this node; ROS_LOCALHOST_ONLY, " +
			"ROS_AUTOMATIC_DISCOVERY_RANGE and ROS_STATIC_PEERS have no effect"
	case c.Range == Off && len(c.Peers) > 0:
		return "ROS_AUTOMATIC_DISCOVERY_RANGE is OFF, so that ROS_STATIC_PEERS has no effect"
	}
	return ""
}

// xml is the library's configuration: fragments with commas between, of which the later decide.
// Interfaces do not: those of all fragments are taken, and one named twice is an error.
//
// A camera's reliable writer must not wait for a reader that has died: it keeps its last images,
// whatever their size, so the mark at which writers wait for acknowledgements is far above them.
// Large receive buffers keep the packets of whole images; the library takes what the system allows.
func (c Config) xml() string {
	var b strings.Builder
	b.WriteString(`<CycloneDDS><Domain Id="any"><Internal><Watermarks><WhcHigh>256MB</WhcHigh></Watermarks>` +
		`<SocketReceiveBufferSize max="16MB"/></Internal>`)
	if c.Extra != "" {
		return b.String() + `</Domain></CycloneDDS>,` + c.Extra
	}
	if c.Range == System {
		return b.String() + `</Domain></CycloneDDS>`
	}
	alone := c.Range == Localhost || c.Range == Off

	b.WriteString(`<General>`)
	switch {
	case c.Interface != "" && strings.ContainsAny(c.Interface, ".:"):
		fmt.Fprintf(&b, `<Interfaces><NetworkInterface address="%s"/></Interfaces>`, escape(c.Interface))
	case c.Interface != "":
		fmt.Fprintf(&b, `<Interfaces><NetworkInterface name="%s"/></Interfaces>`, escape(c.Interface))
	// whose packets are 64 kB: an image in 15 of them costs half of what it costs in 64
	case alone:
		b.WriteString(`<Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces><MaxMessageSize>65500B</MaxMessageSize><FragmentSize>64000B</FragmentSize>`)
	}
	// the loopback interface seldom takes part in multicast
	if alone {
		b.WriteString(`<AllowMulticast>false</AllowMulticast>`)
	}
	b.WriteString(`</General>`)

	peers := c.Peers
	switch c.Range {
	case Localhost:
		peers = append([]string{"127.0.0.1"}, peers...)
	case Off:
		peers = nil
	}
	if len(peers) > 0 || alone {
		b.WriteString(`<Discovery>`)
		if c.Range == Localhost { // Fast DDS does not look at ports of this machine, and waits for this
			b.WriteString(`<SPDPInterval>1s</SPDPInterval>`)
		}
		if c.Range == Off { // others on this machine may look here, and are to have another one
			fmt.Fprintf(&b, `<Tag>off %s</Tag>`, rand.Text())
		}
		b.WriteString(`<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60</MaxAutoParticipantIndex><Peers>`)
		for _, peer := range peers {
			fmt.Fprintf(&b, `<Peer address="%s"/>`, escape(peer))
		}
		b.WriteString(`</Peers></Discovery>`)
	}
	return b.String() + `</Domain></CycloneDDS>`
}

func escape(s string) string {
	return strings.NewReplacer(`&`, `&amp;`, `<`, `&lt;`, `"`, `&quot;`).Replace(s)
}

// wantedBuffer is room for two raw 640x480 colour images on their way.
const wantedBuffer = 2 << 20

// bufferWarning says what to do if the system's socket buffers are too small for images, or is
// empty.
func bufferWarning() string {
	text, err := os.ReadFile("/proc/sys/net/core/rmem_max")
	if err != nil {
		return ""
	}
	size, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || size >= wantedBuffer {
		return ""
	}
	return fmt.Sprintf(
		"net.core.rmem_max is %d: best-effort images will be lost; set it to %d or more (sysctl -w "+
			"net.core.rmem_max=%d)",
		size, wantedBuffer, wantedBuffer)
}

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

// The library binds its receiving sockets to every address of the machine, whatever interface it is
// given (0.10.2, ddsi_udp_create_conn). So that "this machine only" keeps packets from the network
// out, the sockets are tied to the loopback device afterwards, as `ss -lun` shows: 0.0.0.0%lo.

const loopbackDevice = "lo"

// A domain's ports (RTPS 2.5, 9.6.2): from 7400 on, 250 for each.
const (
	firstPort      = 7400
	portsPerDomain = 250
)

// bindToLoopback ties this process's sockets of a domain to the loopback device.
func bindToLoopback(domain int) error {
	sockets, err := receivers(domain)
	if err != nil {
		return err
	}
	for _, fd := range sockets {
		if err := unix.BindToDevice(fd, loopbackDevice); err != nil {
			return fmt.Errorf("tie a socket to %s: %w", loopbackDevice, err)
		}
	}
	return nil
}

// receivers are the file descriptors of this process that receive what is sent to a domain from
// anywhere.
func receivers(domain int) ([]int, error) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return nil, err
	}
	var found []int
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			return nil, err
		}
		address, err := unix.Getsockname(fd)
		if errors.Is(err, unix.ENOTSOCK) || errors.Is(err, unix.EBADF) {
			continue
		}
		v4, ok := address.(*unix.SockaddrInet4)
		port := firstPort + portsPerDomain*domain
		if ok && v4.Addr == [4]byte{} && v4.Port >= port && v4.Port < port+portsPerDomain {
			found = append(found, fd)
		}
	}
	return found, nil
}
