import type { Logger } from 'pino';
import type { AccessAlarm, AccessEvents } from './access-events.ts';

const messages: Readonly<Record<AccessAlarm, string>> = {
  'break-glass': 'Emergency access was granted and must be reviewed',
  'break-glass-many': 'A person uses emergency access unusually often',
  'break-glass-unreviewed': 'Several emergency access grants are waiting for review',
};

export function logAlarms(events: AccessEvents, logger: Logger): void {
  for (const alarm of Object.keys(messages) as AccessAlarm[]) {
    events.on(alarm, (facts: object) => {
      logger.warn({ component: 'access', alarm, ...facts }, messages[alarm]);
    });
  }
}
