import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { AccessAlarm } from './access-events.ts';
import { AccessStore } from './access-store.ts';

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

@Injectable()
export class AlarmLog implements OnModuleInit {
  readonly #store: AccessStore;
  readonly #logger = new Logger('access');

  constructor(@Inject(AccessStore) store: AccessStore) {
    this.#store = store;
  }

  onModuleInit(): void {
    for (const alarm of Object.keys(alarms) as AccessAlarm[]) {
      this.#store.events.on(alarm, (facts: object) => {
        this.#logger.warn({ message: messageOf(alarm, facts), alarm, ...facts });
      });
    }
  }
}

function messageOf(alarm: AccessAlarm, facts: object): string {
  const message = alarms[alarm];
  return typeof message === 'string' ? message : message['staffId' in facts ? 'staff' : 'key'];
}
