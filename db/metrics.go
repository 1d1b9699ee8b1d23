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
	_, _, in, err := d.begin(context.Background(), nil)
	if err != nil {
		return nil
	}
	defer in.end()
	return in.file.engine.Metrics()
}

// Network returns what counts the connections of clients to this database.
func (d *DB) Network() *Network { return &d.now().Meter.Network }

// Warm loads models, so that the first statement that uses one need not, with the gazetteers
// and lexicons that they read. A name is name, name@version or name@alias. Without names it loads
// the pinned models, then the others that fit into model_memory, of each what its bare name stands
// for: production, else the newest version. One that fails does not keep others from being loaded.
func (d *DB) Warm(ctx context.Context, models ...string) error {
	ctx, _, in, err := d.begin(ctx, nil)
	if err != nil {
		return wrap(err)
	}
	defer in.end()
	return wrap(in.file.engine.Warm(ctx, models))
}
