import { lazy } from 'react';
import type { ComponentType } from 'react';
import type { MessageKey } from '../text/text.tsx';
import type { ScreenName } from '../state/navigation.tsx';

interface Screen {
  readonly title: MessageKey;
  readonly view: ComponentType;
  /** Whether it is about a person, and can't be opened without one. */
  readonly needsPerson: boolean;
}

/** Every screen of the shell, loaded when it is first opened. */
export const SCREENS = {
  find: {
    title: 'screen.find',
    view: lazy(async () => ({ default: (await import('./find/find.tsx')).FindScreen })),
    needsPerson: false,
  },
  labs: {
    title: 'screen.labs',
    view: lazy(async () => ({ default: (await import('./labs/labs.tsx')).LabsScreen })),
    needsPerson: false,
  },
  activity: {
    title: 'screen.activity',
    view: lazy(async () => ({ default: (await import('./activity/activity.tsx')).ActivityScreen })),
    needsPerson: true,
  },
  insurance: {
    title: 'screen.insurance',
    view: lazy(async () => ({
      default: (await import('./insurance/insurance.tsx')).InsuranceScreen,
    })),
    needsPerson: true,
  },
  recents: {
    title: 'screen.recents',
    view: lazy(async () => ({ default: (await import('./recents/recents.tsx')).RecentsScreen })),
    needsPerson: false,
  },
  person: {
    title: 'screen.person',
    view: lazy(async () => ({ default: (await import('./person/person.tsx')).PersonScreen })),
    needsPerson: true,
  },
  details: {
    title: 'screen.details',
    view: lazy(async () => ({ default: (await import('./person/person.tsx')).DetailsScreen })),
    needsPerson: true,
  },
  today: {
    title: 'screen.today',
    view: lazy(async () => ({ default: (await import('./today/today.tsx')).TodayScreen })),
    needsPerson: false,
  },
  accesses: {
    title: 'screen.accesses',
    view: lazy(async () => ({ default: (await import('./auditor/accesses.tsx')).AccessesScreen })),
    needsPerson: false,
  },
  reviews: {
    title: 'screen.reviews',
    view: lazy(async () => ({ default: (await import('./auditor/reviews.tsx')).ReviewsScreen })),
    needsPerson: false,
  },
  alarms: {
    title: 'screen.alarms',
    view: lazy(async () => ({ default: (await import('./auditor/alarms.tsx')).AlarmsScreen })),
    needsPerson: false,
  },
  log: {
    title: 'screen.log',
    view: lazy(async () => ({ default: (await import('./auditor/log.tsx')).LogScreen })),
    needsPerson: false,
  },
  settings: {
    title: 'screen.settings',
    view: lazy(async () => ({ default: (await import('./settings/settings.tsx')).SettingsScreen })),
    needsPerson: false,
  },
  about: {
    title: 'screen.about',
    view: lazy(async () => ({ default: (await import('./about/about.tsx')).AboutScreen })),
    needsPerson: false,
  },
} as const satisfies Readonly<Record<ScreenName, Screen>>;
