# PlotEngine. `make help` says what there is.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules

VERSION := $(shell cat VERSION)
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
# Further flags for `swift build`, such as -j 1.
SWIFTFLAGS ?=
PYTHON ?= python3
# Options for Benchmarks/run.py.
BENCH ?=
# Options for Benchmarks/presence/run.py.
PRESENCE ?=
# Options for Tests/torture/run.sh.
TORTURE ?= --kills 1000
# How many days Tests/torture/endurance.sh plays.
DAYS ?= 365
# Options for Tests/fuzz/run.py.
FUZZ ?=
export SWIFT

# Without debugger tables, which nothing here reads, a build takes a fifth less. The tests are found in the index of a debug build, which
# need not know the system's own modules.
plain := -Xswiftc -gnone
# Whole modules: a fifth less to do in all than file by file.
debugflags := $(plain) -Xswiftc -index-ignore-system-modules -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 $(SWIFTFLAGS)
# The service's, as server/Tests/test.sh has them: without TLS, whose C++ takes as long to build as the rest.
serverflags := $(debugflags) -Xcc -g0 --disable-default-traits
release := PLOTENGINE_SMALL=1 $(SWIFT) build -c release --scratch-path .build-release -Xswiftc -static-stdlib $(plain) $(SWIFTFLAGS)
library := build/lib/libplotengine.so.0
venv := .build-venv/bin/python
archive := plotengine-$(VERSION)-linux-x86_64

# The packages find the library from where they lie themselves, so that build/, an installation and an unpacked archive work alike.
define package_pc
prefix=$${pcfiledir}/../..
includedir=$${prefix}/include
libdir=$${prefix}/lib

Name: plotengine
Description: Location-based notifications, decided on the device and offline
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -lplotengine
endef

