import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { ImportEnvelope } from '@caregate/domain';
import { personas } from './personas.ts';
import type { Persona } from './personas.ts';
import { sampleEnvelopes, sampleUserEnvelopes } from './sample-envelopes.ts';

function dataOf(member: Persona): ImportEnvelope[] {
  return [...sampleUserEnvelopes(member.index)];
}

function resultsOf(member: Persona, orderId = member.orderIds.at(-1)) {
  for (const envelope of dataOf(member)) {
    if (envelope.kind === 'lab_result' && envelope.order_id === orderId) return envelope.result;
  }
  throw new Error('no such order');
}

describe('the personas', () => {
  it('is first in the sample and named in the README with ids', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const users = [...sampleEnvelopes({ users: 9, kinds: ['user'] })];
    Object.values(personas).forEach((member, index) => {
      expect(users[index]).toMatchObject({
        user: { user_id: member.userId, client_user_id: member.clientUserId },
      });
      for (const text of [member.fullName, member.userId, member.clientUserId]) {
        expect(readme).toContain(text);
      }
    });
  });

  it('shows Amara with a corrected report, its version before, a partial report, and an order that is awaited', () => {
    const data = dataOf(personas.amara);
    const reports = data.filter((envelope) => envelope.kind === 'lab_result');
    const ids = reports.map(({ order_id: id }) => id);
    const twice = ids.find((id, place) => ids.indexOf(id) !== place);
    const versions = reports.filter(({ order_id: id }) => id === twice);
    expect(
      versions.map(({ result }) => [
        result.results.find(({ slug }) => slug === 'potassium')?.result,
        result.order_transaction?.orders[0]?.low_level_status,
      ]),
    ).toEqual([
      ['5.6', 'completed'],
      ['4.4', 'corrected'],
    ]);
    expect(reports.map(({ result }) => result.metadata.status)).toContain('partial');
    const ordered = data.filter((envelope) => envelope.kind === 'order');
    const awaited = ordered.filter(({ order }) => !ids.includes(order.id));
    expect(awaited.map(({ order }) => order.last_event?.status)).toEqual([
      'sample_with_lab.testkit.delivered_to_lab',
    ]);
    expect(new Set(ordered.map(({ order }) => order.id)).size).toBe(ordered.length);
  });

  it('shows Olufemi with another birth date in the laboratory, and Sunniva with a critical potassium', () => {
    expect(resultsOf(personas.olufemi).metadata.dob).toBe('04/08/1960');
    expect(personas.olufemi.birthDate).toBe('1960-04-08');
    const { results } = resultsOf(personas.sunniva);
    expect(results.find((one) => one.slug === 'potassium')?.interpretation).toBe('critical');
  });

  it('keeps to addresses and numbers reserved for fiction', () => {
    const phones = /^(\+1\d{3}55501\d\d|\+447700900\d{3}|\+61491570156)$/;
    for (const envelope of sampleEnvelopes({ users: 500, kinds: ['insurance'] })) {
      if (envelope.kind !== 'insurance') continue;
      const { email, phone_number } = envelope.insurance.insured;
      if (email != null) expect(email).toMatch(/@example\.(org|com|net)$/);
      if (phone_number != null) expect(phone_number).toMatch(phones);
    }
  });
});
