package variants

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"stripswm/models/operators/internal/work"
)

func TestYY(t *testing.T) {
	name := os.Getenv("G")
	g := load(name)
	began := time.Now()
	var m int64 = 300
	fmt.Sscan(os.Getenv("M"), &m)
	w := work.New(context.Background(), m*1_000_000)
	trace = func(a, b, c, d int) { fmt.Println(time.Since(began), a, b, c, d, w.Left()/1000000) }
	f := Find(w, g, os.Getenv("T") != "", 1)
	fmt.Println(name, time.Since(began), f.Variants, len(f.Columns))
}