define package_config
get_filename_component(_plotengine_prefix "$${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_plotengine_library "$${_plotengine_prefix}/lib/libplotengine.so.0")
if(NOT EXISTS "$${_plotengine_library}" OR NOT EXISTS "$${_plotengine_prefix}/include/plotengine.h")
  set(plotengine_FOUND FALSE)
  set(plotengine_NOT_FOUND_MESSAGE "$${_plotengine_library} or its header is not there")
elseif(NOT TARGET plotengine::plotengine)
  add_library(plotengine::plotengine SHARED IMPORTED)
  set_target_properties(plotengine::plotengine PROPERTIES
    IMPORTED_LOCATION "$${_plotengine_library}"
    IMPORTED_SONAME libplotengine.so.0
    INTERFACE_INCLUDE_DIRECTORIES "$${_plotengine_prefix}/include")
endif()
unset(_plotengine_library)
unset(_plotengine_prefix)
endef

# Before 1.0 a minor version may change what the engine decides, though not the ABI; hence the same minor version.
define package_version
set(PACKAGE_VERSION $(VERSION))
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION
   OR NOT "$${PACKAGE_FIND_VERSION_MAJOR}.$${PACKAGE_FIND_VERSION_MINOR}" STREQUAL "$(basename $(VERSION))")
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
if(NOT CMAKE_SIZEOF_VOID_P STREQUAL "" AND NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(PACKAGE_VERSION "$(VERSION) (64-bit)")
  set(PACKAGE_VERSION_UNSUITABLE TRUE)
endif()
endef

.PHONY: build demo try check test test-long docs release fuzz sanitize abi abi-baseline mutations torture endurance bench bench-spark bench-run presence spark flink rust run server server-demo demo-live server-test server-bench install dist deb lint clean help

build: export package_pc := $(package_pc)
build: export package_config := $(package_config)
build: export package_version := $(package_version)
build:
	@scripts/install-deps.sh build
	$(release)
	@mkdir -p build/bin build/include build/lib/pkgconfig build/lib/cmake/plotengine
	@# Into a new file each, for a program may have the old one open.
	@bin=$$($(release) --show-bin-path); \
	strip --strip-unneeded -o build/lib/.new "$$bin/libplotengine.so"; \
	patchelf --remove-rpath build/lib/.new; \
	mv build/lib/.new $(library); \
	ln -sfn libplotengine.so.0 build/lib/libplotengine.so; \
	strip -o build/bin/.new "$$bin/plot"; \
	patchelf --remove-rpath build/bin/.new; \
	mv build/bin/.new build/bin/plot
	@chmod 644 $(library)
	@cp include/plotengine.h build/include/plotengine.h
	@mkdir -p build/share/bash-completion/completions build/share/zsh/site-functions build/share/fish/vendor_completions.d
	@build/bin/plot --generate-completion-script bash >build/share/bash-completion/completions/plot
	@build/bin/plot --generate-completion-script zsh >build/share/zsh/site-functions/_plot
	@build/bin/plot --generate-completion-script fish >build/share/fish/vendor_completions.d/plot.fish
	@$(PYTHON) scripts/man_pages.py build/bin/plot build/share/man/man1
	@# The unit's page is that of its command.
	@mkdir -p build/share/man/man8 build/lib/systemd/user
	@echo '.so man1/plot-run.1' >build/share/man/man8/plot-run.service.8
	@cp packaging/systemd/plot-run.service build/lib/systemd/user/plot-run.service
	@printf '%s\n' "$$package_pc" >build/lib/pkgconfig/plotengine.pc
	@printf '%s\n' "$$package_config" >build/lib/cmake/plotengine/plotengine-config.cmake
	@printf '%s\n' "$$package_version" >build/lib/cmake/plotengine/plotengine-config-version.cmake
	@echo "built: build/bin/plot, $(library), build/include/plotengine.h; man pages and completions in build/share"

# The tool without optimisation, which `make test` builds anyway: half the time of `make`.
debug := $(SWIFT) build --scratch-path .build $(debugflags)

demo:
	@scripts/install-deps.sh build
	@mkdir -p build/demo
	$(debug) --product plot
	@echo; echo "A walk through Amsterdam, and what a phone would show on the way (demo/README.md):"; echo
	@.build/debug/plot simulate --config demo/plotconfig.json --feed demo/feed.json --track demo/walk.gpx \
	  --property language=en --property premiumMember=true \
	  --events build/demo/events.jsonl --map build/demo/map.html --svg build/demo/map.svg --record build/demo/walk.jsonl
	@echo; echo "The same walk, with an app that filters and votes, and a person (demo/rules.json):"; echo
	@.build/debug/plot simulate --config demo/plotconfig.json --feed demo/feed.json --track demo/walk.gpx \
	  --property language=en --property premiumMember=true --rules demo/rules.json --quiet
	@echo; echo "Why two of them came only once, and one not at all (plot explain):"; echo
	@.build/debug/plot explain build/demo/walk.jsonl --campaign offer --campaign coffee-bye --campaign dam-nl
	@echo; echo "The map of the walk: build/demo/map.html (open it in a browser); its events: build/demo/events.jsonl; its recording: build/demo/walk.jsonl"

# A tour in the terminal, two minutes long.
try:
	@scripts/install-deps.sh build
	$(debug) --product plot
	@$(PYTHON) demo/try.py .build/debug/plot

# The front ends' own packages, where they are there.
packages := $(wildcard bindings/python/build_wheel.sh bindings/node/build_tarball.sh)

# What to run after every change; `make test` proves the rest. CrowdTests counts the work of the process: nothing may run beside it.
check:
	@scripts/install-deps.sh build
	$(debug) --build-tests
	$(SWIFT) test --skip-build --scratch-path .build --quiet --parallel --filter PlotCoreTests --skip CrowdTests
	$(SWIFT) test --skip-build --scratch-path .build --quiet --no-parallel --filter CrowdTests
	.build/debug/plot vectors Tests/vectors --quiet
	@echo "PlotEngine $(VERSION): the core's tests and the vectors passed"

test: export DEBUGFLAGS := $(debugflags)
test: export PYTHON := $(PYTHON)
test: export LIBRARY := $(library)
test: export VENV := $(venv)
test:
	@scripts/install-deps.sh test
	@# The parts, what each takes, and what all may take together: scripts/test-budget.txt.
	@MAKE="$(MAKE)" $(PYTHON) scripts/run_tests.py
	@echo "PlotEngine $(VERSION): all tests passed"

# The random tests at their full length; in `make test` the longest ones take a quarter of their steps.
test-long: export DEBUGFLAGS := $(debugflags)
test-long: export PYTHON := $(PYTHON)
test-long:
	@scripts/install-deps.sh test
	@PLOT_LONG=1 MAKE="$(MAKE)" $(PYTHON) scripts/run_tests.py build "swift build" "swift tests" packages pages python

.build-venv-site/bin/python: scripts/site-requirements.txt
	@$(PYTHON) -m venv .build-venv-site
	@.build-venv-site/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(venv): scripts/test-requirements.txt
	@$(PYTHON) -m venv .build-venv
	@.build-venv/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

install:
	@[[ -s $(library) && -s build/bin/plot ]] || { echo "Nothing is built yet: run make first." >&2; exit 1; }
	install -d "$(DESTDIR)$(PREFIX)"/{bin,include,lib/pkgconfig,lib/cmake/plotengine,share/doc/plotengine}
	install -m 755 build/bin/plot "$(DESTDIR)$(PREFIX)/bin/plot"
	install -m 644 build/include/plotengine.h "$(DESTDIR)$(PREFIX)/include/plotengine.h"
	install -m 644 $(library) "$(DESTDIR)$(PREFIX)/lib/libplotengine.so.0"
	ln -sfn libplotengine.so.0 "$(DESTDIR)$(PREFIX)/lib/libplotengine.so"
	install -m 644 build/lib/pkgconfig/plotengine.pc "$(DESTDIR)$(PREFIX)/lib/pkgconfig/plotengine.pc"
	install -m 644 build/lib/cmake/plotengine/*.cmake "$(DESTDIR)$(PREFIX)/lib/cmake/plotengine"
	install -d "$(DESTDIR)$(PREFIX)"/lib/systemd/user
	install -m 644 build/lib/systemd/user/plot-run.service "$(DESTDIR)$(PREFIX)/lib/systemd/user/plot-run.service"
	install -d "$(DESTDIR)$(PREFIX)"/share/{man/man1,man/man8,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
	install -m 644 build/share/man/man1/plot*.1 "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 644 build/share/man/man8/plot-run.service.8 "$(DESTDIR)$(PREFIX)/share/man/man8"
	install -m 644 build/share/bash-completion/completions/plot "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/plot"
	install -m 644 build/share/zsh/site-functions/_plot "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_plot"
	install -m 644 build/share/fish/vendor_completions.d/plot.fish "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/plot.fish"
	$(PYTHON) scripts/package_pages.py "$(DESTDIR)$(PREFIX)/share/doc/plotengine"
	@# The loader finds a library in a folder of the system only once its cache knows it.
	@if [[ -z "$(DESTDIR)" && "$(PREFIX)" =~ ^/usr(/local)?$$ && $$(id -u) == 0 ]]; then ldconfig; fi

dist: build
	@rm -rf dist/plotengine-*
	@$(MAKE) --no-print-directory --silent install DESTDIR="$(CURDIR)/dist/" PREFIX=$(archive)
	@install -m 644 LICENSE dist/$(archive)
	@$(PYTHON) scripts/package_pages.py dist/$(archive)/share/doc/plotengine --readme dist/$(archive)/README.md --alone
	@$(PYTHON) Tests/packages/check_package_pages.py dist/$(archive) --pages share/doc/plotengine
	@tar --sort=name --owner=0 --group=0 --numeric-owner -C dist -czf dist/$(archive).tar.gz $(archive)
	@rm -rf dist/$(archive)
	@echo "packed: dist/$(archive).tar.gz"
	@for package in $(packages); do "$$package" dist; done

# The Debian packages, by dpkg-buildpackage, judged by lintian and tried in a system of their own.
deb:
	@scripts/install-deps.sh deb
	@[[ -s $(library) && -s build/bin/plot ]] || $(MAKE) --no-print-directory build
	@packaging/build_debs.sh dist
	@Tests/packages/debs.py dist

# After `scripts/release.py prepare X.Y.Z`, `make test` and a commit (CONTRIBUTING.md, Releases).
release:
	$(PYTHON) scripts/release.py
	@$(MAKE) --no-print-directory dist
	$(PYTHON) scripts/release.py finish

# The documentation as a site, into build/site, with the references of C, Python, Node and Swift.
docs: .build-venv-site/bin/python
	@scripts/install-deps.sh docs
	@$(SWIFT) build --build-tests --scratch-path .build $(debugflags)
	@scripts/swift_docs.sh
	@.build-venv-site/bin/python scripts/site.py

# The gate of the ABI (docs/abi-stability.md); `make test` has it, too.
abi:
	@scripts/install-deps.sh test
	@$(MAKE) --no-print-directory build
	@Tests/abi/library.sh $(library)
	@Tests/abi/check.py

# When an ABI lands: what must not change from then on.
abi-baseline:
	@scripts/install-deps.sh test
	@Tests/abi/check.py --baseline

# Address, leak and thread sanitizer (docs/reliability-faults.md).
sanitize:
	@scripts/install-deps.sh test
	@Tests/sanitize/run.sh

# Not in `make test`: it builds the library anew for each swap.
mutations:
	@scripts/install-deps.sh test
	@Tests/mutations/check.sh

# What a store bears (docs/reliability.md); `make test` has a short form of both.
torture:
	@scripts/install-deps.sh test
	@$(MAKE) --no-print-directory build
	@Tests/torture/run.sh $(TORTURE)

endurance:
	@scripts/install-deps.sh test
	@$(MAKE) --no-print-directory build
	@Tests/torture/endurance.sh $(DAYS)

# Not in `make test`, which plays what was kept of it (Tests/fuzz/replay.sh). FUZZ takes options, such as FUZZ="--seconds 3600 --only life".
fuzz:
	@scripts/install-deps.sh fuzz
	@$(PYTHON) Tests/fuzz/run.py $(FUZZ)

# Against the baselines, in one run (docs/performance.md). BENCH takes options, such as BENCH="--quick --only index".
bench:
	@scripts/install-deps.sh bench
	@$(MAKE) --no-print-directory build
	@$(PYTHON) Benchmarks/run.py $(BENCH)

# plotengine.spark on Spark itself (docs/fleet.md); `make test` has a short form.
spark:
	@scripts/install-deps.sh spark
	@$(MAKE) --no-print-directory build
	@bindings/python/test_spark.sh

# The example of Apache Flink (docs/fleet.md). Not in `make test`: PyFlink is a download of 330 MB.
flink:
	@scripts/install-deps.sh spark
	@$(MAKE) --no-print-directory build
	@bindings/python/test_flink.sh

# The campaign service (docs/server.md), a package of its own: a release build, into build/bin.
server:
	@scripts/install-deps.sh server
	@scripts/vendor_map.sh
	@cd server && $(SWIFT) build -c release --scratch-path ../.build-server -Xswiftc -static-stdlib $(plain) $(SWIFTFLAGS) --product plot-server
	@mkdir -p build/bin && install -m 755 -s .build-server/release/plot-server build/bin/plot-server
	@rm -rf build/share/plot-server && mkdir -p build/share/plot-server && cp -rL server/web build/share/plot-server/web
	@echo "built: build/bin/plot-server, and its dashboard in build/share/plot-server"

# The service with the demo's feed and simulated devices, on this machine. PORT is where it listens.
PORT ?= 8080
server-demo:
	@scripts/install-deps.sh server
	@scripts/vendor_map.sh
	@$(debug) --product plot
	@cd server && $(SWIFT) build --scratch-path ../.build-server $(serverflags) --product plot-server
	@PLOT=.build/debug/plot PLOT_SERVER=.build-server/debug/plot-server server/demo.py --port $(PORT)

# All tests of the service; `make test` has a short form.
# The service, three apps that keep themselves up to date, and a person who walks.
demo-live:
	@scripts/install-deps.sh server
	@[[ -s $(library) ]] || $(MAKE) --no-print-directory build
	@cd server && $(SWIFT) build --scratch-path ../.build-server $(serverflags) --product plot-server
	@PLOT_SERVER=.build-server/debug/plot-server server/demo_live.py --port $(PORT)

server-test: export DEBUGFLAGS := $(debugflags)
server-test:
	@scripts/install-deps.sh server-test
	@scripts/vendor_map.sh
	@$(debug) --product plot
	@server/Tests/test.sh long

# What it costs, beside FastAPI on uvloop (docs/server.md).
server-bench: server
	@$(PYTHON) -m venv .build-venv-server
	@.build-venv-server/bin/pip install --quiet --disable-pip-version-check -r server/Benchmarks/requirements.txt
	@.build-venv-server/bin/python server/Benchmarks/run.py

# How fast plotengine.spark is, beside joins that only look for containment. FIXES is how many fixes there are.
bench-spark:
	@scripts/install-deps.sh spark
	@$(MAKE) --no-print-directory build
	@bindings/python/test_spark.sh bench $(FIXES)

# `plot run` with gpsd, D-Bus services, a screen and a webhook (docs/linux.md); `make test` has a short form.
run:
	@scripts/install-deps.sh run
	@$(MAKE) --no-print-directory build
	@Tests/run/run_tests.sh

# How often `plot run` wakes up, and the processor time it takes, beside gpsd's own smallest client.
bench-run:
	@scripts/install-deps.sh run
	@$(MAKE) --no-print-directory build
	@Tests/run/run_tests.sh bench

# What presets and the rules of others get wrong under noise (docs/noise.md). PRESENCE takes options, such as PRESENCE="--short --check".
presence:
	@scripts/install-deps.sh presence
	@$(MAKE) --no-print-directory $(venv)
	@[[ -s $(library) ]] || { echo "Nothing is built yet: run make first." >&2; exit 1; }
	@$(venv) Benchmarks/presence/run.py $(PRESENCE)
	@$(venv) Benchmarks/presence/lives.py $(if $(findstring --short,$(PRESENCE)),--short)

# The binding in Rust: its tests, its example, all vectors.
rust:
	@scripts/install-deps.sh rust
	@$(MAKE) --no-print-directory build
	@bindings/rust/test.sh

lint: export DEBUGFLAGS := $(debugflags)
lint: .build-venv-site/bin/python
	@scripts/install-deps.sh build
	$(SWIFT) format lint --strict --recursive Sources Tests Benchmarks server/Sources server/Tests server/Package.swift Fuzz/Package.swift Fuzz/Sources/FuzzReaders/Readers.swift Package.swift
	$(PYTHON) scripts/generated.py
	$(PYTHON) scripts/openapi.py
	$(PYTHON) Tests/words/comments.py
	$(PYTHON) scripts/site.py --check
	$(PYTHON) scripts/release.py --self
	$(PYTHON) scripts/release.py
	.build-venv-site/bin/python scripts/prose.py --self
	.build-venv-site/bin/python scripts/prose.py
	$(PYTHON) Tests/rooms/conversions.py
	@for patch in Tests/mutations/patches/*.patch; do git apply --check "$$patch" || exit 1; done
	$(PYTHON) Tests/changes/check.py --self
	$(PYTHON) Tests/changes/check.py --build

clean:
	rm -rf build dist .build .build-release .build-asan .build-tsan .build-fuzz .build-bench .build-changes .build-debian .build-rust .build-server .build-server-tls .build-valhalla .build-venv*

help:
	@echo "Times are of two cores; in brackets when little has changed."
	@echo "make            build the library and the tool into build/ (4 min; installs missing packages with apt)"
	@echo "make demo       replay the demo's walk, and draw its map (1 min [5 s])"
	@echo "make try        a tour in the terminal: a walk, why, what if, a map (1 min [5 s], and two minutes of yours)"
	@echo "make check      build, test the core, run the vectors in one language: after every change (7 min [2.5 min])"
	@echo "make test       build and run every test, as .ci/run does (40 min)"
	@echo "make test-long  the random tests of the core and of Python at their full length (20 min)"
	@echo "make server     the campaign service, docs/server.md: a release build into build/bin (8 min)"
	@echo "make demo-live    starts it, and apps in C, Python and Node that keep themselves up to date (9 min [20 s])"
	@echo "make server-demo  starts it with the demo's feed and simulated devices (6 min [20 s])"
	@echo "make server-test  all its tests, with servers and databases killed under load, a browser and schemathesis (18 min)"
	@echo "make server-bench  what it costs, beside FastAPI (10 min)"
	@echo "make rust       the Rust binding: its tests and all vectors (1 min)"
	@echo "make lint       the style of the Swift sources, generated files, rules of the code; builds Tests/changes/patches (3 min [20 s])"
	@echo "make release    the packages of a release, with checksums and an SBOM, CONTRIBUTING.md (6 min)"
	@echo "make docs       the documentation as a site with the references of all languages, into build/site (3 min)"
	@echo "make abi        the header and the library against the ABI that has landed, docs/abi-stability.md (1 min)"
	@echo "make sanitize   the C surface under the address, leak and thread sanitizer (20 min)"
	@echo "make mutations  swap two steps of the decision order, again and again, and see the vectors fail (5 min)"
	@echo "make torture    kill the engine, take its power and its disk away, damage its files, docs/reliability.md (10 min)"
	@echo "make endurance  a year of one device beside a plain model (DAYS=365: 1 min)"
	@echo "make fuzz       look for inputs that break something, with libFuzzer (10 min; FUZZ=\"--seconds 3600\": hours)"
	@echo "make bench      the cost beside other indexes, Jansson, SQLite and empty calls (20 min; BENCH=--quick: a few)"
	@echo "make presence   what presets and the rules of others miss and make up under noise (1 min; PRESENCE=--short: 5 s)"
	@echo "make spark      plotengine.spark on Apache Spark, with killed executors, workers and drivers, docs/fleet.md (7 min)"
	@echo "make flink      an engine for each device on Apache Flink, docs/fleet.md (1 min)"
	@echo "make bench-spark how fast that is; FIXES=20000000 (3 min)"
	@echo "make run        plot run with gpsd, BlueZ, GeoClue, a screen and a webhook, killed 200 times, docs/linux.md (6 min)"
	@echo "make bench-run  its wakeups and processor time, beside gpspipe (5 min)"
	@echo "make deb        build the Debian packages into dist/, and try them in a bare system (1 min)"
	@echo "make dist       pack dist/$(archive).tar.gz, the wheel and the npm tarball (1 min)"
	@echo "make install    copy build/ and the pages to PREFIX ($(PREFIX)); DESTDIR is honoured"
	@echo "make clean      remove everything that was built"
	@echo "Variables: SWIFT, SWIFTFLAGS, PYTHON, PREFIX, DESTDIR, BENCH, PRESENCE, TORTURE, DAYS, FUZZ"
