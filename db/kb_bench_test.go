package db

import "testing"

// BenchmarkLoadWordNet loads all files of WordNet with the default relations.
func BenchmarkLoadWordNet(b *testing.B) {
	for range b.N {
		d, err := Open("", Options{})
		if err != nil {
			b.Fatal(err)
		}
		c := d.Conn()
		if err := c.Script(b.Context(), "CREATE KB wn; LOAD '/usr/share/wordnet' INTO wn FORMAT wordnet", nil); err != nil {
			b.Skipf("WordNet is not installed: %v", err)
		}
		c.Wire().Release()
		d.Close()
	}
}
