import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { configurationList } from './configuration-list.testing.ts';
import { readConfig, readSetting } from './read-config.ts';

const data = { CAREGATE_DATA: '/srv/caregate' };

describe('the configuration', () => {
  it('has a default for everything but the data folder', () => {
    expect(readConfig(data)).toMatchObject({ host: '127.0.0.1', port: 8080, databaseUrl: '' });
    expect(() => readConfig({})).toThrow('--data (or CAREGATE_DATA) is required');
  });

  it('takes a flag before a variable and a variable before the default', () => {
    const env = { ...data, CAREGATE_PORT: '81', CAREGATE_HOST: '::1' };
    expect(readConfig(env, { port: '0' })).toMatchObject({ port: 0, host: '::1' });
  });

  it('names an unknown variable', () => {
    expect(() => readConfig({ ...data, CAREGATE_RATE_LIMTI_PER_KEY: '7' })).toThrow(
      /^Unknown setting CAREGATE_RATE_LIMTI_PER_KEY: docs\/configuration\.md lists the settings\.$/u,
    );
  });

  it.each([
    ['CAREGATE_PORT', '65536'],
    ['CAREGATE_PORT', '80.5'],
    ['CAREGATE_RATE_LIMIT_PER_KEY', '0'],
    ['CAREGATE_CONCURRENCY_PER_KEY', '0'],
    ['CAREGATE_HOST', 'http://example.org'],
    ['CAREGATE_DATA', '  '],
    ['DATABASE_URL', 'mysql://caregate:pw@db.example/caregate'],
    ['DATABASE_URL', 'postgresql://caregate:pw@db.example'],
    ['CAREGATE_DATABASE_DURABILITY', 'two-machines'],
    ['CAREGATE_TRUSTED_PROXIES', '0.0.0.0/0'],
    ['CAREGATE_TRUSTED_PROXIES', '10.0.0.0/8,all'],
  ])('refuses %s=%s by its name, without the value', (variable, value) => {
    const read = (): unknown => readConfig({ ...data, [variable]: value });
    expect(read).toThrow(`${variable} must be `);
    expect(read).not.toThrow(`"${value}"`);
  });

  it('says everything that is wrong at once', () => {
    const read = (): unknown =>
      readConfig({ CAREGATE_PORT: 'x', CAREGATE_RATE_LIMIT_PER_KEY: 'y' });
    expect(read).toThrow(
      /CAREGATE_PORT must[^]*CAREGATE_DATA[^]*CAREGATE_RATE_LIMIT_PER_KEY must/u,
    );
  });

  it.each([
    'postgresql://caregate:pw@db.example/caregate',
    'postgresql://caregate:pw@10.0.0.7/caregate?sslmode=require',
    'postgresql://caregate:pw@10.0.0.7/caregate?sslmode=no-verify',
    'postgresql://caregate:pw@10.0.0.7/caregate?sslmode=verify-full&sslmode=disable',
    'postgresql://caregate:pw@10.0.0.7/caregate?sslmode=disable&ssl=no-verify',
    'postgresql://caregate:pw@10.0.0.7/caregate?sslmode=verify-full&uselibpqcompat=true',
    'postgresql://caregate:pw@localhost/caregate?host=10.0.0.7',
    'postgresql://caregate:pw@[2001:db8::1]/caregate',
  ])('refuses a database on another machine without verified TLS: %s', (url) => {
    const env = { ...data, DATABASE_URL: url };
    const refusal = /^DATABASE_URL names a database on another machine .*sslmode=verify-full/u;
    for (const read of [() => readConfig(env), () => readSetting(env, 'databaseUrl')]) {
      expect(read).toThrow(refusal);
      expect(read).not.toThrow(/pw@/u);
    }
  });

  it.each([
    'postgresql://caregate:pw@db.example/caregate?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    'postgresql://caregate:pw@127.0.0.1:5433/caregate',
    'postgresql://caregate:pw@[::1]/caregate',
    'postgresql://caregate:pw@localhost/caregate?sslmode=disable',
    'postgresql://caregate@localhost/caregate?host=/var/run/postgresql',
    'postgresql://caregate:pw@10.0.0.7/caregate?sslmode=disable',
  ])('takes a database that nobody else can listen to, or that is declared plain: %s', (url) => {
    const env = { ...data, DATABASE_URL: url };
    expect([readConfig(env).databaseUrl, readSetting(env, 'databaseUrl')]).toEqual([url, url]);
  });

  it('serves beyond this machine with a certificate, and wants its key beside it', () => {
    const both = { CAREGATE_TLS_CERT: '/etc/cert.pem', CAREGATE_TLS_KEY: '/etc/key.pem' };
    const host = '192.0.2.1';
    expect(readConfig({ ...data, ...both }, { host })).toMatchObject({ host, plainHttp: 'no' });
    for (const name of ['CAREGATE_TLS_CERT', 'CAREGATE_TLS_KEY'] as const) {
      expect(() => readConfig({ ...data, [name]: both[name] })).toThrow(
        '--tls-cert and --tls-key must be given together.',
      );
    }
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'localhost.example', '::ffff:10.0.0.1', '128.0.0.1'])(
    'refuses to serve %s over plain HTTP unless that is allowed',
    (host) => {
      const refusal =
        /is reachable from other machines, .* 127\.0\.0\.1 .* --plain-http \(or CAREGATE_PLAIN_HTTP=yes\)/u;
      expect(() => readConfig(data, { host })).toThrow(refusal);
      expect(() => readConfig({ ...data, CAREGATE_PLAIN_HTTP: 'no' }, { host })).toThrow(refusal);
      expect(readConfig({ ...data, CAREGATE_PLAIN_HTTP: 'yes' }, { host }).host).toBe(host);
    },
  );

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'serves %s, which only this machine reaches',
    (host) => {
      expect(readConfig(data, { host }).host).toBe(host);
    },
  );

  it('is what docs/configuration.md says', () => {
    const page = readFileSync(
      new URL('../../../../docs/configuration.md', import.meta.url),
      'utf8',
    );
    const [, list] = page.split(/<!-- configuration(?: end)? -->\n/u);
    expect(list?.trim()).toBe(configurationList());
  });
});
