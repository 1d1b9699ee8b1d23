package registry

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"time"

	"parlance/storage/dbfile"
	"parlance/storage/sealed"
)

// Job is a training.
type Job struct {
	ID        uint64    `json:"id"` // from 1
	Statement string    `json:"statement"`
	User      string    `json:"user,omitempty"` // who started it or went on with it last
	State     string    `json:"state"`          // running, done, failed, cancelled, interrupted
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended"`
	Step      int       `json:"step"`
	Of        int       `json:"of"`
	Objective float64   `json:"objective"`
	Note      string    `json:"note"`
	Error     string    `json:"error"`
}

// keptJobs is the number of jobs that are stored; older ones are deleted.
const keptJobs = 200

func jobKey(id uint64) []byte { return binary.BigEndian.AppendUint64([]byte("job/"), id) }

func checkpointPrefix(id uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte("checkpoint/"), id)
}

// readJobs reads the jobs. Jobs that were running when the process was killed become interrupted.
func (r *Registry) readJobs() error {
	r.jobs = map[uint64]Job{}
	var orphans []Job
	err := r.file.View(func(tx *sealed.Tx) error {
		c := tx.Bucket(dbfile.Job).Cursor()
		for k, v := c.Seek([]byte("job/")); len(k) == 12 && string(k[:4]) == "job/"; k, v = c.Next() {
			var j Job
			if err := json.Unmarshal(v, &j); err != nil {
				return fmt.Errorf("%w: job", dbfile.ErrCorrupt)
			}
			if j.State == "running" {
				j.State, j.Ended = "interrupted", time.Now().UTC().Truncate(time.Microsecond)
				orphans = append(orphans, j)
			}
			r.jobs[j.ID] = j
			r.lastJob = max(r.lastJob, j.ID)
		}
		return nil
	})
	if err != nil || r.file.ReadOnly() {
		return err
	}
	for _, j := range orphans {
		if err := r.UpdateJob(j); err != nil {
			return err
		}
	}
	return nil
}

