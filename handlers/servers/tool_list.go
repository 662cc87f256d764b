package servers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"crewlet/engine/servers"
	"crewlet/engine/tool"
	"crewlet/handlers/web"
)

// ListTools answers GET /tools.
func (h *Handlers) ListTools(w http.ResponseWriter, r *http.Request) error {
	out, err := tool.Do(r.Context(), h.Run, h.Servers.ListTools, web.Call(r), servers.ListTools{})
	if err != nil {
		return err
	}
	body, err := h.written.of(out)
	if err != nil {
		return err
	}
	return web.Encoded(w, r, http.StatusOK, body)
}

// written is the catalogue as it was sent last: megabytes of schemas take
// longer to write than to send.
type written struct {
	mu    sync.Mutex
	since int64
	body  []byte
}

// of answers the list as JSON, which is not to be written to.
func (k *written) of(list servers.ToolList) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.body != nil && k.since == list.Since {
		return k.body, nil
	}
	body, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encode the catalogue: %w", err)
	}
	k.since, k.body = list.Since, append(body, '\n')
	return k.body, nil
}
