package db

import (
	"context"

	"parlance/query/meter"
)

// Metric is a figure about a database: name, help, type and labels of its family, and its value.
type Metric = meter.Metric

// MetricFamily is the declaration of a metric.
type MetricFamily = meter.Family

// Types of metric.
const (
	Counter   = meter.Counter
	Gauge     = meter.Gauge
	Histogram = meter.Histogram
)

// Network counts connections of clients; a server tells it what happens.
type Network = meter.Network

// MetricFamilies lists the metrics that there are.
func MetricFamilies() []*MetricFamily { return meter.Families() }

// Metrics returns the figures of the database since it was opened, in the order of their
// declarations, those of a family by their labels; none after Close.
func (d *DB) Metrics() []Metric {
	_, _, end, err := d.begin(context.Background())
	if err != nil {
		return nil
	}
	defer end()
	return d.engine.Metrics()
}

// Network returns what counts the connections of clients to this database.
func (d *DB) Network() *Network { return &d.engine.Meter.Network }

// Warm loads models, so that the first statement that uses one need not, with the gazetteers
// and lexicons that they read. A name is name, name@version or name@alias. Without names it loads
// the pinned models, then the others that fit into model_memory, of each what its bare name stands
// for: production, else the newest version. One that fails does not keep others from being loaded.
func (d *DB) Warm(ctx context.Context, models ...string) error {
	ctx, _, end, err := d.begin(ctx)
	if err != nil {
		return wrap(err)
	}
	defer end()
	return wrap(d.engine.Warm(ctx, models))
}
