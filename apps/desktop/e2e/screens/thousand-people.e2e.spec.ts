import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { namedPeople, namedPersonEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { NamedPerson } from '@caregate/sample-data';
import { eventually, untilFind } from '../support/desktop.testing.ts';
import type { Desktop } from '../support/desktop.testing.ts';
import { runCaregate, startDemo } from '../support/service.testing.ts';
import type { DemoService } from '../support/service.testing.ts';
import { findField } from '../support/states.testing.ts';
import { startedDesk, temporaryFolder } from '../support/started-desk.testing.ts';

/** 1,000 people of 13 scripts in a real service, found as people may spell them. */
const people = namedPeople(1000, 'DESK');
const scripts = 13;
let desktop: Desktop;
const folder = temporaryFolder();

async function startWithPeople(): Promise<DemoService> {
  const data = join(folder, 'data');
  const service = await startDemo('--users', '30', '--data', data);
  const file = join(folder, 'people.ndjson');
  const envelopes = people.flatMap((person) =>
    namedPersonEnvelopes(person, {
      teamId: sampleTeamId,
      userId: `d35c0000-0000-4000-8000-${String(person.n).padStart(12, '0')}`,
    }),
  );
  writeFileSync(file, envelopes.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await runCaregate('import', file, '--data', data);
  return service;
}
startedDesk(startWithPeople, async (there) => {
  ({ desktop } = there);
  await desktop.page.evaluate(() => window.caregate.signInToDemo({ role: 'front_desk' }));
  await untilFind(desktop.page);
});

const start = (text: string): string => Array.from(text).slice(0, 3).join('');
const nameOf = ({ given, family, isDense }: NamedPerson): string =>
  isDense ? `${family}${given}` : `${given} ${family}`;

const spellings: readonly (readonly [how: string, of: (person: NamedPerson) => string])[] = [
  ['the name', nameOf],
  ['in small letters', (person) => nameOf(person).toLowerCase()],
  [
    'the family name first',
    ({ given, family, isDense }) => (isDense ? `${family} ${given}` : `${family}, ${given}`),
  ],
  ['its letters and marks apart', (person) => nameOf(person).normalize('NFD')],
  ['the beginning of each word', ({ given, family }) => `${start(given)} ${start(family)}`],
  ['the name and the birth date', (person) => `${nameOf(person)} ${person.dob}`],
];

const searches = Array.from({ length: scripts * 3 }, (_, at) => {
  const person = people[(at % scripts) + scripts * (at + 3)]!;
  const [how, of] = spellings[(at + Math.floor(at / scripts) * 2) % spellings.length]!;
  return { script: at % scripts, how, person, text: of(person) };
});

interface Shown {
  readonly said: string;
  readonly rows: readonly string[];
  readonly more: boolean;
}

/** The rows of this very text. */
async function find(text: string): Promise<Shown> {
  const { page } = desktop;
  await page.getByLabel(findField).fill('');
  // What is found next is of this text.
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  await page.keyboard.insertText(text);
  const tidy = text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
  const searched = Array.from(tidy).slice(0, 200).join('');
  return eventually(`an answer for ${text}`, async () => {
    const [said, rows, more] = await Promise.all([
      page.locator('main [role=status]').first().innerText(),
      page.getByRole('option').allInnerTexts(),
      page.getByRole('button', { name: 'Show more' }).count(),
    ]);
    const isSaid = said.includes(`“${searched}”`) || said.includes('people have this name');
    return isSaid ? { said, rows, more: more > 0 } : undefined;
  });
}

describe('at the desk', () => {
  it.each(searches)('script $script, $how: $text', async ({ how, person, text }) => {
    const { rows, more } = await find(text);
    const isThere = rows.some((row) => row.includes(person.clientUserId));
    // Some scripts have more people of one name than rows; the birth date tells them apart.
    expect(isThere || (more && how !== 'the name and the birth date')).toBe(true);
    expect(rows.filter((row) => row.includes('DESK-')).length).toBeGreaterThan(0);
  });

  it('says of two with one name that there are two, and Enter opens neither', async () => {
    const { page } = desktop;
    const [one] = people;
    const { said, rows } = await find(nameOf(one!));
    expect(said).toContain(`${String(rows.length)} people have this name`);
    await page.keyboard.press('Enter');
    await page.getByText(`Choose one of the ${String(rows.length)} first.`).waitFor();
    expect(await page.getByRole('region', { name: 'Person', exact: true }).count()).toBe(0);
  });

  it('finds each of a name by its id, which opens by Enter', async () => {
    const { page } = desktop;
    await find('DESK-000013');
    await page.keyboard.press('Enter');
    const header = page.getByRole('region', { name: 'Person', exact: true });
    await header.getByText('DESK-000013').waitFor();
    await header.getByRole('heading', { name: nameOf(people[13]!) }).waitFor();
  });
});