// MarshalJSON writes an objective that JSON has no number for as text.
func (j Job) MarshalJSON() ([]byte, error) {
	type plain Job
	return json.Marshal(struct {
		plain
		Objective number `json:"objective"`
	}{plain(j), number(j.Objective)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (j *Job) UnmarshalJSON(raw []byte) error {
	type plain Job
	var in struct {
		plain
		Objective number `json:"objective"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	*j = Job(in.plain)
	j.Objective = float64(in.Objective)
	return nil
}

// NewJob registers a running job.
func (r *Registry) NewJob(user, statement string) (Job, error) {
	r.mu.Lock()
	r.lastJob++
	j := Job{ID: r.lastJob, Statement: statement, User: user, State: "running",
		Started: time.Now().UTC().Truncate(time.Microsecond)}
	old := uint64(0)
	if j.ID > keptJobs {
		old = j.ID - keptJobs
	}
	r.mu.Unlock()
	if err := r.UpdateJob(j); err != nil {
		return j, err
	}
	if old == 0 {
		return j, nil
	}
	r.mu.Lock()
	forgotten, ok := r.jobs[old]
	if ok && forgotten.State != "running" {
		delete(r.jobs, old)
	}
	r.mu.Unlock()
	if !ok || forgotten.State == "running" {
		return j, nil
	}
	if err := r.DropCheckpoint(old); err != nil {
		return j, err
	}
	return j, r.file.Update(func(tx *sealed.Tx) error { return tx.Bucket(dbfile.Job).Delete(jobKey(old)) })
}

// UpdateJob stores the state of a job.
func (r *Registry) UpdateJob(j Job) error {
	raw, err := json.Marshal(j)
	if err != nil {
		return err
	}
	err = r.file.Update(func(tx *sealed.Tx) error { return tx.Bucket(dbfile.Job).Put(jobKey(j.ID), raw) })
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.jobs[j.ID] = j
	r.mu.Unlock()
	return nil
}

// Jobs returns the jobs, the newest last.
func (r *Registry) Jobs() []Job {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := make([]Job, 0, len(r.jobs))
	for _, j := range r.jobs {
		out = append(out, j)
	}
	sort.Slice(out, func(i, k int) bool { return out[i].ID < out[k].ID })
	return out
}

// Job returns one job.
func (r *Registry) Job(id uint64) (Job, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	j, ok := r.jobs[id]
	return j, ok
}

// SaveCheckpoint stores the state of a job in place of the one before, which is kept until the new one is whole. write
// passes pieces of sections to put, all of one section before those of another; what it passes is not kept.
func (r *Registry) SaveCheckpoint(
	ctx context.Context, id uint64, write func(put func(section string, piece []byte) error) error,
) error {
	current, err := r.checkpointNumber(id)
	if err != nil {
		return err
	}
	next := current + 1
	// Remove sections of an aborted checkpoint of the same number.
	if err := r.file.DeletePrefix(ctx, dbfile.Job, checkpointNumberPrefix(id, next)); err != nil {
		return err
	}
	w := &checkpointWriter{ctx: ctx, r: r, prefix: checkpointNumberPrefix(id, next)}
	if err := write(w.put); err != nil {
		return err
	}
	w.end()
	w.batch = append(w.batch, dbfile.Pair{Key: checkpointPrefix(id), Value: binary.BigEndian.AppendUint64(nil, next)})
	if err := w.flush(); err != nil || current == 0 {
		return err
	}
	return r.file.DeletePrefix(ctx, dbfile.Job, checkpointNumberPrefix(id, current))
}

// checkpointWriter cuts the sections of a checkpoint into chunks, and writes some together.
type checkpointWriter struct {
	ctx     context.Context
	r       *Registry
	prefix  []byte
	section string
	open    bool
	chunk   int    // of the section, the next one
	buf     []byte // of that chunk
	batch   []dbfile.Pair
	size    int
}

func (w *checkpointWriter) put(section string, p []byte) error {
	if section != w.section || !w.open {
		w.end()
		w.section, w.open, w.chunk = section, true, 0
	}
	for len(p) > 0 {
		if w.buf == nil {
			w.buf = make([]byte, 0, weightsChunk)
		}
		n := min(len(p), weightsChunk-len(w.buf))
		w.buf, p = append(w.buf, p[:n]...), p[n:]
		if len(w.buf) < weightsChunk {
			break
		}
		w.add()
		if w.size >= dbfile.TransactionBytes {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// end adds the last chunk of the open section; an empty section has one.
func (w *checkpointWriter) end() {
	if w.open && (len(w.buf) > 0 || w.chunk == 0) {
		w.add()
	}
	w.open = false
}

func (w *checkpointWriter) add() {
	w.batch = append(w.batch, dbfile.Pair{Key: checkpointKey(w.prefix, w.section, w.chunk), Value: w.buf})
	w.size += len(w.buf)
	w.chunk++
	w.buf = nil
}

func (w *checkpointWriter) flush() error {
	slices.SortFunc(w.batch, func(a, b dbfile.Pair) int { return bytes.Compare(a.Key, b.Key) })
	err := w.r.putCheckpoint(w.ctx, w.batch)
	w.batch, w.size = w.batch[:0], 0
	return err
}

func (r *Registry) putCheckpoint(ctx context.Context, batch []dbfile.Pair) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.file.Update(func(tx *sealed.Tx) error { return dbfile.PutPairs(tx.Bucket(dbfile.Job), batch) })
}

func checkpointNumberPrefix(id, number uint64) []byte {
	return binary.BigEndian.AppendUint64(append(checkpointPrefix(id), '/'), number)
}

func checkpointKey(prefix []byte, section string, chunk int) []byte {
	k := append(slices.Clone(prefix), section...)
	return binary.BigEndian.AppendUint32(append(k, 0), uint32(chunk))
}

func (r *Registry) checkpointNumber(id uint64) (n uint64, err error) {
	err = r.file.View(func(tx *sealed.Tx) error {
		if v := tx.Bucket(dbfile.Job).Get(checkpointPrefix(id)); len(v) == 8 {
			n = binary.BigEndian.Uint64(v)
		}
		return nil
	})
	return n, err
}

// LoadCheckpoint reads the sections of a job's checkpoint; dbfile.ErrNotFound if there is none.
func (r *Registry) LoadCheckpoint(id uint64) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := r.file.View(func(tx *sealed.Tx) error {
		v := tx.Bucket(dbfile.Job).Get(checkpointPrefix(id))
		if len(v) != 8 {
			return fmt.Errorf("checkpoint of job %d %w", id, dbfile.ErrNotFound)
		}
		prefix := checkpointNumberPrefix(id, binary.BigEndian.Uint64(v))
		c := tx.Bucket(dbfile.Job).Cursor()
		for k, v := c.Seek(prefix); len(k) >= len(prefix)+5 && string(k[:len(prefix)]) == string(prefix); k, v = c.Next() {
			name := string(k[len(prefix) : len(k)-5])
			out[name] = append(out[name], v...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// DropCheckpoint deletes the checkpoint of a job, if there is one.
func (r *Registry) DropCheckpoint(id uint64) error {
	return r.file.DeletePrefix(context.Background(), dbfile.Job, checkpointPrefix(id))
}
