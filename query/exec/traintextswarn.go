package exec

import (
	"context"
	"fmt"

	"parlance/algo/text"
	"parlance/storage"
)

// warnKnown gives a notice where documents of VALIDATE are among those that a model was trained on which the
// new one depends on.
func (t *training) warnKnown(ctx context.Context) error {
	if t.valid == nil {
		return nil
	}
	pins := append([]storage.Pin(nil), t.pins...)
	if t.init != nil {
		pins = append(pins, storage.Pin{Name: t.init.meta.Name, Version: t.init.meta.Version})
	}
	for _, in := range t.allInputs() {
		for _, m := range in.models() {
			pins = append(pins, storage.Pin{Name: m.Name, Version: m.Version})
		}
		pins = append(pins, in.tableModels()...)
	}
	known, err := t.r.overlaps(pins)
	if err != nil || len(known) == 0 {
		return err
	}
	err = t.valid.stored(ctx, nil, func(d *text.Document) {
		for _, o := range known {
			o.Add(d.Text)
		}
	})
	for _, o := range known {
		if share := o.shared(); share != "" && err == nil {
			t.r.Session.Notice(fmt.Sprintf("VALIDATE: %s among those that %s was trained on, which %s depends on: scores on them tell too much", share, o.of, t.name))
		}
	}
	return err
}
