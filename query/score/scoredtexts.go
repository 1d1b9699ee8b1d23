package score

import (
	"fmt"

	"parlance/algo/check"
	"parlance/query/exec"
	"parlance/query/models"
	"parlance/storage"
)

// leastShare is the share of documents known from training below which nothing is said: texts that
// come again by chance are in every corpus.
const leastShare = 0.01

// overlap counts the documents that a version was trained on among those that are scored.
type overlap struct {
	Of string // the version
	*check.Overlap
}

// Overlaps begins to count for versions of models and for all that they were made with: models that they
// start from, look into, or that annotated what they learned from, and so on. Each comes once, those
// given first.
func Overlaps(r *exec.Execution, pins []storage.Pin) (out []overlap, err error) {
	seen := map[models.Key]bool{}
	for len(pins) > 0 {
		p := pins[0]
		pins = pins[1:]
		if k := (models.Key{Name: p.Name, Version: p.Version}); seen[k] {
			continue
		} else {
			seen[k] = true
		}
		v, ok := r.Store.ModelVersion(p.Name, p.Version)
		if !ok {
			continue
		}
		pins = append(pins[:len(pins):len(pins)], v.Upstream...)
		if len(v.Texts) == 0 {
			continue
		}
		o := overlap{Of: fmt.Sprintf("%s@%d", v.Name, v.Version)}
		if o.Overlap, err = check.NewOverlap(v.Texts); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", storage.ErrCorrupt, o.Of, err)
		}
		out = append(out, o)
	}
	return out, nil
}

// Shared tells which of the documents a version was trained on, "" where they are too few.
func (o *overlap) Shared() string {
	if o.Held == 0 || float64(o.Held) < leastShare*float64(o.Compared) {
		return ""
	}
	what := "documents"
	if o.Short > 0 {
		what = "documents that are long enough to tell"
	}
	switch {
	case o.Held == o.Compared:
		return "the " + what + " are"
	case !o.Whole():
		return fmt.Sprintf("about %.0f %% of the %s are", 100*float64(o.Held)/float64(o.Compared), what)
	}
	return fmt.Sprintf("%d of %d %s are", o.Held, o.Compared, what)
}

// compareTexts counts the documents that are scored and that a model was trained on, or one that it
// depends on.
func (s *scored) compareTexts(r *exec.Execution) (err error) {
	pins := []storage.Pin{{Name: s.use.Name, Version: s.use.Version}}
	for _, m := range s.in.Models() {
		pins = append(pins, storage.Pin{Name: m.Name, Version: m.Version})
	}
	s.known, err = Overlaps(r, pins)
	return err
}

// warnKnown gives a notice where a model was trained on what it is scored on; of those that it depends on,
// where they know more of it.
func (s *scored) warnKnown(r *exec.Execution) {
	self, most := fmt.Sprintf("%s@%d", s.use.Name, s.use.Version), 0
	for _, o := range s.known {
		share := o.Shared()
		switch {
		case share == "":
		case o.Of == self:
			most = o.Held
			r.Session.Notice(fmt.Sprintf("%s among those that %s was trained on: its scores on them tell too much", share, s.label))
		case o.Held > most:
			r.Session.Notice(fmt.Sprintf("%s among those that %s was trained on, which %s depends on: its scores on them tell too much", share, o.Of, s.label))
		}
	}
}
