import { emptyTeam, json, userOf, primaryOnly } from './fake-service.testing.ts';
import type { Responder } from './fake-service.testing.ts';
import { orderId } from './answers.testing.ts';
import people from './printed-people.json' with { type: 'json' };

/**
 * A patient whose insurance and lab result are printed, with ordinary names, or with names, IDs and notes of double
 * length, one of which has no place to break. The patient isn't the policyholder. `onCard` must be on the printed
 * insurance, and each page must begin with the `identifiers`.
 */
export type PrintedPerson = ReturnType<typeof withResults>;

function withResults({ lab, ...person }: (typeof people)['ordinary' | 'long']) {
  const { metadata, missing_results, test, note } = lab;
  const results = Array.from({ length: 40 }, (_, index) => ({
    name: `${test}${String(index)}`,
    slug: `marker-${String(index)}`,
    result: `${String(100 + index)}.5`,
    value: 100.5 + index,
    unit: index % 5 === 0 ? 'mL/min/{1.73_m2}' : 'mmol/L',
    min_range_value: 1,
    max_range_value: index < 6 ? 90 : 200,
    timestamp: '2026-05-01T08:30:00Z',
    loinc: '2951-2',
    ...(index === 3 && { interpretation: 'panic' }),
    ...(index % 7 === 0 && { notes: note }),
  }));
  return { ...person, lab: { metadata, missing_results, results } };
}

export const ordinary = withResults(people.ordinary);
export const long = withResults(people.long);

/** A service with only this patient. */
export function serviceOf({ clientUserId, info, insurance, lab }: PrintedPerson): Responder {
  const audit = { 'x-audit-record-id': '9f4c2a7be1d05836c7a41f0e5b8d2963' };
  return (request, response) => {
    const url = request.url ?? '';
    if (url.startsWith('/v2/user/resolve/')) json(response, 200, userOf(clientUserId), audit);
    else if (url.includes('/info/')) json(response, 200, info, audit);
    else if (url.includes('/insurance/')) primaryOnly(request, response, insurance, audit);
    else if (url.includes(orderId)) json(response, 200, lab, audit);
    else emptyTeam(request, response);
  };
}
