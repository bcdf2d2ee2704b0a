// Package dataset holds a recording in memory as stages 1 and 3 learn from it: small square images,
// and the transitions and refused attempts between them, by index of the image.
//
// The main type is Dataset. New makes an empty one, AddImage, AddTransition and AddRefused fill it
// (learn.Load does so from a recording), and models/vision, models/identity and models/appearance
// read it. A Transition that Follows started in the scene that the transition before left: the
// image after the one and the image before the other are the ends of a static interval and show one
// state.
package dataset
