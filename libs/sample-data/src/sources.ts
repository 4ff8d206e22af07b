import type { Source } from '@caregate/domain';

export interface KnownSource {
  readonly slug: string;
  readonly name: string;
  readonly weight: number;
  /** What kind of device its mindfulness minutes come from; none where it gives none. */
  readonly types: readonly string[];
}

/** Slugs as wearable services write them; the last two apps are invented. */
export const knownSources: readonly KnownSource[] = [
  { slug: 'apple_health_kit', name: 'Apple HealthKit', weight: 24, types: ['watch', 'phone'] },
  { slug: 'fitbit', name: 'Fitbit', weight: 18, types: ['watch'] },
  { slug: 'oura', name: 'Oura', weight: 14, types: ['ring'] },
  { slug: 'garmin', name: 'Garmin', weight: 12, types: ['watch'] },
  { slug: 'health_connect', name: 'Health Connect', weight: 10, types: ['phone'] },
  { slug: 'withings', name: 'Withings', weight: 7, types: [] },
  { slug: 'polar', name: 'Polar', weight: 5, types: [] },
  { slug: 'dexcom_v3', name: 'Dexcom', weight: 4, types: [] },
  { slug: 'stillwater', name: 'Stillwater', weight: 8, types: ['app'] },
  { slug: 'quiet_minutes', name: 'Quiet Minutes', weight: 6, types: ['app'] },
];

export function sourceBySlug(slug: string): KnownSource {
  const found = knownSources.find((one) => one.slug === slug);
  if (found === undefined) throw new RangeError(`no source is called ${slug}`);
  return found;
}

/** As a user's connected sources show it; the logo's address leads nowhere on purpose. */
export function shownSource({ slug, name }: KnownSource): Source {
  return { logo: `https://example.com/logos/${slug}.png`, name, slug };
}
