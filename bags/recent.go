package bags

import "stripswm/msgs"

// maxImages is how many of the latest images a transition may refer to: over half an hour at 30
// images a second. It bounds the memory of Writer, Reader and Check.
const maxImages = 1 << 16

// A stampKey names an image: topic and header.stamp.
type stampKey struct {
	topic string
	stamp msgs.Time
}

// recent maps the latest maxImages images to a V each, and forgets the oldest.
type recent[V any] struct {
	limit  int
	values map[stampKey]V
	order  []stampKey // a ring once it is full
	next   int
}

func newRecent[V any](limit int) *recent[V] {
	return &recent[V]{limit: limit, values: map[stampKey]V{}}
}

func (r *recent[V]) get(k stampKey) (V, bool) {
	v, ok := r.values[k]
	return v, ok
}

func (r *recent[V]) put(k stampKey, v V) {
	if _, known := r.values[k]; known {
		r.values[k] = v
		return
	}
	r.values[k] = v
	if len(r.order) < r.limit {
		r.order = append(r.order, k)
		return
	}
	delete(r.values, r.order[r.next])
	r.order[r.next] = k
	r.next = (r.next + 1) % r.limit
}
