package search

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

func TestSkipEndsBehindANumber(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var b []byte
		ends := []int{0}
		for range r.IntN(60) {
			b = binary.AppendUvarint(b, r.Uint64()>>(24+r.IntN(40)))
			ends = append(ends, len(b))
		}
		for count, end := range ends {
			if got := skip(b, uint32(count)); got != end {
				t.Fatalf("%d of %x end at %d, got %d", count, b, end, got)
			}
		}
	}
}
