import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
let upstream: Server;
let to: string;

beforeAll(async () => {
  upstream = createServer((_, response) => response.end('right'));
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  to = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

describe('the command', () => {
  it('plays its fault every so many requests, and ends by a signal', async () => {
    const flags = ['--to', to, '--fault', 'too-many', '--retry-after', '3', '--every', '2'];
    const child = spawn(process.execPath, [main, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [first] = (await once(child.stdout, 'data')) as [Buffer];
      const [url = ''] = first.toString().split(' ');
      const statuses: [number, string | null][] = [];
      for (let ask = 0; ask < 4; ask += 1) {
        const answer = await fetch(url);
        await answer.arrayBuffer();
        statuses.push([answer.status, answer.headers.get('retry-after')]);
      }
      expect(statuses).toEqual([
        [200, null],
        [429, '3'],
        [200, null],
        [429, '3'],
      ]);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [[], '--to must be'],
    [['--to', 'ftp://a'], '--to must be'],
    [['--to', 'http://a', '--fault', 'x'], 'Unknown fault x. Faults: none, latency'],
    [['--to', 'http://a', '--fault', 'trickle', '--ms', '1.5'], '--ms must be a whole number.'],
    [['--to', 'http://a', '--fault', 'garbage', '--part', 'x'], '--part must be all or body.'],
    [['--to', 'http://a', '--cert', 'x'], '--cert and --key must be given together.'],
    [['--to', 'http://a', '--colour'], '--colour'],
  ])('refuses %j and says why', (flags, why) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...flags], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toContain(why);
    expect(stderr).toContain('--fault KIND');
  });
});
