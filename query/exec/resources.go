package exec

import (
	"fmt"

	"parlance/query/bind"
	"parlance/query/fault"
	"parlance/query/models"
	"parlance/query/operator"
	"parlance/query/plan"
	"parlance/storage/registry"
	"parlance/storage/value"
)

// Resources finds resources for the statement; the versions of pins come before those of now.
func (r *Execution) Resources(pins ...registry.Pin) *models.Resources {
	return &models.Resources{Resolver: &r.Resolver, Relations: r, Pins: pins}
}

// Configure makes a model ready for a request.
func (r *Execution) Configure(m plan.ModelUse, want models.Request) (*models.Configured, error) {
	c := &models.Configured{}
	if err := r.configureInto(c, m, want); err != nil {
		return nil, err
	}
	return c, nil
}

func (r *Execution) configureInto(c *models.Configured, m plan.ModelUse, want models.Request) error {
	if err := r.Resolver.Configure(c, m, want, r); err != nil {
		return err
	}
	c.Run.Report = r.Session.Progress
	if c.Caution != "" {
		r.Session.Notice(c.Label + ": " + c.Caution)
	}
	return nil
}

// NoticeServing gives a notice where the name of a model goes on meaning another version than the new one, 0 for one
// to come.
func (r *Execution) NoticeServing(name string, version int) {
	if serving, ok := r.Store.Model(name).Aliases["production"]; ok && serving != version {
		r.Session.Notice(fmt.Sprintf("%s still means %s@%d, which is production, until PROMOTE names another version",
			name, name, serving))
	}
}

// ReadRelation implements models.RelationReader.
func (r *Execution) ReadRelation(m *plan.ModelUse, relation string, use func(row []value.Value)) error {
	var n *plan.Relation
	for _, rel := range r.Relations(m) {
		if rel.Name == relation {
			n = bind.RelationNode(m, rel)
		}
	}
	if n == nil {
		return fault.New(plan.CodeUndefinedTable, "model %s has no relation %s", m, relation)
	}
	op, err := r.relation(n)
	if err != nil {
		return err
	}
	rows, err := operator.Drain(r.Context(), op, 0)
	for _, row := range rows {
		if !row[0].IsNull() {
			use(row)
		}
	}
	return err
}
