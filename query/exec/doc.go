// Package exec runs plans: scans of storage, annotation, searches and relations of models, with the operators of
// package operator above them.
//
// A Database is what all statements on one store share: models in memory, plans, results. An Execution is one
// statement under way: the catalog in which its names are bound, the environment of its expressions, the limit of its
// memory. Operators that are implemented in packages above are opened through small interfaces: Host, tables of the
// catalog (package engine); Sources, table functions (package relation); Evaluation, EVALUATE in FROM (package score).
//
// Statements that change, train or score have packages of their own above. Models and their resources are loaded in
// package models and run over documents in package annotate; texts become documents in package document.
package exec
