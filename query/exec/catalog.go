package exec

import "parlance/query/bind"

// Binder returns a binder that sees what the statement sees.
func (r *Execution) Binder() *bind.Binder {
	return &bind.Binder{Catalog: &r.Catalog, Ctx: r.Env.Ctx, Off: r.RulesOff(), Floats: r.Floats}
}

// RulesOff is the set of optimiser rules that the session leaves out.
func (r *Execution) RulesOff() map[string]bool {
	off := map[string]bool{}
	for _, name := range r.Session.Settings.RulesOff {
		off[name] = true
	}
	return off
}

// checked computes what a plan has to check before its first row.
func (r *Execution) checked(b *bind.Binder) error {
	for _, x := range b.Checks {
		if _, err := r.Scalar(x); err != nil {
			return err
		}
	}
	return nil
}
