package repl

import (
	"fmt"
	"io"
	"time"

	"parlance/db"
)

// shardProgress shows on standard error how the annotation of shards goes on: in a terminal in a line that is written
// over; elsewhere, if it is asked for, in lines, one at the end of each shard. Faults and notices are always shown.
type shardProgress struct {
	w     io.Writer
	bar   *bar
	asked bool
	total int
	told  map[string]bool // notices, which most shards share

	number int
	shard  string
	began  time.Time
}

func newShardProgress(w io.Writer, asked bool, total int) *shardProgress {
	return &shardProgress{w: w, bar: newBar(w), asked: asked, total: total, told: map[string]bool{}}
}

// begin is called before the shard with an index.
func (p *shardProgress) begin(i int, shard string) {
	p.number, p.shard, p.began = i+1, shard, time.Now()
}

// show shows how far the shard is.
func (p *shardProgress) show(now db.Progress) {
	if !p.asked && !p.bar.terminal {
		return
	}
	line := p.line(now.Step, "documents")
	if now.Share > 0 {
		line += fmt.Sprintf("  %.0f %%", 100*now.Share)
	}
	p.bar.show(line)
}

// line says how many documents or tokens the shard has had, and how many in a second.
func (p *shardProgress) line(n int, what string) string {
	rate := float64(n) / max(time.Since(p.began).Seconds(), 0.001)
	return fmt.Sprintf("%d/%d %s  %d %s  %.0f %s/s", p.number, p.total, p.shard, n, what, rate, what)
}

// done is called after a shard that has become a file.
func (p *shardProgress) done(documents, tokens int) {
	p.bar.clear()
	if p.asked {
		fmt.Fprintf(&harmless{w: p.w}, "%s  %d documents\n", p.line(tokens, "tokens"), documents)
	}
}

// failed is called after a shard that has not.
func (p *shardProgress) failed(f annotateFault) {
	p.bar.clear()
	showFault(p.w, f.Shard+": ", f)
}

// notice shows a notice once.
func (p *shardProgress) notice(msg string) {
	if !p.told[msg] {
		p.told[msg] = true
		p.bar.clear()
		fmt.Fprintln(&harmless{w: p.w}, "notice:", msg)
	}
}

// showFault shows an error as scripts do, with its code and its hint, after the place where it is.
func showFault(w io.Writer, place string, f annotateFault) {
	text := "parlance: " + place + "error"
	if f.Code != "" {
		text += " " + f.Code
	}
	text += ": " + f.Error + "\n"
	if f.Hint != "" {
		text += "hint: " + f.Hint + "\n"
	}
	fmt.Fprint(&harmless{w: w}, text)
}
