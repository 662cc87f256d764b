package refusal

// Status is the HTTP status of this refusal: the one place where a class
// becomes a number. Everything that another state or writer won is 409.
func (r *Refusal) Status() int {
	switch r.Class {
	case Invalid:
		return 422
	case NotFound, NoSuchEntity:
		return 404
	case Forbidden:
		return 403
	case Unauthenticated:
		return 401
	case RateLimited:
		return 429
	case Unavailable, UnknownOutcome:
		return 503
	case Internal:
		return 500
	case Malformed, OpIDInvalid, ReadOnlyTool, SummaryRequired:
		return 400
	case WrongMethod:
		return 405
	case EntityExists:
		return 412
	case TooLarge:
		return 413
	case WrongMediaType:
		return 415
	default:
		return 409
	}
}

// Envelope is the one shape of a refusal in JSON, at every door.
func (r *Refusal) Envelope() map[string]any {
	env := make(map[string]any, len(r.Details)+3)
	for name, value := range r.Details {
		env[name] = value
	}
	env["error"], env["message"] = string(r.Class), r.Says
	if len(r.Fields) > 0 {
		env["fields"] = r.Fields
	}
	return env
}
