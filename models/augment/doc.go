// Package augment varies training images.
package augment
