// Package appearance models what the images of each state look like.
package appearance
