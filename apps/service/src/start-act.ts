import { createHash } from 'node:crypto';
import { hashPolicy } from './audit/answer-entry.ts';
import type { AuditAct } from './audit/audit-entries.ts';
import { isLoopback } from './config/parsers.ts';
import type { ServiceConfig } from './config/service-config.ts';
import type { PermissionTable } from './operations/permission-table.ts';
import { readVersion } from './config/version.ts';

export type StartCommand = 'serve' | 'demo';

export function buildStartAct(
  command: StartCommand,
  config: ServiceConfig,
  more: { readonly permissions: PermissionTable; readonly upstreamTeams: number },
): AuditAct {
  const { narrow, trustedProxies } = config;
  return {
    operation: 'startUp',
    policy_version: hashPolicy(more.permissions),
    details: {
      command,
      version: readVersion(),
      node: process.versions.node,
      engine: config.databaseUrl === '' ? 'sqlite' : 'postgresql',
      profile: config.profile,
      ...(narrow.trim() !== '' && { narrow: narrow.trim() }),
      listens: isLoopback(config.host) ? 'loopback' : 'network',
      plain_http: config.plainHttp,
      ...(trustedProxies.length > 0 && { trusted_proxies: trustedProxies.join(' ') }),
      upstream_teams: more.upstreamTeams,
      settings_sha256: hashSettings(config),
    },
  };
}

/** Leaves out user, password and query of URLs. */
export function hashSettings(config: ServiceConfig): string {
  const shown = { ...config, databaseUrl: withoutSecrets(config.databaseUrl) };
  const sorted = Object.entries(shown).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : `${url.protocol}//${url.host}${url.pathname}`;
}
