import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createHmac, hkdfSync } from 'node:crypto';
import { ClientUserIds } from './details.ts';

describe('the pseudonym of a client user id', () => {
  it('is the HMAC of RFC 2104 with the key of its team, whatever the id', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uuid(),
        fc.string({ unit: 'binary', maxLength: 200 }),
        (secret, teamId, id) => {
          const info = `caregate audit client_user_id ${teamId}`;
          const key = Buffer.from(hkdfSync('sha256', secret, '', info, 32));
          const hmac = createHmac('sha256', key).update(id).digest('base64url');
          expect(new ClientUserIds(Buffer.from(secret)).hidden(teamId, id)).toBe(hmac);
        },
      ),
    );
  });
});
