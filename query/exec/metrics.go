package exec

import (
	"encoding/json"
	"strconv"
	"time"

	"parlance/algo/text"
	"parlance/query/meter"
	"parlance/query/plan"
	"parlance/storage"
	"parlance/storage/value"
)

// Metrics returns the figures of the database in the order of their declarations.
func (e *Engine) Metrics() []meter.Metric {
	out := append(e.Meter.Metrics(), meter.BuildInfo.Of(1, e.Program))
	out = append(out, e.cacheMetrics()...)
	out = append(out, e.trainingMetrics()...)
	out = append(out, e.fileMetrics()...)
	n, bytes := e.loadedModels()
	out = append(out, meter.LoadedModels.Of(float64(n)), meter.LoadedBytes.Of(float64(bytes)))
	meter.Sort(out)
	return out
}

// annotated counts a unit that a model has annotated since start.
func (r *run) annotated(m *configured, u []*text.Document, start time.Time) {
	tokens := 0
	for _, d := range u {
		if l := d.Layer("tokens"); l != nil {
			tokens += l.N
		}
	}
	r.Meter.Models.Of(m.label).Annotated(len(u), tokens, time.Since(start))
}

func (e *Engine) cacheMetrics() []meter.Metric {
	st := e.Store.Cache().Stats()
	out := []meter.Metric{meter.CacheLimit.Of(float64(st.Limit))}
	for _, m := range st.Models {
		out = append(out, meter.CacheHits.Of(float64(m.Hits), m.Label), meter.CacheMisses.Of(float64(m.Misses), m.Label),
			meter.CacheEntries.Of(float64(m.Entries), m.Label), meter.CacheBytes.Of(float64(m.Bytes), m.Label))
	}
	return out
}

func (e *Engine) trainingMetrics() []meter.Metric {
	e.jobs.mu.Lock()
	defer e.jobs.mu.Unlock()
	out := []meter.Metric{meter.TrainingsRunning.Of(float64(len(e.jobs.live)))}
	for id, l := range e.jobs.live {
		job := strconv.FormatUint(id, 10)
		out = append(out, meter.TrainingStep.Of(float64(l.job.Step), job), meter.TrainingSteps.Of(float64(l.job.Of), job),
			meter.TrainingObjective.Of(l.job.Objective, job))
	}
	return out
}

func (e *Engine) fileMetrics() []meter.Metric {
	f := e.Store.Figures()
	out := []meter.Metric{
		meter.FileBytes.Of(float64(f.FileBytes)), meter.FileFreeBytes.Of(float64(f.FreeBytes)), meter.FilePendingBytes.Of(float64(f.PendingBytes)),
		meter.ReadsTotal.Of(float64(f.Reads)), meter.ReadsOpen.Of(float64(f.OpenReads)),
		meter.WritesTotal.Of(float64(f.Writes)), meter.WriteSeconds.Of(f.WriteTime.Seconds()),
		meter.SegmentHits.Of(float64(f.SegmentHits)), meter.SegmentMisses.Of(float64(f.SegmentMisses)), meter.SegmentBytes.Of(float64(f.SegmentBytes)),
		meter.SnapshotsOpen.Of(float64(f.Snapshots)),
	}
	for _, k := range []storage.ObjectKind{storage.CorpusObject, storage.GazetteerObject, storage.LexiconObject, storage.FeaturesObject, storage.ModelObject} {
		out = append(out, meter.Objects.Of(float64(f.Objects[k]), string(k)))
	}
	return out
}

// loadedModels is the number of model versions in memory and their bytes.
func (e *Engine) loadedModels() (n int, bytes int64) {
	e.models.mu.Lock()
	defer e.models.mu.Unlock()
	for _, l := range e.models.m {
		bytes += l.bytes
	}
	return len(e.models.m), bytes
}

var metricColumns = []plan.Column{{Name: "name", Type: value.Text}, {Name: "labels", Type: value.JSON}, {Name: "value", Type: value.Float}}

// metricRows lists the metrics; a histogram has a row for each bucket, cumulative, and rows
// for sum and count.
func metricRows(r *run) ([][]value.Value, error) {
	var out [][]value.Value
	add := func(name string, labels []meter.Label, v float64) {
		out = append(out, []value.Value{value.Str(name), labelsJSON(labels), value.Real(v)})
	}
	for _, m := range r.Metrics() {
		labels := m.Pairs()
		if m.Type != meter.Histogram {
			add(m.Name, labels, m.Value)
			continue
		}
		for _, b := range m.Buckets {
			add(m.Name+"_bucket", append(labels, meter.Label{Name: "le", Value: strconv.FormatFloat(b.Bound, 'g', -1, 64)}), float64(b.Count))
		}
		add(m.Name+"_sum", labels, m.Sum)
		add(m.Name+"_count", labels, float64(m.Count))
	}
	return out, nil
}

func labelsJSON(labels []meter.Label) value.Value {
	b := []byte{'{'}
	for i, l := range labels {
		if i > 0 {
			b = append(b, ", "...)
		}
		name, _ := json.Marshal(l.Name) // strings always can
		val, _ := json.Marshal(l.Value)
		b = append(append(append(b, name...), ": "...), val...)
	}
	return value.Value{T: value.JSON, S: string(append(b, '}'))}
}
