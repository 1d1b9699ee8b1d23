// Package relation opens what stands in FROM besides layers, tables and the relations of kinds: table functions over
// corpora (check, features, pairs), functions that give rows (unnest, generate_series), and the relations that every
// model has (versions, options, trace, tuning).
package relation
