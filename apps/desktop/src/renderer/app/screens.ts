import { lazy } from 'react';
import type { ComponentType } from 'react';
import type { ScreenName } from './navigation.tsx';

export const SCREENS: Readonly<Record<ScreenName, ComponentType>> = {
  find: lazy(async () => ({
    default: (await import('../features/search/search.tsx')).SearchScreen,
  })),
  labs: lazy(async () => ({ default: (await import('../features/labs/labs.tsx')).LabsScreen })),
  insurance: lazy(async () => ({
    default: (await import('../features/insurance/insurance.tsx')).InsuranceScreen,
  })),
  person: lazy(async () => ({
    default: (await import('../features/patient/overview.tsx')).PersonScreen,
  })),
  accesses: lazy(async () => ({
    default: (await import('../features/access-log/access-log.tsx')).AccessLogScreen,
  })),
  reviews: lazy(async () => ({
    default: (await import('../features/access-log/reviews.tsx')).ReviewsScreen,
  })),
  settings: lazy(async () => ({
    default: (await import('../features/settings/settings.tsx')).SettingsScreen,
  })),
  about: lazy(async () => ({ default: (await import('../features/about/about.tsx')).AboutScreen })),
};
