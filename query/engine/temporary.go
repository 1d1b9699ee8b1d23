package engine

import "context"

// discardTemporary drops the temporary objects of the session, as DROP does: in a transaction block COMMIT completes
// it.
func (r *execution) discardTemporary(ctx context.Context) error {
	session := r.ses.Temporary
	if session == 0 {
		return nil
	}
	objects := r.Snapshot.Objects("")
	r.Snapshot.Close() // an open snapshot would keep the dropped rows in the file
	for _, o := range objects {
		if o.Temporary != session {
			continue
		}
		if err := r.Store.DropObject(ctx, o.Name); err != nil {
			return err
		}
	}
	return nil
}

// EndTemporary drops the temporary objects of a session that has ended, or runs no statement and is in no block.
func (e *Engine) EndTemporary(ses *Session) error {
	session := ses.Temporary
	if session == 0 || e.Store.ReadOnly() {
		return nil
	}
	ses.Temporary = 0
	return e.Store.DropTemporary(context.Background(), session)
}
