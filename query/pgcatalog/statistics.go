package pgcatalog

import (
	"slices"
	"strings"

	"parlance/storage/value"
)

// Columns of the views of PostgreSQL's statistics. This database counts the rows of tables; what it does not count is
// NULL.
const (
	tableStatistics = "relid:int schemaname relname seq_scan:int seq_tup_read:int idx_scan:int idx_tup_fetch:int " +
		"n_tup_ins:int n_tup_upd:int n_tup_del:int n_tup_hot_upd:int n_live_tup:int n_dead_tup:int " +
		"n_mod_since_analyze:int n_ins_since_vacuum:int last_vacuum:time last_autovacuum:time last_analyze:time " +
		"last_autoanalyze:time vacuum_count:int autovacuum_count:int analyze_count:int autoanalyze_count:int"
	tableIO = "relid:int schemaname relname heap_blks_read:int heap_blks_hit:int idx_blks_read:int idx_blks_hit:int " +
		"toast_blks_read:int toast_blks_hit:int tidx_blks_read:int tidx_blks_hit:int"
	indexStatistics = "relid:int indexrelid:int schemaname relname indexrelname idx_scan:int idx_tup_read:int " +
		"idx_tup_fetch:int"
	indexIO = "relid:int indexrelid:int schemaname relname indexrelname idx_blks_read:int idx_blks_hit:int"
)

// statisticsViews are the views with a row for each table or index: of all, of the catalog, and of the others.
var statisticsViews = slices.Concat(
	statisticsOf("pg_stat_", "_tables", "with their rows", tableStatistics, tableStatisticsRow),
	statisticsOf("pg_statio_", "_tables", "for what is read of the file, which is not counted", tableIO, tableIORow),
	statisticsOf("pg_stat_", "_indexes", "for how they are used, which is not counted", indexStatistics,
		indexRow(indexStatistics)),
	statisticsOf("pg_statio_", "_indexes", "for what is read of the file, which is not counted", indexIO,
		indexRow(indexIO)))

// statisticsView is one of these views.
type statisticsView struct {
	name, doc, columns string
	by                 string // the column with the OID of the table or index
	rows               func(r *Reader, rel *relationEntry, b *rowBatch)
}

// statisticsOf are the three views of one kind.
func statisticsOf(prefix, suffix, doc, columns string,
	rows func(r *Reader, rel *relationEntry, b *rowBatch)) []statisticsView {
	what, by := suffix[1:], "relid"
	if what == "indexes" {
		by = "indexrelid"
	}
	return []statisticsView{
		{prefix + "all" + suffix, what + ", " + doc, columns, by, rows},
		{prefix + "sys" + suffix, what + " of the catalog, " + doc, columns, by,
			func(r *Reader, rel *relationEntry, b *rowBatch) {
				if rel.system {
					rows(r, rel, b)
				}
			}},
		{prefix + "user" + suffix, what + " that are no part of the catalog, " + doc, columns, by,
			func(r *Reader, rel *relationEntry, b *rowBatch) {
				if !rel.system {
					rows(r, rel, b)
				}
			}},
	}
}

func tableStatisticsRow(r *Reader, rel *relationEntry, b *rowBatch) {
	if rel.kind != "r" {
		return
	}
	row := statisticsRow(tableStatistics, num(rel.oid), str(r.snapshot().schemaOf[rel.schema]), str(rel.name))
	row[11], row[12] = num(max(rel.rows, 0)), num(0) // n_live_tup, n_dead_tup
	b.add(row...)
}

func tableIORow(r *Reader, rel *relationEntry, b *rowBatch) {
	if rel.kind == "r" {
		b.add(statisticsRow(tableIO, num(rel.oid), str(r.snapshot().schemaOf[rel.schema]), str(rel.name))...)
	}
}

// indexRow makes the row of an index.
func indexRow(columns string) func(r *Reader, rel *relationEntry, b *rowBatch) {
	return func(r *Reader, rel *relationEntry, b *rowBatch) {
		if x := rel.index; x != nil {
			b.add(statisticsRow(columns, num(x.table.oid), num(rel.oid), str(r.snapshot().schemaOf[x.table.schema]),
				str(x.table.name), str(rel.name))...)
		}
	}
}

// statisticsRow is a row of which the first columns are known.
func statisticsRow(columns string, known ...value.Value) []value.Value {
	row := make([]value.Value, len(strings.Fields(columns)))
	copy(row, known)
	return row
}

// writerStatistics are the columns of pg_stat_bgwriter.
const writerStatistics = "checkpoints_timed:int checkpoints_req:int checkpoint_write_time:float " +
	"checkpoint_sync_time:float buffers_checkpoint:int buffers_clean:int maxwritten_clean:int buffers_backend:int " +
	"buffers_backend_fsync:int buffers_alloc:int stats_reset:time"

// writerRow is its row: there is no background writer, and so nothing that it wrote.
func writerRow(*Reader) ([][]value.Value, error) {
	zero := value.Real(0)
	return [][]value.Value{{num(0), num(0), zero, zero, num(0), num(0), num(0), num(0), num(0), num(0), null()}}, nil
}
