import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './install.mjs';

const isWindows = process.platform === 'win32';

(isWindows ? it.skip : it)(
  'an npm script ends with what it runs when npm’s shell is ended by a signal',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-install-'));
    const install = pathToFileURL(join(import.meta.dirname, 'install.mjs')).href;
    const [script, child] = ['script.mjs', 'child.mjs'].map((name) => join(folder, name));
    writeFileSync(child, 'console.log("runs"); setInterval(() => {}, 1_000_000);');
    writeFileSync(
      script,
      `import { main, run } from '${install}';
       await main(() => run('${relative(root, child)}', []));`,
    );
    // With a second command, the shell doesn't replace itself by the first one.
    const shell = spawn('sh', ['-c', `'${process.execPath}' '${script}'; true`], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(shell, 'close');
    await once(shell.stdout, 'data');
    shell.kill('SIGTERM');
    // The output closes when the last process that has it open ends.
    await closed;
    rmSync(folder, { recursive: true });
    expect(shell.signalCode).toBe('SIGTERM');
  },
);
