import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answeredByFile } from './answered-by-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-answered-'));
  path = join(folder, 'package');
  writeFileSync(path, 'a package');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** As Electron's: a scheme is handled once, and what nobody handles can't be unhandled. */
class OneSession {
  readonly handlers = new Map<string, () => Response>();

  handle = (scheme: string, answer: () => Response): void => {
    if (this.handlers.has(scheme)) throw new Error('The scheme has been registered');
    this.handlers.set(scheme, answer);
  };

  unhandle = (scheme: string): void => {
    if (!this.handlers.delete(scheme)) throw new Error('The scheme is not registered');
  };
}

describe('a session that one file answers', () => {
  it('answers each request with it', async () => {
    const session = new OneSession();
    const texts = await answeredByFile(session, path, async () => [
      await session.handlers.get('https')?.().text(),
      await session.handlers.get('https')?.().text(),
    ]);
    expect(texts).toEqual(['a package', 'a package']);
  });

  it('is free again after an update that was made, that waits, and that failed', async () => {
    const session = new OneSession();
    for (const isMade of [true, false, true]) {
      expect(await answeredByFile(session, path, () => Promise.resolve(isMade))).toBe(isMade);
      expect(session.handlers.size).toBe(0);
      const failing = answeredByFile(session, path, () => Promise.reject(new Error('no update')));
      await expect(failing).rejects.toThrow('no update');
      expect(session.handlers.size).toBe(0);
    }
    // Also where it fails before anything is awaited.
    const thrown = answeredByFile(session, path, () => {
      throw new Error('no address');
    });
    await expect(thrown).rejects.toThrow('no address');
    expect(session.handlers.size).toBe(0);
  });
});
