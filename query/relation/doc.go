// Package relation opens the items of FROM that are neither layers nor tables nor relations of a kind: table functions
// over corpora (check, features, pair_features), set-returning functions (unnest, generate_series), and the relations
// that every model has (versions, options, trace, tuning).
package relation
