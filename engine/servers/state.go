package servers

// State is how a server stands, over all its instances on all live nodes.
type State string

// The states an administrator sees.
const (
	Running       State = "Running"
	PartlyFailing State = "Partly failing"
	Failing       State = "Failing"
	Waiting       State = "Waiting for credentials"
	NotStarted    State = "Not started"
	NotReported   State = "Not reported"
	Disabled      State = "Disabled"
)

// health is what one instance adds to its server's state.
type health int

const (
	asStarting health = iota // launched, not up yet, and never down before
	asUp
	asFailed // down, held back, or trying again after it was
	asWaiting
	asIdle // lazy, without calls: as good as not launched
)

// healthOf reads an instance's row.
func healthOf(state, failure string) health {
	switch state {
	case running:
		return asUp
	case failed, heldState:
		return asFailed
	case resting, idle:
		return asIdle
	default:
		if failure != "" {
			return asFailed
		}
		return asStarting
	}
}

// counted is how many instances stand how.
type counted struct{ up, failed, waiting, starting int }

func (n *counted) add(h health) {
	switch h {
	case asUp:
		n.up++
	case asFailed:
		n.failed++
	case asWaiting:
		n.waiting++
	case asStarting:
		n.starting++
	case asIdle:
	}
}

// stateOf is the state of a server: what any failure or wait says comes before
// what the others do.
func stateOf(enabled bool, liveNodes int, n counted) State {
	switch {
	case !enabled:
		return Disabled
	case liveNodes == 0:
		return NotReported
	case n.failed > 0 && n.up > 0:
		return PartlyFailing
	case n.failed > 0:
		return Failing
	case n.waiting > 0:
		return Waiting
	case n.up > 0:
		return Running
	default:
		return NotStarted
	}
}
