package tool

import "context"

// Glance marks the calls of a read that are one statement, which also answers
// the position of the log it stands at: they open no transaction, which would
// cost a trip to the database of its own. What such a call takes from memory is
// taken as of the newest position this node has heard of, and Call.Stands tells
// it where the statement stood: where that is not the same, or anything else
// went otherwise, the call is run again as any read.
func (u Use[In, Out]) Glance(single func(In) bool) Use[In, Out] {
	if u.Mode != Read {
		panic("tool " + u.Name + ": only a read is a glance")
	}
	u.single = single
	return u
}

// Stands says where in the log a glance's statement stood.
func (c *Call) Stands(position int64) { c.stood = position }

func glance[In, Out any](ctx context.Context, r *Runner, u Use[In, Out], c *Call, in In) (out Out, ok bool) {
	if u.single == nil || r.Heard == nil || !u.single(in) {
		return out, false
	}
	heard, by := r.Heard(), c.By
	if heard < c.MinAsOf {
		return out, false
	}
	c.on(r.DB.Once())
	c.Landed = Receipt{Outcome: "read", Position: heard}
	c.stood = -1
	err := r.still(ctx, u.Spec, c)
	if err == nil {
		err = u.allow(ctx, c, in)
	}
	if err == nil {
		out, err = u.run(ctx, c, in)
	}
	c.Tx = nil
	if err != nil || c.stood != heard {
		c.By = by
		return out, false
	}
	return out, true
}
