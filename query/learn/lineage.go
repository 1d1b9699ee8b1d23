package learn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"parlance/algo/kind"
	"parlance/algo/option"
	"parlance/query/ast"
	"parlance/query/document"
	"parlance/query/models"
	"parlance/query/plan"
	"parlance/storage/catalog"
	"parlance/storage/guard"
	"parlance/storage/registry"
)

// publish writes the weights of a trained model with its lineage.
func (t *training) publish(ctx context.Context, took time.Duration) (registry.Version, error) {
	mv, err := t.lineage(ctx, took)
	if err != nil {
		return mv, err
	}
	ww, err := t.r.Store.NewWeights(ctx)
	if err != nil {
		return mv, err
	}
	if err := t.model.Encode(kind.NewWriter(ww.Write)); err != nil {
		ww.Abort()
		return mv, fmt.Errorf("write model %s: %w", t.name, err)
	}
	if t.model = nil; ww.Bytes() >= largeWeights { // else it lies in memory beside the one that is read back
		debug.FreeOSMemory()
	}
	if err := t.loads(ww, mv); err != nil {
		ww.Abort()
		return mv, err
	}
	if mv, err = t.r.Store.PublishModel(ctx, ww, mv); err != nil {
		return mv, fmt.Errorf("write model %s: %w", t.name, err)
	}
	t.r.NoticeServing(mv.Name, mv.Version)
	return mv, nil
}

// largeWeights is from how many bytes of weights on the memory of the training is given back before they are read.
const largeWeights = 16 << 20

// loads reads the weights back into a new model, so that no version is stored that cannot be used.
func (t *training) loads(ww *registry.WeightsWriter, mv registry.Version) error {
	w, err := ww.Weights()
	if err != nil {
		return fmt.Errorf("write model %s: %w", t.name, err)
	}
	_, err = t.r.Models.Loads(w, mv)
	var fault *guard.Panic
	if err == nil || errors.As(err, &fault) {
		return err
	}
	return &ast.Error{Code: plan.CodeInvalid, Pos: t.stmt.Pos,
		Msg:  fmt.Sprintf("model %s is not stored, for it could not be loaded: %v", t.name, err),
		Hint: "numbers of the data that are very large, very small or not finite may be the cause"}
}

// lineage is the record of a version without its weights.
func (t *training) lineage(ctx context.Context, took time.Duration) (registry.Version, error) {
	mv := registry.Version{
		Name: t.name, Kind: t.kind.Name, Revision: t.kind.Revision, Encoding: kind.Encoding, Statement: t.stmt.String(),
		Options: t.set.Values(option.Train, option.Predict), Seed: uint64(t.engine.seed),
		Program: t.r.Program, Seconds: took.Seconds(), Created: time.Now().UTC().Truncate(time.Microsecond), Trace: t.trace,
		SourceRead: true, Tuning: t.tuning, Texts: t.on.Sample.Texts(), Documents: t.on.Sample.Documents(),
	}
	if documents, labels, ok := t.on.Tally.Counts(); ok {
		mv.Learned = &registry.Learned{Documents: documents, Labels: labels}
	}
	if t.metric != "" {
		mv.Metrics = map[string]float64{t.metric: t.score}
	}
	for _, in := range t.allInputs() {
		for _, p := range in.Parts {
			tk := document.TokenizerOf(p.Node.Corpus)
			if mv.Tokenizer == "" {
				mv.Tokenizer = tk
			} else if mv.Tokenizer != tk {
				t.r.Session.Notice(fmt.Sprintf("the inputs are tokenised differently: %s and %s", mv.Tokenizer, tk))
			}
		}
		for _, p := range in.TableModels() {
			mv.Upstream = models.AddPin(mv.Upstream, p)
		}
		for _, m := range in.Models() {
			mv.Upstream = models.AddPin(mv.Upstream, t.r.Pin(m.Name, m.Version))
		}
	}
	var err error
	if mv.SourceHash, err = t.sourceHash(ctx, sameModel); err != nil {
		return mv, err
	}
	if t.init != nil {
		p := t.r.Pin(t.init.Meta.Name, t.init.Meta.Version)
		p.Role = "init"
		mv.Upstream = models.AddPin(mv.Upstream, p)
	}
	for _, p := range t.pins {
		mv.Upstream = models.AddPin(mv.Upstream, p)
	}
	for _, res := range t.schema.Resources {
		if o, ok := t.r.LiveObject(res.Name, res.Kind); ok && string(o.Kind) == res.Kind &&
			o.Kind != catalog.ModelObject {
			pin, err := t.r.LivePin(o, res)
			if err != nil {
				return mv, err
			}
			mv.Resources = append(mv.Resources, pin)
		}
	}
	mv.Schema, err = json.Marshal(t.model.Schema())
	return mv, err
}

// sourceHash hashes what the training reads of all inputs, in the order of reading, with the filters and the models
// that annotate, each as the version that as returns.
func (t *training) sourceHash(ctx context.Context, as func(plan.ModelUse) plan.ModelUse) (string, error) {
	h := sha256.New()
	for _, in := range t.allInputs() {
		for k, p := range in.Parts {
			n := *p.Node
			n.Models = make([]plan.ModelUse, len(p.Node.Models))
			for i, m := range p.Node.Models {
				n.Models[i] = as(m)
			}
			sum, err := in.PartHash(ctx, k)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s\x00%x\x00%s\x00", n.Corpus.Name, sum, n.Line())
		}
		if err := in.HashTables(ctx, h); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
