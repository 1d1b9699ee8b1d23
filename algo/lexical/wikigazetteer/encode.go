package wikigazetteer

import "parlance/algo/kind"

// Encode writes pages, entries and counts.
func (m *model) Encode(w *kind.Writer) error {
	columns := make([][]string, 6)
	how := make([]byte, len(m.pages))
	for i := range m.pages {
		p := &m.pages[i]
		for k, s := range []string{p.title, p.redirect, p.sentence, p.phrase, p.label, p.coarse} {
			columns[k] = append(columns[k], s)
		}
		how[i] = byte(p.outcome)
	}
	for k, name := range pageColumns {
		if err := w.Strings(name, columns[k]); err != nil {
			return err
		}
	}
	if err := w.Bytes("outcomes", how); err != nil {
		return err
	}
	phrases, places, sources := make([]string, len(m.entries)), make([]uint32, len(m.entries)),
		make([]byte, len(m.entries))
	for i, e := range m.entries {
		phrases[i], places[i], sources[i] = e.phrase, e.page, byte(e.source)
	}
	if err := w.Strings("phrases", phrases); err != nil {
		return err
	}
	if err := w.Uint32s("places", places); err != nil {
		return err
	}
	if err := w.Bytes("sources", sources); err != nil {
		return err
	}
	names, counts := make([]string, len(m.counts)), make([]uint64, len(m.counts))
	for i, s := range m.counts {
		names[i], counts[i] = s.name, uint64(s.count)
	}
	if err := w.Strings("counted", names); err != nil {
		return err
	}
	return w.Uint64s("counts", counts)
}

// pageColumns are the sections with a text a page.
var pageColumns = []string{"titles", "redirects", "sentences", "noun_phrases", "labels", "coarse"}

// Decode reads what Encode wrote.
func (m *model) Decode(r *kind.Reader) error {
	if err := m.decodePages(r); err != nil {
		return err
	}
	if err := m.decodeEntries(r); err != nil {
		return err
	}
	names, err := r.Strings("counted")
	if err != nil {
		return err
	}
	counts, err := r.Uint64s("counts")
	if err != nil {
		return err
	}
	if len(counts) != len(names) {
		return kind.Corrupt("counts", "has not one number a name")
	}
	for i, n := range names {
		m.counts = append(m.counts, statistic{n, int(counts[i])})
	}
	return nil
}

func (m *model) decodePages(r *kind.Reader) error {
	how, err := r.Bytes("outcomes")
	if err != nil {
		return err
	}
	m.pages = make([]page, len(how))
	for k, name := range pageColumns {
		list, err := r.Strings(name)
		if err != nil {
			return err
		}
		if len(list) != len(how) {
			return kind.Corrupt(name, "has not one text a page")
		}
		for i, s := range list {
			p := &m.pages[i]
			*[]*string{&p.title, &p.redirect, &p.sentence, &p.phrase, &p.label, &p.coarse}[k] = s
		}
	}
	for i, b := range how {
		if b >= byte(outcomes) {
			return kind.Corrupt("outcomes", "has an unknown outcome")
		}
		m.pages[i].outcome = outcome(b)
	}
	return nil
}

func (m *model) decodeEntries(r *kind.Reader) error {
	phrases, err := r.Strings("phrases")
	if err != nil {
		return err
	}
	places, err := r.Uint32s("places")
	if err != nil {
		return err
	}
	sources, err := r.Bytes("sources")
	if err != nil {
		return err
	}
	if len(places) != len(phrases) || len(sources) != len(phrases) {
		return kind.Corrupt("places", "has not one page a phrase")
	}
	m.entries = make([]entry, len(phrases))
	for i, s := range phrases {
		e := entry{s, places[i], source(sources[i])}
		if int(e.page) >= len(m.pages) || e.source > ofGivenName {
			return kind.Corrupt("places", "has a page out of range or an unknown source")
		}
		m.entries[i] = e
	}
	return nil
}
