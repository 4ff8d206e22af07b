import { describe, expect, it } from '@jest/globals';
import { ANSWER_VALIDATORS } from '@caregate/domain/answers';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { caregate, newFolder, openSocket, start } from './caregate.testing.ts';

const folder = newFolder();
const demo = await start(['demo', '--users', '40'], folder, { TMPDIR: folder });
// The ready file may exist before the output has arrived through the pipe.
while (!demo.stdout().includes('Press Ctrl-C to stop.')) {
  await sleep(10);
}

const read = async (path: string, key?: string): Promise<Response> =>
  await fetch(new URL(path, demo.ready.base_url), {
    headers: key === undefined ? {} : { 'x-service-api-key': key },
  });

/** Returns the printed curl commands, with continuation lines joined as a shell does. */
function curls(): string[] {
  const text = demo.stdout().replaceAll('\\\n', '');
  return [...text.matchAll(/^ {2}(curl .*)$/gmu)].map(([, line = '']) => line);
}

/** Runs a printed command in a shell, after the printed variables were set. */
function paste(line: string): string {
  const variables = [...demo.stdout().matchAll(/^ {2}([A-Z_]+=.*)$/gmu)].map(([, one]) => one);
  return execFileSync('sh', ['-c', [...variables, line].join('\n')], { encoding: 'utf8' });
}

describe('caregate demo', () => {
  it('prints a line for each read that answers with the documented shape', () => {
    const validators = Object.values(ANSWER_VALIDATORS);
    expect(curls()).toHaveLength(validators.length);
    for (const [at, line] of curls().entries()) {
      const answer = paste(line);
      expect(answer.endsWith('\n')).toBe(true);
      expect([line, validators[at]?.(JSON.parse(answer)).ok]).toEqual([line, true]);
    }
  });

  it.each(['api.md', 'fhir.md'])('answers each request of docs/%s', (name) => {
    const page = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n(.*?)```/gmsu)].map(([, block = '']) => block);
    const lines = blocks.join('').replaceAll('\\\n', ' ').trim().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatch(/^curl /u);
      JSON.parse(paste(line.replace('curl', 'curl -fsS')));
    }
  });

  it('names in its ready file a key for each role and someone with data in all operations', async () => {
    const { keys, sample, team_id } = demo.ready;
    expect(statSync(demo.readyFile).mode & 0o777).toBe(0o600);
    expect(Object.keys(keys).sort()).toEqual(
      ['admin', 'auditor', 'billing', 'clinician', 'front_desk', 'integration'].sort(),
    );
    expect(team_id).toMatch(/^[0-9a-f-]{36}$/u);
    for (const [role, status] of Object.entries({ integration: 200, clinician: 200, admin: 403 })) {
      const path = `/v3/order/${sample!.order_id}/result`;
      expect([role, (await read(path, keys[role])).status]).toEqual([role, status]);
    }
  });

  it('has a documentation page that needs no other host and no inline script', async () => {
    const page = await read('/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/u);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/u);
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(['docs/swagger-ui-bundle.js', 'docs/init.js']));
    for (const link of links) {
      const address = new URL(link, new URL('/docs', demo.ready.base_url));
      expect(address.origin).toBe(demo.ready.base_url);
      const asset = await fetch(address);
      expect([link, asset.status]).toEqual([link, 200]);
      if (link.endsWith('.css')) {
        expect(await asset.text()).not.toMatch(/url\(\s*["']?(?:https?:)?\/\/|@import/u);
      }
    }
    const initText = await (await read('/docs/init.js')).text();
    expect(initText).toContain("url: 'openapi.json'");
    expect(initText).toContain('validatorUrl: null');
    expect(initText).not.toMatch(/https?:/u);
  });

  it('stops on SIGTERM with connections open, and leaves nothing behind', async () => {
    const idle = await openSocket(demo.ready.base_url);
    idle.write('GET /healthz HTTP/1.1\r\nhost: demo\r\n\r\n');
    const unfinished = await openSocket(demo.ready.base_url);
    unfinished.write('GET /healthz HTTP/1.1\r\nhos');
    expect(await demo.end('SIGTERM')).toBe(0);
    expect(existsSync(demo.readyFile)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('caregate demo with a folder of its own', () => {
  const data = newFolder();

  it('keeps the folder, and the same people are there the next time', async () => {
    const work = newFolder();
    const people = join(data, 'people');
    for (const run of [1, 2]) {
      const again = await start(['demo', '--users', '9', '--data', people], work);
      try {
        const headers = { 'x-service-api-key': again.ready.keys['clinician']! };
        const answer = await fetch(`${again.ready.base_url}/v2/user?limit=1`, { headers });
        const { total } = (await answer.json()) as { total: number };
        expect([run, total]).toEqual([run, 31]);
      } finally {
        await again.end('SIGINT');
      }
    }
    expect(existsSync(join(people, 'store.db'))).toBe(true);
  });

  it('refuses a folder that holds anything else', () => {
    const refused = caregate(['demo', '--data', data]);
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('are not from a demo');
  });
});
