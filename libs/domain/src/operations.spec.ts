import { describe, expect, it } from '@jest/globals';
import { generateAnswersModule } from '../generate/entry-points-source.ts';
import { ANSWER_VALIDATORS } from './answers.ts';
import { NO_INSURANCE } from './index.ts';
import {
  OPERATION_NAMES,
  READ_OPERATIONS,
  type OperationName,
  type ReadOperation,
} from './operations.ts';
import { schemas, type JsonSchema } from './schema.ts';

const operations: Readonly<Record<string, ReadOperation>> = READ_OPERATIONS;

describe('the catalogue of operations', () => {
  it('gives each answer its validator', () => {
    for (const [name, { answer }] of Object.entries(operations)) {
      expect(ANSWER_VALIDATORS[name as OperationName].schema.description).toBe(
        schemas[answer].description,
      );
    }
    const pretend: ReadOperation = {
      route: { name: 'pretend', path: '/v2/pretend' },
      answer: 'OrderTransaction',
      roles: ['clinician'],
      scope: null,
      category: 'lab_result',
      summary: 'Pretend',
      description: 'Nothing.',
    };
    const text = generateAnswersModule({ ...operations, pretend });
    expect(text).toContain('  validateOrderTransaction,\n');
    expect(text).toContain('  pretend: validateOrderTransaction,\n');
  });
});

describe('the path of each operation', () => {
  const isParameter = (part: string): boolean => part.startsWith('{');

  it.each(OPERATION_NAMES)('of %s can be told from all others', (name) => {
    const parts = READ_OPERATIONS[name].route.path.split('/');
    const alike = OPERATION_NAMES.filter((other) => {
      const others = READ_OPERATIONS[other].route.path.split('/');
      return (
        others.length === parts.length &&
        others.every((part, at) => {
          const own = parts[at] ?? '';
          return part === own || isParameter(part) || isParameter(own);
        })
      );
    });
    expect(alike).toEqual([name]);
  });
});

describe('the example of each answer', () => {
  it.each(OPERATION_NAMES)('of %s is valid', (name) => {
    const { examples }: JsonSchema = schemas[READ_OPERATIONS[name].answer];
    expect(ANSWER_VALIDATORS[name](examples?.[0])).toMatchObject({ ok: true });
  });
});

describe('the type of a problem that programs tell apart', () => {
  it('is a reference that the service answers itself', () => {
    expect(NO_INSURANCE).toMatch(/^\/problems\/[a-z-]+$/u);
  });
});
