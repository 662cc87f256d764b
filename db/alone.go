package db

import "context"

// InOne runs one constant statement that writes, as a transaction of its own:
// one trip to the server where InTx takes three. Its one row is read into dst;
// sql.ErrNoRows when there is none.
//
// The statement must come to the same however often it lands, and however
// late, for an answer that is lost is not settled: the statement runs again,
// up to three times. again says that a run before the one that answered may
// have landed. What ctx holds back is the beginning alone; once sent, it lands
// or fails like a COMMIT.
func (d *DB) InOne(ctx context.Context, dst any, query string, args ...any) (again bool, err error) {
	err = d.again(ctx, func() error {
		sent, err := d.sendAlone(ctx, dst, query, args...)
		if sent && Unavailable(err) {
			again = true
			d.log.Debug("a statement got no answer", "err", err)
			// What idles beside a connection that died is likely to be dead too.
			d.alone.SetMaxIdleConns(0)
			d.alone.SetMaxIdleConns(maxAloneIdle)
		}
		return err
	})
	return again, err
}

// sendAlone runs the statement once. It is leased a connection, for database/sql
// would run it again without a word.
func (d *DB) sendAlone(ctx context.Context, dst any, query string, args ...any) (sent bool, err error) {
	l, err := d.take(ctx, d.alone)
	if err != nil {
		return false, err
	}
	defer l.back()
	if !l.unleash() {
		return false, ctx.Err()
	}
	l.within(d.patience)
	return true, l.GetContext(prepared(context.WithoutCancel(ctx)), dst, query, args...)
}
