import { lazy, type ComponentType } from 'react';
import type { ScreenName } from './navigation.tsx';

export const SCREENS: Readonly<Record<ScreenName, ComponentType>> = {
  find: lazy(() => import('../features/search/search.tsx')),
  labs: lazy(() => import('../features/labs/labs.tsx')),
  insurance: lazy(() => import('../features/insurance/insurance.tsx')),
  person: lazy(() => import('../features/patient/overview.tsx')),
  accesses: lazy(() => import('../features/access-log/access-log.tsx')),
  reviews: lazy(() => import('../features/access-log/reviews.tsx')),
  settings: lazy(() => import('../features/settings/settings.tsx')),
  about: lazy(() => import('../features/about/about.tsx')),
};
