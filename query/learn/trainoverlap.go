package learn

import (
	"context"
	"fmt"

	"parlance/algo/text"
	"parlance/query/score"
	"parlance/storage/registry"
)

// warnKnown gives a notice if documents of VALIDATE are among the training documents of a model that the new model
// depends on.
func (t *training) warnKnown(ctx context.Context) error {
	if t.valid == nil {
		return nil
	}
	pins := append([]registry.Pin(nil), t.pins...)
	if t.init != nil {
		pins = append(pins, registry.Pin{Name: t.init.Meta.Name, Version: t.init.Meta.Version})
	}
	for _, in := range t.allInputs() {
		for _, m := range in.Models() {
			pins = append(pins, registry.Pin{Name: m.Name, Version: m.Version})
		}
		pins = append(pins, in.TableModels()...)
	}
	known, err := score.Overlaps(t.r, pins)
	if err != nil || len(known) == 0 {
		return err
	}
	err = t.valid.Stored(ctx, nil, func(d *text.Document) {
		for _, o := range known {
			o.Add(d)
		}
	})
	for _, o := range known {
		if share := o.Notice(); share != "" && err == nil {
			t.r.Session.Notice(
				fmt.Sprintf("VALIDATE: %s among those that %s was trained on, which %s depends on: scores on them tell too much",
					share, o.Of, t.name))
		}
	}
	return err
}
