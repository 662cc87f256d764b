package refusal

// statuses is the one place where a class becomes a number. What is not here,
// everything that another state or writer won, is 409.
func statuses() map[Class]int {
	return map[Class]int{
		Malformed: 400, OpIDInvalid: 400, ReadOnlyTool: 400, SummaryRequired: 400,
		Unauthenticated: 401, Forbidden: 403, NotFound: 404, NoSuchEntity: 404, WrongMethod: 405,
		EntityExists: 412, TooLarge: 413, WrongMediaType: 415, Invalid: 422, RateLimited: 429,
		Internal: 500, Unavailable: 503, UnknownOutcome: 503,
	}
}

// Status is the HTTP status of this refusal.
func (r *Refusal) Status() int {
	if status, ok := statuses()[r.Class]; ok {
		return status
	}
	return 409
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
