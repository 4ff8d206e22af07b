import type { User } from '@caregate/domain';
import type { MessageKey } from '../../i18n/text.tsx';

/** Makers' spelling, for providers that the person's sources don't name. */
const makers: Readonly<Record<string, string>> = {
  abbott_libreview: 'Abbott LibreView',
  apple_health_kit: 'Apple HealthKit',
  beurer_api: 'Beurer',
  dexcom: 'Dexcom',
  dexcom_v3: 'Dexcom',
  eight_sleep: 'Eight Sleep',
  fitbit: 'Fitbit',
  freestyle_libre: 'FreeStyle Libre',
  garmin: 'Garmin',
  google_fit: 'Google Fit',
  hammerhead: 'Hammerhead',
  health_connect: 'Health Connect',
  manual: 'Manual',
  oura: 'Oura',
  peloton: 'Peloton',
  polar: 'Polar',
  renpho: 'Renpho',
  strava: 'Strava',
  ultrahuman: 'Ultrahuman',
  wahoo: 'Wahoo',
  whoop: 'WHOOP',
  whoop_v2: 'WHOOP',
  withings: 'Withings',
  zwift: 'Zwift',
};

export function providerName(provider: string, connected: User['connected_sources']): string {
  const [, outer, inner] = /^(.+) \(([^(]+)\)$/su.exec(provider) ?? [];
  if (outer === undefined || inner === undefined) return nameOf(provider, connected);
  return `${nameOf(outer, connected)} (${nameOf(inner, connected)})`;
}

function nameOf(slug: string, connected: User['connected_sources']): string {
  const own = connected.find(({ source }) => source.slug === slug)?.source.name.trim();
  if (own !== undefined && own !== '' && own !== slug) return own;
  return Object.hasOwn(makers, slug) ? (makers[slug] ?? slug) : slug;
}

const types: Readonly<Record<string, MessageKey>> = {
  app: 'source.type.app',
  automatic: 'source.type.automatic',
  chest_strap: 'source.type.chestStrap',
  cuff: 'source.type.cuff',
  fingerprick: 'source.type.fingerprick',
  insulin_pump: 'source.type.insulinPump',
  manual_scan: 'source.type.manualScan',
  multiple_sources: 'source.type.several',
  phone: 'source.type.phone',
  ring: 'source.type.ring',
  scale: 'source.type.scale',
  unknown: 'source.type.unknown',
  watch: 'source.type.watch',
};

export function typeWord(type: string): MessageKey | undefined {
  return Object.hasOwn(types, type) ? types[type] : undefined;
}
