#!/usr/bin/env node
'use strict';
// Compiles shim.c to build/shim.node with the C compiler and Node's own headers. No node-gyp, no download.
//
//   node shim/build.js               build
//   node shim/build.js --if-needed   build only where nothing else serves (what `npm install` runs)
//
// CC, CFLAGS and LDFLAGS are respected. PLOTENGINE_NODE_HEADERS names the folder that holds node_api.h.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const { isBuiltin } = require('node:module');
const path = require('node:path');

const root = path.join(__dirname, '..');
const output = path.join(root, 'build', 'shim.node');

function run(command, args, options) {
  return spawnSync(command, args, { encoding: 'utf8', ...options });
}

/** True when node:ffi, or a shim that is there already, will do. */
function served() {
  if (process.env.PLOTENGINE_FFI !== 'shim' && isBuiltin('node:ffi')) return 'node:ffi is built in';
  try {
    require('./index.js');
    return 'the shim is there';
  } catch {
    return null;
  }
}

function findHeaders() {
  const prefix = path.dirname(path.dirname(fs.realpathSync(process.execPath)));
  const folders = [
    process.env.PLOTENGINE_NODE_HEADERS,
    process.env.npm_config_nodedir && path.join(process.env.npm_config_nodedir, 'include', 'node'),
    path.join(prefix, 'include', 'node'),
    process.config?.variables?.node_prefix && path.join(process.config.variables.node_prefix, 'include', 'node'),
    path.join(os.homedir(), '.cache', 'node-gyp', process.versions.node, 'include', 'node'),
    '/usr/include/node',
    '/usr/local/include/node',
  ].filter(Boolean);
  return { found: folders.find((folder) => fs.existsSync(path.join(folder, 'node_api.h'))), folders: [...new Set(folders)] };
}

function findFfi(compiler) {
  const pkg = run('pkg-config', ['--cflags', '--libs', 'libffi']);
  const flags = pkg.status === 0 ? pkg.stdout.trim().split(/\s+/).filter(Boolean) : ['-lffi'];
  const test = run(compiler, ['-x', 'c', '-', '-o', os.devNull, ...flags], {
    input: '#include <ffi.h>\nint main(void) { ffi_cif cif; return ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 0, &ffi_type_void, 0); }\n',
  });
  return test.status === 0 ? flags : null;
}

function build(target = output) {
  const compiler = process.env.CC || 'cc';
  const missing = [];
  const hasCompiler = run(compiler, ['--version']).status === 0;
  if (!hasCompiler) {
    missing.push(`a C compiler: "${compiler}" does not run. Debian, Ubuntu: apt-get install gcc libc6-dev. Or set CC.`);
  }
  const headers = findHeaders();
  if (!headers.found) {
    missing.push(`the headers of Node (node_api.h). Debian: apt-get install libnode-dev. Or set PLOTENGINE_NODE_HEADERS. Looked in:\n      ${headers.folders.join('\n      ')}`);
  }
  const ffi = hasCompiler ? findFfi(compiler) : [];
  if (!ffi) missing.push('libffi and its header (ffi.h). Debian, Ubuntu: apt-get install libffi-dev. Fedora: dnf install libffi-devel.');
  if (missing.length) {
    return `plotengine: ${process.version} has no node:ffi, and the shim for it cannot be compiled. Missing:\n`
      + missing.map((line) => `  - ${line}\n`).join('');
  }
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const words = (text) => (text ? text.trim().split(/\s+/) : []);
  const shared = process.platform === 'darwin' ? ['-bundle', '-undefined', 'dynamic_lookup'] : ['-shared'];
  const temporary = `${target}.${process.pid}`;
  const result = run(compiler, [
    '-std=gnu11', '-O2', '-fPIC', '-fvisibility=hidden', ...words(process.env.CFLAGS), ...shared, `-I${headers.found}`,
    path.join(__dirname, 'shim.c'), '-o', temporary, ...ffi, '-ldl', '-lm', '-lpthread', ...words(process.env.LDFLAGS),
  ]);
  if (result.status !== 0) return `plotengine: the shim does not compile:\n${result.stdout}${result.stderr}`;
  fs.renameSync(temporary, target);
  return null;
}

module.exports = { build, findHeaders };

if (require.main === module) {
  const reason = process.argv.includes('--if-needed') && served();
  if (reason) {
    console.log(`plotengine: nothing to compile, ${reason}`);
  } else {
    const position = process.argv.indexOf('--output');
    const target = position > 0 ? path.resolve(process.argv[position + 1]) : output;
    const problem = build(target);
    if (problem) {
      console.error(problem);
      process.exitCode = 1;
    } else {
      console.log(`plotengine: compiled ${target}`);
    }
  }
}
