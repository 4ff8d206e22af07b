import { expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder } from '../caregate.testing.ts';

const at = commandFolder();

it('skips invalid lines only with --skip-invalid, into a file for its owner', async () => {
  const [first = '', ...rest] = Array.from(sampleEnvelopes({ users: 3 }), (one) =>
    JSON.stringify(one),
  );
  const wrong = first.replace(/"created_on":"[^"]*"/u, '"created_on":"yesterday"');
  const file = join(at.folder, 'mixed.ndjson');
  writeFileSync(file, [first, wrong, ...rest].join('\n'));
  expect(await at.caregate('import', file)).toMatchObject({ code: 2 });
  const skipped = join(at.folder, 'refused.ndjson');
  const words = ['import', file, '--skip-invalid', skipped];
  expect(await at.caregate(...words)).toMatchObject({ code: 0 });
  expect(statSync(skipped).mode & 0o777).toBe(0o600);
  expect((await at.caregate(...words)).out).toMatch(/unchanged/u);
});
