package main

import (
	"errors"
	"fmt"
	"slices"
)

// updateRows is the number of rows of the table that clients change.
const updateRows = 10_000

// updateOne changes one row, as a script of pgbench.
const updateOne = `\set id random(1, 10000)
UPDATE t SET n = n + 1 WHERE id = :id;
`

// updateGoal is the share of PostgreSQL's rate that is aimed at.
const updateGoal = 0.8

// updates measures clients that each change one row at a time, in turn with PostgreSQL: each statement is answered when
// its change is in the file, which is on the same disk for both.
func (b *bench) updates() error {
	if tool("pgbench") == "" {
		b.add("one-row UPDATE by clients", "skipped", "", "pgbench is not installed")
		return nil
	}
	pg, why, err := b.startPostgres()
	if err != nil {
		return err
	}
	if pg == nil {
		b.add("one-row UPDATE by clients", "skipped", "", why)
		return nil
	}
	defer pg.stop()
	s, err := b.server(b.temporary("updates.parlance"))
	if err != nil {
		return err
	}
	return errors.Join(b.updatesOf(s, pg), s.stop())
}

func (b *bench) updatesOf(s *served, pg *postgres) error {
	fill := fmt.Sprintf("INSERT INTO t SELECT g, 0 FROM generate_series(1, %d) AS g", updateRows)
	for address, list := range map[string][]string{
		s.address:  {"CREATE TABLE t (id INT, n INT)", fill, "CREATE INDEX ON t (id)"},
		pg.address: {"CREATE TABLE t (id INT PRIMARY KEY, n INT)", fill},
	} {
		for _, sql := range list {
			if err := say(address, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
	}
	var own, theirs []load
	var ratios []float64
	for range turnsEach {
		var pair [2]load
		for i, address := range []string{s.address, pg.address} {
			var err error
			if pair[i], err = b.pgbench(address, "simple", []string{updateOne}, max(2, b.seconds()/2)); err != nil {
				return err
			}
		}
		own, theirs = append(own, pair[0]), append(theirs, pair[1])
		ratios = append(ratios, pair[0].rate()/pair[1].rate())
	}
	slices.Sort(ratios)
	t := b.table("Servers beside peers, "+today(), "work", "peer", "statements/s", "of the peer", "ratio", "goal", "least",
		"most")
	t.add(fmt.Sprintf("one-row `UPDATE` by %d clients", clients), b.version(tool("postgres")),
		fmt.Sprintf("%.0f", middle(own).rate()), fmt.Sprintf("%.0f", middle(theirs).rate()),
		fmt.Sprintf("%.2f", ratios[len(ratios)/2]), fmt.Sprintf("≥ %.1f", updateGoal), fmt.Sprintf("%.2f", ratios[0]),
		fmt.Sprintf("%.2f", ratios[len(ratios)-1]))
	return nil
}
