package dds

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Range says how far participants look for each other, as ROS_AUTOMATIC_DISCOVERY_RANGE does.
type Range int

// The ranges.
const (
	Subnet    Range = iota // everyone that multicast reaches: ROS 2's default
	Localhost              // this machine only
	Off                    // only the peers named
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
	// CYCLONEDDS_URI: configuration files or XML that come last, so that they decide
	Extra   string
	Enclave string // SROS 2's: "/arm/camera"; empty is "/"
	Keys    string // folder of the enclave's keys; empty is without security
	// ROS_DISTRO: "humble" and older have another form of ros_discovery_info; empty is as others speak
	Distro string

	Unprotected string // why there is no security although it was asked for; empty otherwise
}

// ConfigFromEnv reads what ROS 2 users set: ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY,
// ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS, ROS_DISTRO, CYCLONEDDS_URI and, for an enclave,
// ROS_SECURITY_ENABLE, ROS_SECURITY_KEYSTORE, ROS_SECURITY_STRATEGY and
// ROS_SECURITY_ENCLAVE_OVERRIDE. With none of them set it is domain 0 and the subnet.
func ConfigFromEnv(enclave string) (Config, error) { return configFrom(os.Getenv, enclave) }

func configFrom(getenv func(string) string, enclave string) (Config, error) {
	c := Config{Extra: getenv("CYCLONEDDS_URI"), Distro: getenv("ROS_DISTRO")}
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

func (c Config) check() error {
	if c.Domain < 0 || c.Domain > MaxDomain {
		return fmt.Errorf("domain is %d: it must be 0 to %d", c.Domain, MaxDomain)
	}
	return nil
}

// loopbackAlone says that nothing is to be heard from the network; a CYCLONEDDS_URI decides by
// itself.
func (c Config) loopbackAlone() bool {
	return c.Range == Localhost && c.Interface == "" && c.Extra == ""
}

// xml is the library's configuration: fragments with commas between, of which the later decide.
//
// A camera's reliable writer must not wait for a reader that has died: it keeps its last images,
// whatever their size, so the mark at which writers wait for acknowledgements is far above them.
// Large receive buffers keep the packets of whole images; the library takes what the system allows.
func (c Config) xml() string {
	var b strings.Builder
	b.WriteString(`<CycloneDDS><Domain Id="any"><Internal><Watermarks><WhcHigh>256MB</WhcHigh></Watermarks>` +
		`<SocketReceiveBufferSize max="16MB"/></Internal>`)
	if c.Range == System {
		b.WriteString(`</Domain></CycloneDDS>`)
		return c.withExtra(b.String())
	}

	b.WriteString(`<General>`)
	switch {
	case c.Interface != "" && strings.ContainsAny(c.Interface, ".:"):
		fmt.Fprintf(&b, `<Interfaces><NetworkInterface address="%s"/></Interfaces>`, escape(c.Interface))
	case c.Interface != "":
		fmt.Fprintf(&b, `<Interfaces><NetworkInterface name="%s"/></Interfaces>`, escape(c.Interface))
	// whose packets are 64 kB: an image in 15 of them costs half of what it costs in 64
	case c.Range == Localhost:
		b.WriteString(`<Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces><MaxMessageSize>65500B</MaxMessageSize><FragmentSize>64000B</FragmentSize>`)
	}
	// the loopback interface seldom takes part in multicast
	if c.Range == Localhost || c.Range == Off {
		b.WriteString(`<AllowMulticast>false</AllowMulticast>`)
	}
	b.WriteString(`</General>`)

	peers := c.Peers
	if c.Range == Localhost {
		peers = append([]string{"127.0.0.1"}, peers...)
	}
	if len(peers) > 0 || c.Range != Subnet {
		b.WriteString(`<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>60</MaxAutoParticipantIndex><Peers>`)
		for _, peer := range peers {
			fmt.Fprintf(&b, `<Peer address="%s"/>`, escape(peer))
		}
		b.WriteString(`</Peers></Discovery>`)
	}
	b.WriteString(`</Domain></CycloneDDS>`)
	return c.withExtra(b.String())
}

func (c Config) withExtra(xml string) string {
	if c.Extra == "" {
		return xml
	}
	return xml + "," + c.Extra
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
