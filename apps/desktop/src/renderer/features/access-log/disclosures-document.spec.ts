import { expect, it } from '@jest/globals';
import * as v from 'valibot';
import { printDocumentSchema } from '../../../shared/print.ts';
import { buildDisclosuresDocument } from './disclosures.tsx';

it.each([
  ['MRN-000101', false, ['MRN-000101'], 'disclosures.of user-1'],
  [undefined, false, [], 'disclosures.of user-1'],
  ['MRN-000101', true, ['••••'], 'disclosures.of ••••'],
])(
  'the report of who saw a patient begins each page with the ids that the auditor has: %s, masked %s',
  (clientUserId, masked, ids, name) => {
    const document = buildDisclosuresDocument((key) => key, {
      ...{ userId: 'user-1', clientUserId, masked, rows: [], period: 'until today' },
      frame: {
        paper: 'a4',
        language: 'en',
        direction: 'ltr',
        clinic: 'clinic',
        page: ['', '/', ''],
        footer: [],
      },
    });
    expect(v.is(printDocumentSchema, document)).toBe(true);
    expect(document.patient.name).toBe(name);
    expect(document.patient.facts.map(({ value }) => value)).toEqual(ids);
  },
);
