// Package install tests the Debian package of `make deb`: `make test-deb` runs it, and names the
// package in STRIPSWM_PACKAGE. A package for this machine is installed in a fresh Debian tree,
// which takes root. Of one for arm64, stripswm plan runs under qemu-user, with the libraries in
// .deps/arm64.
package install
