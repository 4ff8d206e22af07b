import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

/** Whether a process of its own that imports this file loads SQLite. */
function loadsSqlite(file: string): boolean {
  const url = pathToFileURL(join(import.meta.dirname, file)).href;
  const script = `await import(${JSON.stringify(url)});
    process.stdout.write(String(process.moduleLoadList.some((name) => name.includes('sqlite'))))`;
  const said = execFileSync(
    process.execPath,
    ['--conditions=@caregate/source', '--no-warnings', '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  );
  expect(said).toMatch(/^(true|false)$/u);
  return said === 'true';
}

describe('the entry point for whoever checks a log', () => {
  it('loads nothing that stores one', () => {
    expect(['checkpoint.ts', 'index.ts'].map(loadsSqlite)).toEqual([false, true]);
  });
});
