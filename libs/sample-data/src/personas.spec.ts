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

  it('has data of each kind in Amara', () => {
    const kinds = new Set(dataOf(personas.amara).map((envelope) => envelope.kind));
    expect(kinds.size).toBe(6);
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

  it('shows Teodoro with abnormal lipids, a redraw pending and his spouse as insured', () => {
    const { results, missing_results, metadata, order_transaction } = resultsOf(personas.teodoro);
    expect(results.find((one) => one.slug === 'ldl-cholesterol')?.is_above_max_range).toBe(true);
    expect(missing_results?.map((one) => one.slug)).toEqual(['potassium']);
    expect(metadata.status).toBe('partial');
    expect(order_transaction?.status).toBe('active');
    expect(order_transaction?.orders.at(-1)?.origin).toBe('redraw');
    const insurance = dataOf(personas.teodoro).find((envelope) => envelope.kind === 'insurance');
    expect(insurance).toMatchObject({
      insurance: { relationship: 'Spouse', insured: { first_name: 'Marisol' } },
    });
  });

  it('shows Layla with two orders of one transaction', () => {
    const [first, second] = personas.layla.orderIds.map((id) => resultsOf(personas.layla, id));
    expect(first?.order_transaction).toEqual(second?.order_transaction);
    expect(first?.missing_results?.map((one) => one.slug)).toEqual(['ferritin']);
    expect(second?.results).toMatchObject([
      { slug: 'ferritin', value: 6, is_below_min_range: true },
    ]);
  });

  it('shows Olufemi with another birth date in the laboratory, and Sunniva with a critical potassium', () => {
    expect(resultsOf(personas.olufemi).metadata.dob).toBe('04/08/1960');
    expect(personas.olufemi.birthDate).toBe('1960-04-08');
    const { results } = resultsOf(personas.sunniva);
    expect(results.find((one) => one.slug === 'potassium')?.interpretation).toBe('critical');
  });

  it('shows Wren across the change of clocks, without an order', () => {
    const offsets = new Set<string>();
    for (const envelope of dataOf(personas.wren)) {
      if (envelope.kind !== 'mindfulness_minutes') continue;
      for (const point of envelope.data) offsets.add(point.start.slice(-6));
    }
    expect([...offsets].sort()).toEqual(['-05:00', '-06:00']);
    expect(personas.wren.orderIds).toEqual([]);
  });

  it('has nothing of Milo but the user', () => {
    expect(dataOf(personas.milo).map((envelope) => envelope.kind)).toEqual(['user']);
  });

  it('keeps to addresses and numbers reserved for fiction', () => {
    const phones = /^(\+1\d{3}55501\d\d|\+447700900\d{3}|\+61491570156)$/;
    for (const envelope of sampleEnvelopes({ users: 3000, kinds: ['insurance'] })) {
      if (envelope.kind !== 'insurance') continue;
      const { email, phone_number } = envelope.insurance.insured;
      if (email != null) expect(email).toMatch(/@example\.(org|com|net)$/);
      if (phone_number != null) expect(phone_number).toMatch(phones);
    }
  });
});
