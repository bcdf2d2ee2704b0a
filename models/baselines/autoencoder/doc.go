// Package autoencoder trains autoencoders, from which the baselines LSR and AMA3 learn.
package autoencoder
