import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default function tearDown() {
  const left = endLeftBehind(process.env.DESKTOP_PROCESSES);
  globalThis.endDisplay?.();
  if (left > 0) {
    // An error would end Jest before it writes the results of the tests.
    console.error(`${left} windows or services were left by the tests that started them.`);
    process.exitCode = 1;
  }
}

/** A test that failed in the middle may have left its window or its service, and Jest would wait for them. */
function endLeftBehind(file) {
  const left = new Set();
  for (const [, what, pid] of readFileSync(file, 'utf8').matchAll(/^(\w+) (\d+)$/gmu)) {
    left[what === 'started' ? 'add' : 'delete'](Number(pid));
  }
  for (const pid of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Ended by itself in the meantime.
    }
  }
  rmSync(dirname(file), { recursive: true, force: true });
  return left.size;
}
