# make demo   record, learn, evaluate and report BlocksWorld (about 3 minutes on two cores)
# make test   everything that CI runs
# Both set the machine up first; `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

SEED ?= 1
ORT_VERSION := 1.30.0
ORT_SHA256 := ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23
ORT := .deps/onnxruntime/libonnxruntime.so.1
APT := libopencv-dev pkg-config gcc g++ ca-certificates
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# The symbolic half needs neither cgo nor OpenCV.
SYMBOLIC := ./models/strips/... ./models/taskgraph/... ./models/operators/... ./models/planner/... ./nodes/sim/...

.PHONY: help setup build demo test bench bench-operators clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

setup: $(ORT) ## install what the project needs: Debian packages, ONNX Runtime, Go modules
	@missing=""; for p in $(APT); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
		echo "setup: installing$$missing"; \
		$(SUDO) apt-get update -qq; \
		DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
	@go mod download

# The shared library comes from the npm package, whose hash pins it.
$(ORT):
	@command -v npm >/dev/null || { $(SUDO) apt-get update -qq; DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends npm >/dev/null; }
	@echo "setup: fetching ONNX Runtime $(ORT_VERSION)"
	@mkdir -p $(@D) && dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	(cd "$$dir" && npm pack --silent onnxruntime-node@$(ORT_VERSION) >/dev/null && \
		tar -xzf onnxruntime-node-$(ORT_VERSION).tgz package/bin/napi-v6/linux/x64/libonnxruntime.so.1) && \
	so="$$dir/package/bin/napi-v6/linux/x64/libonnxruntime.so.1" && \
	echo "$(ORT_SHA256)  $$so" | sha256sum --check --quiet && mv "$$so" $@

build: setup ## build bin/stripswm
	@go build -o bin/ ./nodes/stripswm

demo: build ## record, learn, evaluate and report (SEED=1)
	@./bin/stripswm demo --seed $(SEED) --out runs/demo-$(SEED)

test: build ## every test, the fast ones first
	@test -z "$$(gofmt -l bags models msgs nodes test)" || { echo "not gofmt-ed:"; gofmt -l bags models msgs nodes test; exit 1; }
	@CGO_ENABLED=0 go build $(SYMBOLIC)
	@go vet ./...
	@go test $(SYMBOLIC)
	@go test ./...

bench: build ## the benchmarks that matter
	@go test -run '^$$' -bench 'Camera|Step|Plan|Infer|Write|Read' ./nodes/sim/... ./models/vision ./bags ./test/endtoend

bench-operators: setup ## operator learning: every sample graph, against gophersat, and as graphs grow
	@go run ./models/operators/bench -out runs/bench-operators

clean: ## remove what was built (not what was recorded or learned)
	rm -rf bin
