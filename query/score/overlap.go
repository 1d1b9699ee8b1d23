package score

import (
	"fmt"

	"parlance/algo/check"
	"parlance/algo/text"
	"parlance/query/exec"
	"parlance/query/models"
	"parlance/storage"
	"parlance/storage/registry"
)

// minOverlapShare is the share of training documents among the scored ones from which a notice is given. Every corpus
// has some texts that repeat by chance.
const minOverlapShare = 0.01

// overlap counts the scored documents that a version was trained on: by their identity, and by texts, which stand in
// other corpora under other ids.
type overlap struct {
	Of               string // the version
	texts, documents *check.Overlap
}

// Add counts a document.
func (o *overlap) Add(d *text.Document) {
	o.texts.Add(d.Text)
	o.documents.AddDocument(d.ID, d.Text)
}

// most is the counts that tell more: those by texts where they find a larger share.
func (o *overlap) most() *check.Overlap {
	if share(o.texts) > share(o.documents) {
		return o.texts
	}
	return o.documents
}

// share is that of the documents among those that can be compared.
func share(o *check.Overlap) float64 {
	if o.Compared == 0 {
		return 0
	}
	return float64(o.Held) / float64(o.Compared)
}

// Overlaps returns empty counts for versions of models and all versions that they depend on: those that they start
// from, name in options, or learn predictions of. Each comes once, the given ones first.
func Overlaps(r *exec.Execution, pins []registry.Pin) (out []overlap, err error) {
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
		if len(v.Texts)+len(v.Documents) == 0 {
			continue
		}
		o := overlap{Of: fmt.Sprintf("%s@%d", v.Name, v.Version)}
		if o.texts, err = check.NewOverlap(v.Texts); err == nil {
			o.documents, err = check.NewOverlap(v.Documents)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", storage.ErrCorrupt, o.Of, err)
		}
		out = append(out, o)
	}
	return out, nil
}

// Notice tells how many of the documents a version was trained on, "" if they are too few.
func (o *overlap) Notice() string {
	most := o.most()
	if most.Held == 0 || share(most) < minOverlapShare {
		return ""
	}
	what := "documents"
	if most.Short > 0 {
		what = "documents that are long enough to tell"
	}
	switch {
	case most.Held == most.Compared:
		return "the " + what + " are"
	case !most.Whole():
		return fmt.Sprintf("about %.0f %% of the %s are", 100*share(most), what)
	}
	return fmt.Sprintf("%d of %d %s are", most.Held, most.Compared, what)
}

// countOverlaps counts the scored documents that a model, or a model that it depends on, was trained on.
func (s *scoredItem) countOverlaps(r *exec.Execution) (err error) {
	pins := []registry.Pin{{Name: s.use.Name, Version: s.use.Version}}
	for _, m := range s.in.Models() {
		pins = append(pins, registry.Pin{Name: m.Name, Version: m.Version})
	}
	s.overlaps, err = Overlaps(r, pins)
	return err
}

// warnKnown gives a notice if a model was trained on scored documents, and for each model that it depends on if that
// was trained on more of them.
func (s *scoredItem) warnKnown(r *exec.Execution) {
	self, most := fmt.Sprintf("%s@%d", s.use.Name, s.use.Version), 0
	for _, o := range s.overlaps {
		share := o.Notice()
		switch {
		case share == "":
		case o.Of == self:
			most = o.most().Held
			r.Session.Notice(fmt.Sprintf("%s among those that %s was trained on: its scores on them tell too much",
				share, s.label))
		case o.most().Held > most:
			r.Session.Notice(
				fmt.Sprintf("%s among those that %s was trained on, which %s depends on: its scores on them tell too much", share,
					o.Of, s.label))
		}
	}
}
