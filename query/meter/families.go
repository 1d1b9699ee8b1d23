package meter

import "slices"

var families []*Family

func declare(t Type, name, help string, labels ...string) *Family {
	f := &Family{Name: name, Type: t, Labels: labels, Help: help, order: len(families)}
	families = append(families, f)
	return f
}

// Families lists the declared metrics.
func Families() []*Family { return slices.Clone(families) }

// BuildInfo has the version of the program as a label.
var BuildInfo = declare(Gauge, "parlance_build_info", "1, with the version of the program", "version")

// Statements.
var (
	StatementsTotal = declare(Counter, "parlance_statements_total", "statements that ended, by their first words and "+
		"SQLSTATE; code is empty for success, kind is UNPARSED for texts that are no statement", "kind", "code")
	StatementSeconds = declare(Histogram, "parlance_statement_seconds",
		"time from the start of a statement, after parsing, until its last row is read or it fails", "kind")
	RowsTotal         = declare(Counter, "parlance_rows_returned_total", "rows that statements handed out", "kind")
	StatementsRunning = declare(Gauge, "parlance_statements_running",
		"statements under way, those whose rows are still read among them")
	OldestStatement = declare(Gauge, "parlance_oldest_statement_seconds",
		"how long the statement runs that began first, trainings aside; 0 if none does")
	OldestBlock = declare(Gauge, "parlance_oldest_transaction_seconds", "how long ago the oldest transaction block "+
		"began among those that keep others from what they have changed, or a state that all their statements read; 0 if "+
		"there is none")
)

// Models.
var (
	AnnotatedDocuments = declare(Counter, "parlance_annotated_documents_total",
		"documents that a model annotated; those from the cache do not count; a name without version is a model in training",
		"model")
	AnnotatedTokens = declare(Counter, "parlance_annotated_tokens_total", "tokens of these documents", "model")
	AnnotateSeconds = declare(Counter, "parlance_annotate_seconds_total",
		"time that workers spent in a model, all workers together", "model")
	CacheHits = declare(Counter, "parlance_cache_hits_total",
		"units (mostly documents) whose prediction was in the cache", "model")
	CacheMisses = declare(Counter, "parlance_cache_misses_total",
		"units whose prediction was not in the cache", "model")
	CacheEntries  = declare(Gauge, "parlance_cache_entries", "predictions in the file", "model")
	CacheBytes    = declare(Gauge, "parlance_cache_bytes", "size of these predictions", "model")
	CacheFailures = declare(Counter, "parlance_cache_write_failures_total",
		"times that predictions could not be written to the file")
	CacheLimit      = declare(Gauge, "parlance_cache_limit_bytes", "bound of the cache, the setting cache_size")
	LoadedModels    = declare(Gauge, "parlance_loaded_models", "model versions in memory")
	LoadedBytes     = declare(Gauge, "parlance_loaded_model_bytes", "what they take in memory, estimated")
	StatementMemory = declare(Gauge, "parlance_memory_held_bytes",
		"what statements hold in memory and memory_limit bounds")
	ModelMemory = declare(Gauge, "parlance_model_memory_limit_bytes",
		"what loaded models may take, the setting model_memory")
)

// Trainings.
var (
	TrainingsTotal = declare(Counter, "parlance_trainings_total",
		"trainings that ended, by outcome: done, failed, cancelled, interrupted", "state")
	TrainingsRunning = declare(Gauge, "parlance_trainings_running", "trainings under way")
	TrainingsQueued  = declare(Gauge, "parlance_trainings_queued", "trainings that wait for their turn")
	TrainingStep     = declare(Gauge, "parlance_training_step", "step that a running training has reached", "job")
	TrainingSteps    = declare(Gauge, "parlance_training_steps",
		"steps that a running training has at most; 0 if it cannot tell", "job")
	TrainingObjective = declare(Gauge, "parlance_training_objective", "objective of a running training", "job")
)

// The file.
var (
	FileBytes        = declare(Gauge, "parlance_file_bytes", "size of the database file")
	FileFreeBytes    = declare(Gauge, "parlance_file_free_bytes", "free space inside the file, which COMPACT gives back")
	FilePendingBytes = declare(Gauge, "parlance_file_pending_bytes",
		"part of the free space that waits for read transactions to end")
	FileModified = declare(Gauge, "parlance_file_modified_timestamp_seconds",
		"when the file was last written, in seconds since 1970; 0 for one that is open to write")
	FileOpened = declare(Gauge, "parlance_file_opened_timestamp_seconds",
		"since when the file is served, in seconds since 1970")
	FilesOpen = declare(Gauge, "parlance_files_open",
		"open database files: the one that is served, and those before reloads that statements, blocks or cursors still use")
	ReloadsTotal = declare(Counter, "parlance_file_reloads_total",
		"times that a newer copy of the file took the place of the one before (done) or was refused", "result")
	ReadsTotal = declare(Counter, "parlance_read_transactions_total",
		"read transactions of the file; COMPACT sets it back")
	ReadsOpen   = declare(Gauge, "parlance_read_transactions_open", "read transactions under way")
	WritesTotal = declare(Counter, "parlance_write_transactions_total",
		"write transactions of the file, failed ones among them")
	WriteSeconds = declare(Counter, "parlance_disk_write_seconds_total",
		"time spent in writing pages to the disk; COMPACT sets it back")
	SegmentHits   = declare(Counter, "parlance_segment_cache_hits_total", "segments of corpora that were in memory")
	SegmentMisses = declare(Counter, "parlance_segment_cache_misses_total", "segments of corpora that had to be read")
	SegmentBytes  = declare(Gauge, "parlance_segment_cache_bytes", "decoded segments in memory, roughly")
	CleanFailures = declare(Counter, "parlance_clean_failures_total", "times that what dropped objects and ended "+
		"statements left could not be removed in the background; the next writer or COMPACT removes it")
	SnapshotsOpen = declare(Gauge, "parlance_snapshots_open",
		"states of the corpora that statements and trainings hold; what is deleted after them stays in the file")
	Objects = declare(Gauge, "parlance_objects", "objects of the catalog by kind", "kind")
)

// Connections of the server.
var (
	ConnectionsOpen = declare(Gauge, "parlance_connections_open",
		"connections of clients, those that log in among them")
	ConnectionsIdle = declare(Gauge, "parlance_connections_idle",
		"connections that wait for their client's next statement")
	ConnectionsLimit = declare(Gauge, "parlance_connections_limit",
		"connections that a server takes, the setting max_connections")
	ConnectionsTotal   = declare(Counter, "parlance_connections_total", "connections that were accepted")
	ConnectionsRefused = declare(Counter, "parlance_connections_refused_total",
		"connections that did not come to their session, by SQLSTATE", "code")
	LoginsFailed = declare(Counter, "parlance_logins_failed_total",
		"connections that were refused for their name or password")
	CancelsTotal  = declare(Counter, "parlance_cancel_requests_total", "requests of clients to cancel a statement")
	ReceivedBytes = declare(Counter, "parlance_received_bytes_total", "bytes from clients")
	SentBytes     = declare(Counter, "parlance_sent_bytes_total", "bytes to clients")
)
