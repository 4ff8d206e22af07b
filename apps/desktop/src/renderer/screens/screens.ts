import { lazy } from 'react';
import type { ComponentType } from 'react';
import type { ScreenName } from '../state/navigation.tsx';

export const SCREENS: Readonly<Record<ScreenName, ComponentType>> = {
  find: lazy(async () => ({ default: (await import('./find/find.tsx')).FindScreen })),
  labs: lazy(async () => ({ default: (await import('./labs/labs.tsx')).LabsScreen })),
  insurance: lazy(async () => ({
    default: (await import('./insurance/insurance.tsx')).InsuranceScreen,
  })),
  person: lazy(async () => ({ default: (await import('./person/person.tsx')).PersonScreen })),
  accesses: lazy(async () => ({
    default: (await import('./auditor/accesses.tsx')).AccessesScreen,
  })),
  reviews: lazy(async () => ({ default: (await import('./auditor/reviews.tsx')).ReviewsScreen })),
  alarms: lazy(async () => ({ default: (await import('./auditor/alarms.tsx')).AlarmsScreen })),
  log: lazy(async () => ({ default: (await import('./auditor/log.tsx')).LogScreen })),
  settings: lazy(async () => ({
    default: (await import('./settings/settings.tsx')).SettingsScreen,
  })),
  about: lazy(async () => ({ default: (await import('./about/about.tsx')).AboutScreen })),
};
