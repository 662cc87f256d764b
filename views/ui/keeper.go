package ui

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/a-h/templ"
)

// keeperMost bounds what a keeper holds, in bytes. Past it, all is dropped and
// drawn anew: what is asked for often is soon back.
const keeperMost = 4 << 20

// Keeper keeps what was drawn, for components that draw the same for the same
// key, whoever asks and whenever.
type Keeper struct {
	mu    sync.RWMutex
	drawn map[string][]byte
	size  int
}

// Draw is the component, as it was drawn before under the key.
func (k *Keeper) Draw(key string, c templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		drawn, ok := k.get(key)
		if !ok {
			var buf bytes.Buffer
			if err := c.Render(ctx, &buf); err != nil {
				return err
			}
			drawn = buf.Bytes()
			k.keep(key, drawn)
		}
		_, err := w.Write(drawn)
		return err
	})
}

func (k *Keeper) get(key string) ([]byte, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	drawn, ok := k.drawn[key]
	return drawn, ok
}

func (k *Keeper) keep(key string, drawn []byte) {
	size := len(key) + len(drawn)
	if size > keeperMost/8 {
		return // one of these is not worth all the others
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.drawn == nil || k.size+size > keeperMost {
		k.drawn, k.size = map[string][]byte{}, 0
	}
	k.drawn[key] = drawn
	k.size += size
}
