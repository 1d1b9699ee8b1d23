.PHONY: test lint fuzz bench update

test:
	go test ./...

lint:
	@test -z "$$(gofmt -l .)" || (gofmt -l .; exit 1)
	go vet ./...
	go tool staticcheck ./...

# FUZZTIME for each target.
FUZZTIME ?= 30s
fuzz:
	@for p in $$(go list ./...); do \
	  for f in $$(go test $$p -list '^Fuzz' | grep '^Fuzz'); do \
	    echo "$$p $$f"; go test $$p -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) || exit 1; \
	  done; \
	done

bench:
	go run ./tools/bench

# Rewrites expected outputs and the generated reference.
update:
	go test ./db ./algo/segment ./storage/format -rewrite
	UPDATE=1 go test . -run TestKindsPage
	go run ./tools/reference
