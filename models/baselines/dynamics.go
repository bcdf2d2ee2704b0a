package baselines

import (
	"stripswm/models/identity"
	"stripswm/models/inference"
	"stripswm/models/vision"
)

// dynamics is the learned dynamics as a graph of codes that grows where it is
// asked: codes are numbered as they are met, and each is put to the network once.
type dynamics struct {
	network *inference.Dynamics
	fsq     vision.FSQ
	numbers map[identity.Code]int
	codes   []identity.Code
	next    [][]int // by code and action, nil until asked
}

func newDynamics(network *inference.Dynamics, q vision.FSQ) *dynamics {
	return &dynamics{network: network, fsq: q, numbers: map[identity.Code]int{}}
}

// number returns the number of a code.
func (d *dynamics) number(c identity.Code) int {
	n, known := d.numbers[c]
	if !known {
		n = len(d.codes)
		d.numbers[c], d.codes, d.next = n, append(d.codes, c), append(d.next, nil)
	}
	return n
}

// successors are the codes that the actions are predicted to lead to.
func (d *dynamics) successors(n int) ([]int, error) {
	if d.next[n] != nil {
		return d.next[n], nil
	}
	latents, err := d.network.Successors(d.fsq.Latent(d.codes[n]))
	if err != nil {
		return nil, err
	}
	next := make([]int, d.network.Actions)
	for a := range next {
		next[a] = d.number(d.fsq.Code(latents[a*d.fsq.Dims : (a+1)*d.fsq.Dims]))
	}
	d.next[n] = next
	return next, nil
}

// distance is the squared distance of two codes, in levels.
func (d *dynamics) distance(a, b int) int {
	sum := 0
	for i := range d.codes[a] {
		difference := int(d.codes[a][i]) - int(d.codes[b][i])
		sum += difference * difference
	}
	return sum
}
