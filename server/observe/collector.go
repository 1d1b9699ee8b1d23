package observe

import (
	"parlance/db"

	"github.com/prometheus/client_golang/prometheus"
)

// collector gives the metrics of a database to Prometheus.
type collector struct {
	d     *db.DB
	descs map[*db.MetricFamily]*prometheus.Desc
}

func newCollector(d *db.DB) *collector {
	c := &collector{d: d, descs: map[*db.MetricFamily]*prometheus.Desc{}}
	for _, f := range db.MetricFamilies() {
		c.descs[f] = prometheus.NewDesc(f.Name, f.Help, f.Labels, nil)
	}
	return c
}

// Describe sends the declarations.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		out <- d
	}
}

// Collect sends the present figures.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	for _, m := range c.d.Metrics() {
		p, err := c.convert(m)
		if err != nil {
			p = prometheus.NewInvalidMetric(c.descs[m.Family], err)
		}
		out <- p
	}
}

func (c *collector) convert(m db.Metric) (prometheus.Metric, error) {
	d := c.descs[m.Family]
	switch m.Type {
	case db.Histogram:
		buckets := make(map[float64]uint64, len(m.Buckets))
		for _, b := range m.Buckets {
			buckets[b.Bound] = b.Count
		}
		return prometheus.NewConstHistogram(d, m.Count, m.Sum, buckets, m.Values...)
	case db.Counter:
		return prometheus.NewConstMetric(d, prometheus.CounterValue, m.Value, m.Values...)
	}
	return prometheus.NewConstMetric(d, prometheus.GaugeValue, m.Value, m.Values...)
}
