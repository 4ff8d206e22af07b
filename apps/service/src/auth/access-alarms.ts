import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';

type Holder = { readonly keyId: string } | { readonly staffId: string };

/** The facts of each alarm: counts, and IDs of API keys, staff, teams and grants. They contain no patient data. */
export interface AccessAlarms {
  'break-glass': Holder & { readonly teamId: string; readonly grantId: string };
  /** `grants` is the number within the last 24 hours. */
  'break-glass-many': Holder & { readonly teamId: string; readonly grants: number };
  'break-glass-unreviewed': { readonly teamId: string; readonly unreviewed: number };
  'access-file-lost': { readonly file: string };
}
export type AccessAlarm = keyof AccessAlarms;

export class AccessEvents extends EventEmitter<{
  [Name in AccessAlarm]: [AccessAlarms[Name]];
}> {}

const MESSAGES: Readonly<Record<AccessAlarm, string>> = {
  'break-glass': 'Emergency access was granted and must be reviewed',
  'break-glass-many': 'A person uses emergency access unusually often',
  'break-glass-unreviewed': 'Several emergency access grants are waiting for review',
  'access-file-lost':
    'The file with keys and sessions was deleted or replaced while the service runs. Requests are answered 503. Stop the service, restore the file from a backup, and start again.',
};

export function logAlarms(events: AccessEvents, logger: Logger): void {
  for (const alarm of Object.keys(MESSAGES) as AccessAlarm[]) {
    events.on(alarm, (facts: object) => {
      logger.warn({ component: 'access', alarm, ...facts }, MESSAGES[alarm]);
    });
  }
}
