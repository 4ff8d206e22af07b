import type { BreakGlassReason } from '@caregate/domain';
import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { WithWriteLock } from '@caregate/data-store/database';
import type { RecordAct } from './access-acts.ts';
import { AccessDatabase } from './access-database.ts';
import { accessEngines, teamA, type AccessFixture } from './access.testing.ts';

const desk = { teamId: teamA, role: 'front_desk', label: 'Amara Okafor' } as const;
const patient = 'a0000000-0000-4000-8000-00000000000a';
const why = {
  reasonCode: 'other' as BreakGlassReason,
  text: 'Unconscious at the front desk, lab values needed',
  userId: patient,
};
const auditor = { keyId: 'auditor', role: 'auditor' } as const;

async function asker({ store }: AccessFixture) {
  const { keyId } = await store.keys.create(desk);
  return { ...desk, keyId };
}

describe.each(accessEngines)('on $name', ({ openAccess }) => {
  it('records every change of a key with its IDs and without its label', async () => {
    const fixture = await openAccess();
    const { store, acts } = fixture;
    const created = await store.keys.create({ ...desk, cidrs: ['10.1.0.0/16'], teamName: 'North' });
    const next = await store.keys.rotate(created.keyId);
    await store.keys.revoke(created.keyId);
    expect(acts).toEqual([
      {
        ...{ operation: 'createKey', team_id: teamA, key_id: created.keyId, decision: 'allowed' },
        details: {
          ...{ key_role: 'front_desk', networks: '10.1.0.0/16' },
          expires: created.expires.toISOString(),
        },
      },
      {
        ...{ operation: 'rotateKey', team_id: teamA, key_id: next.keyId, decision: 'allowed' },
        details: {
          ...{ key_role: 'front_desk', networks: '10.1.0.0/16', replaces: created.keyId },
          expires: next.expires.toISOString(),
          old_key_expires: next.oldExpires.toISOString(),
        },
      },
      expect.objectContaining({ operation: 'revokeKey', key_id: created.keyId }),
    ]);
    expect(JSON.stringify(acts)).not.toMatch(/Amara|North/u);
  });

  it('records a grant and a review with salted hashes of their texts', async () => {
    const fixture = await openAccess();
    const { store, acts } = fixture;
    const by = await asker(fixture);
    const { grantId, expires } = await store.breakGlass.ask(by, why);
    const review = { outcome: 'justified', note: 'talked to the ward' } as const;
    await store.breakGlass.review(grantId, { ...review, by: auditor });
    const [grant] = await store.breakGlass.list({ all: true });
    const hashOf = (salt: Uint8Array | null | undefined, text: string): string =>
      createHash('sha256')
        .update(Buffer.concat([salt ?? Buffer.alloc(0), Buffer.from(text)]))
        .digest('hex');
    expect([grant?.text_salt.length, grant?.review_salt?.length]).toEqual([16, 16]);
    const named = {
      team_id: teamA,
      break_glass_id: grantId,
      patients: [patient],
      decision: 'allowed',
    };
    expect(acts.slice(1)).toMatchObject([
      {
        ...{ ...named, operation: 'breakGlass', by: { keyId: by.keyId, role: 'front_desk' } },
        details: {
          reason: 'other',
          granted: new Date(grant!.granted_ms).toISOString(),
          expires: expires.toISOString(),
          text_sha256: hashOf(grant?.text_salt, why.text),
        },
      },
      {
        ...{ ...named, operation: 'breakGlassReview', by: auditor },
        details: {
          outcome: 'justified',
          review_sha256: hashOf(grant?.review_salt, '["justified","auditor","talked to the ward"]'),
        },
      },
    ]);
    expect(JSON.stringify(acts)).not.toMatch(/Unconscious|ward/u);
  });

  it('no other process sees a change before its record is durable', async () => {
    const fixture = await openAccess();
    const { store } = fixture;
    const other = await fixture.openAnother();
    const by = await asker(fixture);
    let seen: number | undefined;
    fixture.instead = async () => {
      seen = (await other.breakGlass.findActiveGrants(by)).size;
    };
    await store.breakGlass.ask(by, why);
    expect(seen).toBe(0);
    expect((await other.breakGlass.findActiveGrants(by)).size).toBe(1);
  });
});

describe('a change that fails', () => {
  const act = { operation: 'createKey', team_id: teamA, key_id: 'key', details: {} } as const;
  const lost = new Error('disk I/O error');

  it.each([
    ['in its commit is recorded as failed', ['allowed', 'failed'], 'commit'],
    ['in its recording was never made, and is not', ['allowed'], 'record'],
  ])('%s', async (_, decisions, fails) => {
    const messages: string[] = [];
    const acts: RecordAct = (_, decision) => {
      messages.push(decision);
      return fails === 'record' ? Promise.reject(lost) : Promise.resolve();
    };
    const withWriteLock: WithWriteLock = async (one, body) => {
      const result = await body(one);
      if (fails === 'commit') throw lost;
      return result;
    };
    const engine = { reader: undefined as never, writer: undefined as never, withWriteLock };
    const database = new AccessDatabase({ ...engine, close: () => Promise.resolve() }, { acts });
    const change = database.change((_transaction, record) => record(act));
    await expect(change).rejects.toBe(lost);
    expect(messages).toEqual(decisions);
  });
});
