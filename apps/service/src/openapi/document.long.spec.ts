import { describe, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { PROFILES } from '../config/service-config.ts';
import { buildOpenApiDocument } from './document.ts';

interface Problem {
  readonly severity: string;
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

interface Redocly {
  createConfig(rules: object): Promise<object>;
  lintFromString(document: object): Promise<readonly Problem[]>;
}

type ValidatorClass = new () => {
  readonly version: string;
  validate(document: object): Promise<{ readonly valid: boolean; readonly errors?: unknown }>;
};

const ofLongTier = createRequire(
  new URL('../../../../tools/setup/long/package.json', import.meta.url),
);
const redocly = (await import(ofLongTier.resolve('@redocly/openapi-core'))) as Redocly;
const { Validator } = (await import(ofLongTier.resolve('@seriousme/openapi-schema-validator'))) as {
  Validator: ValidatorClass;
};

describe('the OpenAPI document', () => {
  it.each(PROFILES)('is valid OpenAPI 3.1 with the profile %s', async (profile) => {
    const validator = new Validator();
    const verdict = await validator.validate(
      JSON.parse(JSON.stringify(buildOpenApiDocument('1.2.3', profile))) as Record<string, unknown>,
    );
    expect(verdict.errors ?? []).toEqual([]);
    expect(verdict.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it.each(PROFILES)(
    'has nothing that Redocly’s recommended rules find, not even to warn of, with the profile %s',
    async (profile) => {
      const config = await redocly.createConfig({ extends: ['recommended'] });
      const source = JSON.stringify(buildOpenApiDocument('1.2.3', profile));
      const found = await redocly.lintFromString({ source, absoluteRef: '/openapi.json', config });
      expect(
        found.map(({ severity, ruleId, message, location }) => ({
          severity,
          ruleId,
          message,
          at: location.map(({ pointer }) => pointer),
        })),
      ).toEqual([]);
      // The rules find an error in a wrong document.
      const wrong = source.replace('"operationId":"resolveUser"', '"operationId":"listUsers"');
      const problems = await redocly.lintFromString({
        source: wrong,
        absoluteRef: '/openapi.json',
        config,
      });
      expect(problems.map(({ ruleId }) => ruleId)).toContain('operation-operationId-unique');
    },
  );
});
