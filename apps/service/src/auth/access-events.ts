import { EventEmitter } from 'node:events';

export type Who = { readonly keyId: string } | { readonly staffId: string };

export function whoOf(actor: Who): Who {
  return 'keyId' in actor ? { keyId: actor.keyId } : { staffId: actor.staffId };
}

/** Alarms. They contain only ids of keys, people, teams and grants, and counts; no data about patients. */
export interface AccessAlarms {
  'break-glass': Who & { readonly teamId: string; readonly grantId: string };
  'break-glass-many': Who & {
    readonly teamId: string;
    /** In the last 24 hours. */
    readonly grants: number;
  };
  'break-glass-unreviewed': { readonly teamId: string; readonly unreviewed: number };
}
export type AccessAlarm = keyof AccessAlarms;

export class AccessEvents extends EventEmitter<{
  [Name in AccessAlarm]: [AccessAlarms[Name]];
}> {}
