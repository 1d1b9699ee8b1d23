package engine

import (
	"parlance/algo/option"
	"parlance/query/change"
	"parlance/query/learn"
	"parlance/query/relation"
	"parlance/query/score"
	"parlance/query/setting"
	"parlance/storage/catalog"
)

// NamedOptions are the options of a statement.
type NamedOptions struct {
	Name string
	Set  *option.Set
}

// CommonOptions returns the options of statements that do not depend on a kind, format or object, for the reference.
func CommonOptions() []NamedOptions {
	_, checkSet := relation.NewCheckOptions()
	return []NamedOptions{
		{"CREATE CORPUS", change.ObjectOptions(catalog.CorpusObject)},
		{"CREATE GAZETTEER", change.ObjectOptions(catalog.GazetteerObject)},
		{"CREATE LEXICON", change.ObjectOptions(catalog.LexiconObject)},
		{"CREATE FULLTEXT INDEX", change.IndexOptions(&change.FulltextOptions{})},
		{"LOAD, besides those of the format", &change.NewLoadOptions().Set},
		{"TRAIN, besides those of the kind", &learn.NewTrainOptions(nil).Set},
		{"ANNOTATE, besides those of the models", &change.NewAnnotateOptions().Set},
		{"EVALUATE", &score.NewEvaluateOptions().Set},
		{"CHECK CORPUS and check(corpus)", checkSet},
		{"DIFF MODEL", &score.NewDiffOptions().Set},
		{"features(TEXT …)", &relation.NewFeatureOptions().Set},
		{"features(corpus, …)", &relation.NewPlaceOptions().Set},
		{"SET, for the session", &setting.New().Set},
		{"ALTER SYSTEM SET, for the database", &setting.NewDatabase().Set},
	}
}
