import { EventEmitter } from 'node:events';

/** Alarms. They contain only ids of keys, teams and grants, and counts; no data about patients. */
export interface AccessAlarms {
  'bulk-read': { readonly keyId: string; readonly teamId: string; readonly records: number };
  'resolve-enumeration': {
    readonly keyId: string;
    readonly teamId: string;
    readonly misses: number;
  };
  /** Audit records in an hour. */
  'team-records': { readonly teamId: string; readonly records: number };
  'break-glass': { readonly keyId: string; readonly teamId: string; readonly grantId: string };
  'break-glass-many': {
    readonly keyId: string;
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
