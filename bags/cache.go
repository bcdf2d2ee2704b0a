package bags

import (
	"container/list"
	"sync"
)

type chunkKey struct {
	file   int
	offset int64
}

// A chunkCache keeps the contents of the latest chunks, so that an image a transition refers to is
// seldom read twice.
type chunkCache struct {
	mu     sync.Mutex
	budget int // bytes
	size   int
	order  *list.List // of cached, latest first
	byKey  map[chunkKey]*list.Element
}

type cached struct {
	key      chunkKey
	contents []byte
}

func newChunkCache(budget int) *chunkCache {
	return &chunkCache{budget: budget, order: list.New(), byKey: map[chunkKey]*list.Element{}}
}

func (c *chunkCache) get(k chunkKey) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[k]
	if e == nil {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).contents, true
}

// put may drop the oldest chunks, but never the one it is given.
func (c *chunkCache) put(k chunkKey, contents []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[k]; e != nil {
		c.order.MoveToFront(e)
		return
	}
	c.byKey[k] = c.order.PushFront(&cached{k, contents})
	c.size += len(contents)
	for c.size > c.budget && c.order.Len() > 1 {
		oldest := c.order.Remove(c.order.Back()).(*cached)
		delete(c.byKey, oldest.key)
		c.size -= len(oldest.contents)
	}
}
