// Package models loads the versions of models into memory and finds the resources that they read: gazetteers, lexicons,
// knowledge bases, corpora and other models.
//
// A Set is what a database has in memory, shared by all statements: models within the limit model_memory, and resources
// in the form in which models look things up. A Resolver resolves the names of models and resources in the state that
// one statement sees. Models run over documents in package annotate, and queries over their relations in package exec.
package models
