import type { AccessAct } from '../access-acts.ts';
import type { KeyRow } from './key-lookup.ts';

/** Label and team name are free text, so they are not recorded. */
export function keyAct(
  operation: AccessAct['operation'],
  key: Pick<KeyRow, 'key_id' | 'team_id' | 'role' | 'scopes' | 'cidrs' | 'expires_ms'>,
  more: AccessAct['details'] = {},
): AccessAct {
  const [scopes, cidrs] = [strings(key.scopes), strings(key.cidrs)];
  return {
    operation,
    teamId: key.team_id,
    keyId: key.key_id,
    details: {
      key_role: key.role,
      ...(scopes.length > 0 && { scopes: scopes.join(' ') }),
      ...(cidrs.length > 0 && { networks: cidrs.join(' ') }),
      expires: new Date(key.expires_ms).toISOString(),
      ...more,
    },
  };
}

/** Scopes and networks are stored as JSON arrays. */
export function strings(json: string): string[] {
  return JSON.parse(json) as string[];
}
