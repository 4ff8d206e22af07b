import { expect, it } from '@jest/globals';
import { tellUpgrading } from './upgrade-progress.ts';

it('is told in a line every ten seconds from the third second on: the step, its index where it is known, the time so far', () => {
  const lines: string[] = [];
  let ms = 0;
  const tell = tellUpgrading({
    terminal: { isTTY: false, columns: 80, write: (text) => lines.push(String(text)) > 0 },
    now: () => ms,
  });
  for (; ms <= 20_000; ms += 500) {
    const step = ms < 10_000 ? 0 : 2;
    tell({ schema: 'store', step, of: 3, ofIndex: step === 0 ? undefined : 0.419 });
  }
  tell(undefined);
  expect(lines).toEqual([
    'Waiting for another instance that upgrades the schema "store" of the database: 0:02 so far\n',
    'The schema "store" of the database is upgraded, once: step 2 of 3, its index 41 %, 0:12 so far\n',
  ]);
});
