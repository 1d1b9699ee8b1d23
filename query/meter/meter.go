package meter

// Meter holds the counters of a database.
type Meter struct {
	Statements *Statements // nil counts none
	Models     Models
	Trainings  Counts // by outcome
	Network    Network
}

// New returns a meter with all counters at 0.
func New() *Meter { return &Meter{Statements: &Statements{}} }

// Metrics returns the figures of all counters, in no order.
func (m *Meter) Metrics() []Metric {
	out := m.Statements.Metrics()
	out = append(out, m.Models.Metrics()...)
	out = append(out, m.Trainings.Metrics(TrainingsTotal)...)
	return append(out, m.Network.Metrics()...)
}
