import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, readSetting } from './read-config.ts';

const url = 'postgresql://caregate:s%3Cecret@127.0.0.1/caregate';
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-secrets-'));
  file = join(folder, 'DATABASE_URL');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function read(env: Record<string, string>): string {
  const { databaseUrl } = readConfig({ CAREGATE_DATA: '.', ...env });
  expect(readSetting(env, 'databaseUrl')).toBe(databaseUrl);
  return databaseUrl;
}

describe('a secret', () => {
  it.each(['', '\n', '\r\n'])('is read from a file, without the end of its line (%j)', (end) => {
    writeFileSync(file, url + end);
    expect(read({ DATABASE_URL_FILE: file })).toBe(url);
  });

  it('is read from a systemd credential of its name, if there is one', () => {
    expect(read({ CREDENTIALS_DIRECTORY: folder })).toBe('');
    writeFileSync(file, url);
    expect(read({ CREDENTIALS_DIRECTORY: folder })).toBe(url);
    const other = 'postgresql://caregate@127.0.0.1/other';
    expect(read({ CREDENTIALS_DIRECTORY: folder, DATABASE_URL: other })).toBe(other);
  });

  it('is refused where it is given twice, or its file cannot be read, and is in no message', () => {
    writeFileSync(file, url);
    const twice = { DATABASE_URL: url, DATABASE_URL_FILE: file };
    const missing = { DATABASE_URL_FILE: join(folder, 'missing') };
    rmSync(file);
    mkdirSync(file);
    const unreadable = { CREDENTIALS_DIRECTORY: folder };
    for (const [env, message] of [
      [twice, 'DATABASE_URL and DATABASE_URL_FILE must not both be set.'],
      [missing, /^DATABASE_URL_FILE: .*missing cannot be read \(ENOENT\)\.$/u],
      [unreadable, /^DATABASE_URL_FILE: .* cannot be read \(EISDIR\)\.$/u],
    ] as const) {
      expect(() => read(env)).toThrow(message);
      expect(() => readSetting(env, 'databaseUrl')).toThrow(message);
      expect(() => read(env)).not.toThrow(/s%3Cecret/u);
    }
  });
});
