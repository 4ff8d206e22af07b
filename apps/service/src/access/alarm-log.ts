import type { Logger } from 'pino';
import type { AccessAlarm, AccessEvents } from './access-events.ts';

const alarms: Readonly<Record<AccessAlarm, string | Readonly<Record<'key' | 'staff', string>>>> = {
  'bulk-read': {
    key: 'A key reads an unusual number of records',
    staff: 'A member of staff reads an unusual number of records',
  },
  'many-people': {
    key: 'A key was shown an unusual number of different people in lists',
    staff: 'A member of staff was shown an unusual number of different people in lists',
  },
  'resolve-enumeration': {
    key: 'A key may be enumerating client user ids',
    staff: 'A member of staff may be enumerating client user ids',
  },
  'team-records': 'A team adds an unusual number of records to the audit log',
  'break-glass': 'Emergency access was granted and must be reviewed',
  'break-glass-many': 'A person uses emergency access unusually often',
  'break-glass-unreviewed': 'Several emergency access grants are waiting for review',
};

export function logAlarms(events: AccessEvents, logger: Logger): void {
  for (const alarm of Object.keys(alarms) as AccessAlarm[]) {
    events.on(alarm, (facts: object) => {
      logger.warn({ component: 'access', alarm, ...facts }, messageOf(alarm, facts));
    });
  }
}

function messageOf(alarm: AccessAlarm, facts: object): string {
  const message = alarms[alarm];
  return typeof message === 'string' ? message : message['staffId' in facts ? 'staff' : 'key'];
}
