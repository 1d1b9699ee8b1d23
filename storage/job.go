package storage

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"go.etcd.io/bbolt"
)

// Job is a training.
type Job struct {
	ID        uint64    `json:"id"` // from 1
	Statement string    `json:"statement"`
	State     string    `json:"state"` // running, done, failed, cancelled, interrupted
	Started   time.Time `json:"started"`
	Ended     time.Time `json:"ended"`
	Step      int       `json:"step"`
	Of        int       `json:"of"`
	Objective float64   `json:"objective"`
	Note      string    `json:"note"`
	Error     string    `json:"error"`
}

// keptJobs is the number of jobs that are remembered.
const keptJobs = 200

func jobKey(id uint64) []byte { return binary.BigEndian.AppendUint64([]byte("job/"), id) }

func checkpointPrefix(id uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte("checkpoint/"), id)
}

// readJobs reads the jobs; those that a killed process left running become interrupted.
func (s *Store) readJobs() error {
	s.jobs = map[uint64]Job{}
	var orphans []Job
	err := s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketJob).Cursor()
		for k, v := c.Seek([]byte("job/")); len(k) == 12 && string(k[:4]) == "job/"; k, v = c.Next() {
			var j Job
			if err := json.Unmarshal(v, &j); err != nil {
				return fmt.Errorf("%w: job", ErrCorrupt)
			}
			if j.State == "running" {
				j.State = "interrupted"
				orphans = append(orphans, j)
			}
			s.jobs[j.ID] = j
			s.lastJob = max(s.lastJob, j.ID)
		}
		return nil
	})
	if err != nil || s.readOnly {
		return err
	}
	for _, j := range orphans {
		if err := s.UpdateJob(j); err != nil {
			return err
		}
	}
	return nil
}

// NewJob registers a running job.
func (s *Store) NewJob(statement string) (Job, error) {
	s.mu.Lock()
	s.lastJob++
	j := Job{ID: s.lastJob, Statement: statement, State: "running", Started: time.Now().UTC().Truncate(time.Microsecond)}
	old := uint64(0)
	if j.ID > keptJobs {
		old = j.ID - keptJobs
	}
	s.mu.Unlock()
	if err := s.UpdateJob(j); err != nil {
		return j, err
	}
	if old == 0 {
		return j, nil
	}
	s.mu.Lock()
	forgotten, ok := s.jobs[old]
	if ok && forgotten.State != "running" {
		delete(s.jobs, old)
	}
	s.mu.Unlock()
	if !ok || forgotten.State == "running" {
		return j, nil
	}
	if err := s.DropCheckpoint(old); err != nil {
		return j, err
	}
	return j, s.update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketJob).Delete(jobKey(old)) })
}

// UpdateJob keeps the state of a job.
func (s *Store) UpdateJob(j Job) error {
	raw, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := s.update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketJob).Put(jobKey(j.ID), raw) }); err != nil {
		return err
	}
	s.mu.Lock()
	s.jobs[j.ID] = j
	s.mu.Unlock()
	return nil
}

// Jobs returns the jobs, the newest last.
func (s *Store) Jobs() []Job {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]Job, 0, len(s.jobs))
	for _, j := range s.jobs {
		out = append(out, j)
	}
	sort.Slice(out, func(i, k int) bool { return out[i].ID < out[k].ID })
	return out
}

// Job returns one job.
func (s *Store) Job(id uint64) (Job, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	j, ok := s.jobs[id]
	return j, ok
}

// SaveCheckpoint puts sections in the place of an earlier checkpoint of the job. They are
// written in chunks under a new number, which the last transaction makes the valid one.
func (s *Store) SaveCheckpoint(ctx context.Context, id uint64, sections map[string][]byte) error {
	current, err := s.checkpointNumber(id)
	if err != nil {
		return err
	}
	next := current + 1
	names := make([]string, 0, len(sections))
	for n := range sections {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		data := sections[n]
		for chunk := 0; chunk == 0 || chunk*weightsChunk < len(data); chunk++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := data[chunk*weightsChunk : min(len(data), (chunk+1)*weightsChunk)]
			err := s.update(func(tx *bbolt.Tx) error {
				return tx.Bucket(bucketJob).Put(checkpointKey(id, next, n, chunk), part)
			})
			if err != nil {
				return err
			}
		}
	}
	err = s.update(func(tx *bbolt.Tx) error {
		return tx.Bucket(bucketJob).Put(checkpointPrefix(id), binary.BigEndian.AppendUint64(nil, next))
	})
	if err != nil || current == 0 {
		return err
	}
	return s.deletePrefix(ctx, bucketJob, binary.BigEndian.AppendUint64(append(checkpointPrefix(id), '/'), current))
}

func checkpointKey(id, number uint64, section string, chunk int) []byte {
	k := binary.BigEndian.AppendUint64(append(checkpointPrefix(id), '/'), number)
	return be32(append(append(k, section...), 0), uint32(chunk))
}

func (s *Store) checkpointNumber(id uint64) (n uint64, err error) {
	err = s.view(func(tx *bbolt.Tx) error {
		if v := tx.Bucket(bucketJob).Get(checkpointPrefix(id)); len(v) == 8 {
			n = binary.BigEndian.Uint64(v)
		}
		return nil
	})
	return n, err
}

// LoadCheckpoint reads the sections of a job's checkpoint; ErrNotFound if there is none.
func (s *Store) LoadCheckpoint(id uint64) (map[string][]byte, error) {
	n, err := s.checkpointNumber(id)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("checkpoint of job %d %w", id, ErrNotFound)
	}
	out := map[string][]byte{}
	prefix := binary.BigEndian.AppendUint64(append(checkpointPrefix(id), '/'), n)
	err = s.view(func(tx *bbolt.Tx) error {
		c := tx.Bucket(bucketJob).Cursor()
		for k, v := c.Seek(prefix); len(k) > len(prefix)+5 && string(k[:len(prefix)]) == string(prefix); k, v = c.Next() {
			name := string(k[len(prefix) : len(k)-5])
			out[name] = append(out[name], v...)
		}
		return nil
	})
	return out, err
}

// DropCheckpoint deletes the checkpoint of a job, if there is one.
func (s *Store) DropCheckpoint(id uint64) error {
	return s.deletePrefix(context.Background(), bucketJob, checkpointPrefix(id))
}
