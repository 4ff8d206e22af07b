import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { AccessAlarm } from './access-events.ts';
import { AccessStore } from './access-store.ts';

const alarms: Readonly<Record<AccessAlarm, string>> = {
  'bulk-read': 'A key reads an unusual number of records',
  'resolve-enumeration': 'A key may be enumerating client user ids',
  'team-records': 'A team adds an unusual number of records to the audit log',
  'break-glass': 'Emergency access was granted and must be reviewed',
  'break-glass-many': 'A person uses emergency access unusually often',
  'break-glass-unreviewed': 'Several emergency access grants are waiting for review',
};

/** Logs every alarm as a warning: ids of keys, teams and grants, and counts. */
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
        this.#logger.warn({ message: alarms[alarm], alarm, ...facts });
      });
    }
  }
}
