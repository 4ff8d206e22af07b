#!/usr/bin/env node
// Plain JavaScript that any Node runs: it finds the Node and the built program, and hands over.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldest = 24;
/**
 * V8 reads these at a start only. Its space for young objects would grow to 128 MiB, which nothing gains from; and its
 * helper threads cost more than they save where requests leave little that survives.
 */
const collector = ['--max-semi-space-size=16', '--no-parallel-scavenge'];
/**
 * By default glibc raises its trim threshold (in bytes) as memory is freed, and gives each thread an arena of its own, which keeps what
 * was freed: some 50 and 20 MiB.
 */
const allocator = { MALLOC_TRIM_THRESHOLD_: '2097152', MALLOC_ARENA_MAX: '2' };
const main = new URL('../dist/cli/main.js', import.meta.url);

/** The Node that npm installed beside this package, where it did. */
function pinnedNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // This process only has to outlive the other. A terminal's Ctrl-C reaches both: the program takes two that come
  // together for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => fail(`Node ${oldest} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 130);
  });
}

/** Starts a program that runs for long again, in the same process, with less memory; not where a limit was set, nor on Windows. */
function boundMemory() {
  const { argv, execArgv, execPath, env, platform } = process;
  const isSet = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((one) => one.includes('semi-space'));
  if (['serve', 'demo'].includes(argv[2]) && !isSet && platform !== 'win32') {
    const args = [execPath, ...collector, ...execArgv, ...argv.slice(1)];
    process.execve(execPath, args, { ...allocator, ...env });
  }
}

if (!existsSync(main)) {
  fail('Caregate is not built yet. Run this first, at the top of the workspace: npm run build');
} else if (Number(process.versions.node.split('.')[0]) >= oldest) {
  boundMemory();
  await import(main);
} else {
  const node = pinnedNode();
  if (node === undefined) {
    fail(`Caregate needs Node ${oldest} or later; this is ${process.versions.node}.`);
  } else {
    runOn(node);
  }
}
