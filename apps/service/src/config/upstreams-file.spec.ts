import { describe, expect, it } from '@jest/globals';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Upstreams } from '@caregate/data-store';
import { readUpstreams } from './upstreams-file.ts';
import { createSpecFolder } from '../testing/folder.testing.ts';

const teamA = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a1111';
const teamB = '4F7C2B7E-0F0E-4D28-9C67-3D1C0C4A2222';
const SECRET = 'sk_secret_of_the_upstream';
const good = { base_url: 'https://health.example/api/', api_key: SECRET };

const folder = createSpecFolder();

function file(content: unknown, mode = 0o600, name = 'upstreams.json'): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  chmodSync(path, mode);
  return path;
}
const read = (content: unknown, env = {}): Upstreams => readUpstreams(file(content), env);

describe('the file of upstreams', () => {
  it('has the key in itself, in a file beside it or in a variable', () => {
    file(`${SECRET}\n`, 0o600, 'a.key');
    const upstreams = read(
      {
        [teamA]: { ...good, header_name: 'x-brand-api-key' },
        [teamB]: { base_url: 'http://127.0.0.1:8080', api_key_file: 'a.key' },
        '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a3333': {
          base_url: 'http://upstream:8080',
          plain_http: true,
          api_key_env: 'UPSTREAM_KEY',
        },
      },
      { UPSTREAM_KEY: SECRET },
    );
    expect([...upstreams.keys()]).toContain(teamB.toLowerCase());
    expect([...upstreams.values()].map(({ apiKey }) => apiKey.reveal())).toEqual([
      SECRET,
      SECRET,
      SECRET,
    ]);
    expect(upstreams.get(teamA)).toMatchObject({
      baseUrl: 'https://health.example/api',
      headerName: 'x-brand-api-key',
    });
    const shown = `${inspect(upstreams, { depth: 9, showHidden: true })}${JSON.stringify([...upstreams])}`;
    expect(shown).not.toContain(SECRET);
  });

  it.each([0o640, 0o604, 0o666, 0o601])('is refused with mode %o, by its name', (mode) => {
    const path = file({ [teamA]: good }, mode);
    expect(() => readUpstreams(path, {})).toThrow(
      `${path} contains keys but is readable by other users`,
    );
  });

  it('is refused with a key file that others may read, or that is not there', () => {
    const key = file(SECRET, 0o644, 'open.key');
    const of = (name: string): object => ({
      [teamA]: { base_url: 'https://a.example', api_key_file: name },
    });
    expect(() => read(of('open.key'))).toThrow(
      `${key} contains keys but is readable by other users`,
    );
    expect(() => read(of('none.key'))).toThrow(/none\.key cannot be read \(ENOENT\)/);
  });

  it.each([
    [`{"${teamA}": {"api_key": "${SECRET}"`, /must be a JSON object/],
    [{ 'team a': good }, /must use team ids/],
    [{ [teamA]: good, [teamA.toUpperCase()]: good }, /is given more than once/],
    [{ [teamA]: { ...good, apikey: SECRET } }, /apikey is not a known field/],
    [{ [teamA]: { ...good, [`${SECRET} x`]: 1 } }, /one of the fields is not a known field/],
    [
      { [teamA]: { base_url: good.base_url } },
      /must have exactly one of api_key, api_key_file, api_key_env/,
    ],
    [
      { [teamA]: { base_url: good.base_url, api_key_env: 'NONE' } },
      /the variable .* must contain a key/,
    ],
    [{ [teamA]: { base_url: good.base_url, api_key_env: 'CAREGATE_X' } }, /must not begin with/],
    [{ [teamA]: { ...good, base_url: `https://u:${SECRET}@a.example` } }, /without user/],
    [{ [teamA]: { ...good, base_url: 'ftp://a.example' } }, /https:/],
    [{ [teamA]: { ...good, base_url: 'http://health.example' } }, /are sent unencrypted/],
    [{ [teamA]: { ...good, header_name: 'host' } }, /header_name/],
    [{ [teamA]: { ...good, plain_http: 'yes' } }, /plain_http must be true or false/],
  ])('is refused, without a word of a key, for %j', (content, message) => {
    let printed = '';
    try {
      read(content);
    } catch (error) {
      printed = (error as Error).message;
    }
    expect(printed).toMatch(message);
    expect(printed).not.toContain(SECRET);
  });
});
