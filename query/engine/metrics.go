package engine

import (
	"encoding/json"
	"strconv"
	"time"

	"parlance/query/meter"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/value"
)

// Metrics returns the metrics of the database in the order of their declarations.
func (e *Engine) Metrics() []meter.Metric {
	out := append(e.Meter.Metrics(), meter.BuildInfo.Of(1, e.Program))
	out = append(out, e.cacheMetrics()...)
	out = append(out, e.activity.metrics()...)
	out = append(out, meter.ConnectionsLimit.Of(float64(e.SystemSettings.Load().Limits.MaxConnections)))
	out = append(out, meter.StatementMemory.Of(float64(e.Pool.Held())))
	out = append(out, e.trainingMetrics()...)
	out = append(out, e.fileMetrics()...)
	out = append(out, e.modelMetrics()...)
	meter.Sort(out)
	return out
}

func (e *Engine) cacheMetrics() []meter.Metric {
	st := e.Store.Cache().Written()
	out := []meter.Metric{meter.CacheLimit.Of(float64(st.Limit)), meter.CacheFailures.Of(float64(st.Failed))}
	for _, m := range st.Models {
		out = append(out, meter.CacheHits.Of(float64(m.Hits), m.Label), meter.CacheMisses.Of(float64(m.Misses), m.Label),
			meter.CacheEntries.Of(float64(m.Entries), m.Label), meter.CacheBytes.Of(float64(m.Bytes), m.Label))
	}
	return out
}

// metrics are the ages of the oldest statement and block.
func (a *activity) metrics() []meter.Metric {
	a.mu.Lock()
	defer a.mu.Unlock()
	statement, block := time.Time{}, time.Time{}
	for s := a.head.next; s != &a.head && statement.IsZero(); s = s.next {
		if !trains(s.stmt) {
			statement = s.started
		}
	}
	for _, b := range a.blocks {
		if block.IsZero() || b.since.Before(block) {
			block = b.since
		}
	}
	return []meter.Metric{meter.OldestStatement.Of(age(statement)), meter.OldestBlock.Of(age(block))}
}

// age is the seconds since t, 0 for the zero time.
func age(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return time.Since(t).Seconds()
}

func (e *Engine) trainingMetrics() []meter.Metric {
	var out []meter.Metric
	live, queued := e.Jobs.Live(), 0
	for _, j := range live {
		if j.State == "queued" {
			queued++
			continue
		}
		id := strconv.FormatUint(j.ID, 10)
		out = append(out, meter.TrainingStep.Of(float64(j.Step), id), meter.TrainingSteps.Of(float64(j.Of), id),
			meter.TrainingObjective.Of(j.Objective, id))
	}
	return append(out, meter.TrainingsRunning.Of(float64(len(live)-queued)), meter.TrainingsQueued.Of(float64(queued)))
}

func (e *Engine) fileMetrics() []meter.Metric {
	f := e.Store.Statistics()
	out := []meter.Metric{
		meter.FileBytes.Of(float64(f.FileBytes)), meter.FileFreeBytes.Of(float64(f.FreeBytes)),
		meter.FilePendingBytes.Of(float64(f.PendingBytes)),
		meter.FileOpened.Of(seconds(e.opened)), meter.FilesOpen.Of(float64(e.reloads.open.Load())),
		meter.ReloadsTotal.Of(float64(e.reloads.done.Load()), "done"),
		meter.ReloadsTotal.Of(float64(e.reloads.refused.Load()), "refused"),
		meter.ReadsTotal.Of(float64(f.Reads)), meter.ReadsOpen.Of(float64(f.OpenReads)),
		meter.WritesTotal.Of(float64(f.Writes)), meter.WriteSeconds.Of(f.WriteTime.Seconds()),
		meter.SegmentHits.Of(float64(f.SegmentHits)), meter.SegmentMisses.Of(float64(f.SegmentMisses)),
		meter.SegmentBytes.Of(float64(f.SegmentBytes)),
		meter.SnapshotsOpen.Of(float64(f.Snapshots)), meter.CleanFailures.Of(float64(f.CleanFailures)),
	}
	modified := 0.0
	if e.Store.ReadOnly() {
		modified = seconds(e.Store.Modified())
	}
	out = append(out, meter.FileModified.Of(modified))
	for _, k := range []catalog.ObjectKind{catalog.CorpusObject, catalog.GazetteerObject, catalog.LexiconObject,
		catalog.KBObject, catalog.FeaturesObject, catalog.ModelObject} {
		out = append(out, meter.Objects.Of(float64(f.Objects[k]), string(k)))
	}
	return out
}

// seconds is a time in seconds since 1970.
func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func (e *Engine) modelMetrics() []meter.Metric {
	count, bytes := e.Models.Loaded()
	return []meter.Metric{meter.LoadedModels.Of(float64(count)), meter.LoadedBytes.Of(float64(bytes)),
		meter.ModelMemory.Of(float64(e.SystemSettings.Load().ModelBytes()))}
}

var metricColumns = []plan.Column{{Name: "name", Type: value.Text}, {Name: "labels", Type: value.JSON},
	{Name: "value", Type: value.Float}}

// metricRows are the rows of system.metrics. A histogram has rows for sum, count and its cumulative buckets, without
// empty ones.
func metricRows(r *execution) ([][]value.Value, error) {
	var out [][]value.Value
	add := func(name string, labels []meter.Label, v float64) {
		out = append(out, []value.Value{value.Str(name), labelsJSON(labels), value.Real(v)})
	}
	for _, m := range r.engine.Metrics() {
		labels := m.Pairs()
		if m.Type != meter.Histogram {
			add(m.Name, labels, m.Value)
			continue
		}
		last := uint64(0)
		for _, b := range m.Buckets {
			if b.Count == last {
				continue
			}
			last = b.Count
			add(m.Name+"_bucket", append(labels, meter.Label{Name: "le", Value: strconv.FormatFloat(b.Bound, 'g', -1, 64)}),
				float64(b.Count))
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
		name, _ := json.Marshal(l.Name) // a string has no error
		val, _ := json.Marshal(l.Value)
		b = append(append(append(b, name...), ": "...), val...)
	}
	return value.Value{T: value.JSON, S: string(append(b, '}'))}
}
