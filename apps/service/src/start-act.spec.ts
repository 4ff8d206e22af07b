import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { readConfig } from './config/read-config.ts';
import { settingNames, type ServiceConfig } from './config/service-config.ts';
import { parseNarrowing } from './operations/permission-table.ts';
import { hashSettings, buildStartAct } from './start-act.ts';

const narrow = 'front_desk.labOrderResult=no';
const secret = 'canary-7f3a';
const config: ServiceConfig = {
  ...readConfig({ CAREGATE_DATA: '/srv/caregate', CAREGATE_NARROW: narrow }),
  host: '10.0.0.1',
  plainHttp: 'yes',
  trustedProxies: ['10.0.0.0/8'],
  databaseUrl: `postgresql://service:${secret}@db.example:5432/caregate?password=${secret}`,
};
const permissions = parseNarrowing(narrow);

describe('the record of a start', () => {
  it('has the settings that matter to an auditor, and no secret', () => {
    const act = buildStartAct('serve', config, { permissions, upstreamTeams: 2 });
    expect(act).toMatchObject({
      operation: 'startUp',
      policy_version: expect.stringMatching(/^[0-9a-f]{16}$/u),
      details: {
        command: 'serve',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/u),
        ...{ engine: 'postgresql', profile: 'interface', narrow },
        ...{ listens: 'network', plain_http: 'yes', trusted_proxies: '10.0.0.0/8' },
        upstream_teams: 2,
        settings_sha256: hashSettings(config),
      },
    });
    expect(JSON.stringify(act)).not.toContain(secret);
    expect(JSON.stringify(act)).not.toContain('10.0.0.1');
  });

  it('has a digest that every setting changes, in any order, and no secret does', () => {
    const digest = hashSettings(config);
    fc.assert(
      fc.property(fc.constantFrom(...settingNames), (name) => {
        const changed = { ...config, [name]: 'https://elsewhere.example/' };
        expect(hashSettings(changed)).not.toBe(digest);
      }),
    );
    const reversed = Object.fromEntries(Object.entries(config).reverse());
    expect(hashSettings(reversed as unknown as ServiceConfig)).toBe(digest);
    const text = JSON.stringify(config).replaceAll(secret, 'another');
    expect(hashSettings(JSON.parse(text) as ServiceConfig)).toBe(digest);
  });
});
