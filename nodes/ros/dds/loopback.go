package dds

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

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
