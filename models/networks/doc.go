// Package networks has the neural networks of stages 1 and 3, and the engines that train them.
package networks
