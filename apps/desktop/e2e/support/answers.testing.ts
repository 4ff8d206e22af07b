import { NO_INSURANCE, NO_RESULT } from '@caregate/domain';
import { json, userOf, primaryOnly } from './fake-service.testing.ts';
import { people, searching, searchingAmong, tildas } from './found-people.testing.ts';
import type { Responder } from './fake-service.testing.ts';
import onePerson from './one-person.json' with { type: 'json' };
import {
  awaitedOrderId,
  historyOf,
  listOf,
  orderOf,
  ordersWith,
  otherOrderId,
} from './orders.testing.ts';

export const orderId = '3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10';

/** The result has one value for each flag, a missing value, the patient's own birth date, and its orders. */
export const { labResult, insurance, userInfo } = onePerson;
export const person = { ...userOf('MRN-1'), ...onePerson.more };

const word = 'Tetraiodothyronine-binding';
/** Names of 200 letters: with spaces, without spaces, and in Arabic. */
const names = [
  `${word} globulin saturation, calculated `.repeat(5).slice(0, 200),
  word.replace('-', '').repeat(8).slice(0, 200),
  'قياس تشبّع الغلوبولين الرابط للثيروكسين في المصل '.repeat(5).slice(0, 200),
];
const longNote =
  'The specimen was slightly haemolysed; potassium may read high. Repeat-on-a-fresh-specimen-if-in-doubt. ';
const arabicNote = 'كانت العيّنة منحلّة قليلًا، وقد تبدو قيمة البوتاسيوم مرتفعة. أعد القياس عند الشك. ';

/** The same report with texts as long as those of laboratories, or longer, in each language and with each flag. */
const longResult = {
  ...labResult,
  metadata: {
    ...labResult.metadata,
    patient: 'Maximiliane-Alexandra Featherstonehaugh-Cholmondeley von Hohenzollern-Sigmaringen',
    laboratory: 'مختبر الشمال المرجعي للكيمياء السريرية وأمراض الدم والمناعة والطفيليات',
    provider: 'DrBartholomewFotheringhamAshworthPembertonWithoutASpaceInHisWholeLongName',
    specimen_number: 'SPEC-0000000000000000000000000000000000001234567890',
    status: 'amended_after_a_second_look_by_the_medical_director',
  },
  results: names.flatMap((name) =>
    labResult.results.map((one, place) => ({
      ...one,
      name,
      unit: 'mL/min/{1.73_m2}/(24.h)/[arb_U]/10*12/L',
      notes: place % 2 === 0 ? longNote.repeat(2) : arabicNote.repeat(2),
      timestamp: '2026-05-01T08:30:00Z',
      loinc: '123456789-0123456789',
      ...(place > 3 && { min_range_value: -123456789.123456, max_range_value: 1.7e308 }),
      ...(place === 3 && { interpretation: 'dangerously_high_by_the_rules_of_this_laboratory' }),
      ...(place === 6 && { result: names[1] }),
    })),
  ),
  missing_results: names.map((name) => ({
    ...{ name, slug: 'f', note: longNote.repeat(2) },
    inferred_failure_type: 'some_reason_that_nobody_has_thought_of_before_it_came',
  })),
  sample_information: { [names[1]!]: { [names[0]!]: names[2] } },
};

const orders = labResult.order_transaction;
const [firstOrder] = orders.orders;

/** A final report that was corrected and later redrawn. Another order of the same test was cancelled. */
const correctedResult = {
  ...labResult,
  metadata: { ...labResult.metadata, status: 'final' },
  order_transaction: {
    ...orders,
    orders: [
      { ...firstOrder, low_level_status: 'corrected' },
      {
        ...firstOrder,
        id: '5f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a11',
        created_at: '2026-05-04T08:00:00Z',
        low_level_status: 'sent_by_balloon',
        origin: 'redraw',
      },
      {
        ...firstOrder,
        id: '6f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a12',
        created_at: '2026-05-03T08:00:00Z',
        low_level_status: 'cancelled',
        origin: 'recreation',
      },
    ],
  },
};

/** A report about a patient with another birth date. */
const anothersResult = {
  ...labResult,
  metadata: { ...labResult.metadata, dob: '19/01/1954', status: 'final' },
};

/** The previous version of the report. */
const earlierResult = {
  metadata: { ...labResult.metadata, status: 'partial', date_collected: '2026-01-10' },
  results: labResult.results.slice(0, 2).map((one) => ({ ...one, result: '141', value: 141 })),
};

const reportPath = `/v3/order/${orderId}`;

const minutes = {
  groups: {
    fitbit: [
      {
        source: { provider: 'fitbit', type: 'watch' },
        data: Array.from({ length: 20 }, (_, day) => {
          const start = `2026-03-${String(day + 1).padStart(2, '0')}T07:00:00+01:00`;
          return { start, end: start, unit: 'min', value: 5 + ((day * 7) % 20) };
        }),
      },
    ],
  },
  next_cursor: null,
};

/** A service with all data of one patient. */
export const everything: Responder = (request, response) => {
  const url = request.url ?? '';
  const audit = { 'x-audit-record-id': '9f4c2a7be1d05836c7a41f0e5b8d2963' };
  if (url.startsWith('/v2/user/resolve/MRN-1')) json(response, 200, person, audit);
  else if (url.includes('mindfulness')) json(response, 200, minutes, audit);
  else if (url.includes('/insurance/')) primaryOnly(request, response, insurance, audit);
  else if (url.includes('/info/')) json(response, 200, userInfo, audit);
  else if (url.startsWith('/desk/people/search')) searching(request, response);
  else if (url.startsWith('/v3/orders')) json(response, 200, listOf(ordersWith(orderId)), audit);
  else if (url.includes('/history')) json(response, 200, historyOf(orderId), audit);
  else if (url.includes(orderId)) json(response, 200, labResult, audit);
  else if (url.includes(otherOrderId)) json(response, 200, earlierResult, audit);
  else if (/^\/v2\/user\/?(?:\?|$)/u.test(url)) {
    json(response, 200, { users: [person], total: 1, offset: 0, limit: 500 }, audit);
  } else refusing(404)(request, response);
};

/** Answers all requests with this status. */
export function refusing(status: number): Responder {
  return (_request, response) => {
    json(response, status, { type: 'about:blank', title: 'No', status, detail: 'Nothing here.' });
  };
}

export const silent: Responder = () => undefined;

export const noInsurance = instead('/insurance/', (request, response) => {
  const which = request.url?.includes('false') === true ? 'secondary' : 'primary';
  json(response, 404, {
    type: NO_INSURANCE,
    title: 'No such insurance',
    status: 404,
    detail: `This user has no ${which} insurance on record.`,
  });
});

/** The service can't read insurance at the moment. */
export const insuranceDown = instead('/insurance/', refusing(503));

export const withBothInsurances = instead('/insurance/', (request, response) => {
  const isSecond = request.url?.includes('=false') === true;
  const which = isSecond ? { ...insurance, member_id: 'MEMBER-78' } : insurance;
  json(response, 200, which, { 'x-audit-record-id': '9f4c2a7be1d05836c7a41f0e5b8d2963' });
});

export const nobodyFound = instead('/desk/people/search', (_request, response) => {
  json(response, 200, { people: [], searched: 'people', total: 0, more: false });
});

/** A service whose upstream has no names. */
export const noSearch = instead('/desk/people/search', refusing(501));
export const noInfo = instead('/info/', refusing(404));

/** A gateway that searches the upstream's lab orders. */
export const ordersSearched = instead('/desk/people/search', (_request, response) => {
  json(response, 200, { people: people.slice(3, 4), searched: 'orders', total: 1, more: false });
});

/** All matches only sound similar. */
export const soundsLike = instead('/desk/people/search', (_request, response) => {
  const found = people.slice(1, 3).map((one) => ({ ...one, matched: 'sound' }));
  json(response, 200, { people: found, searched: 'people', total: 2, more: false });
});

export const twins = instead('/desk/people/search', searchingAmong(tildas));

export const noMinutes = instead('mindfulness', (_request, response) => {
  json(response, 200, { groups: {}, next_cursor: null });
});

export const noResults = instead(reportPath, (_request, response) => {
  json(response, 200, { metadata: labResult.metadata, results: [] });
});

/** The laboratory is still working on the first order of the list. */
export const withoutResult = instead(awaitedOrderId, (_request, response) => {
  const order_status = 'sample_with_lab.walk_in_test.delivered_to_lab';
  json(response, 404, { type: NO_RESULT, title: 'No result yet', status: 404, order_status });
});

export const withLongTexts = answering(longResult);
export const withCorrection = answering(correctedResult);
/** A corrected report, whose previous version had another value of Sodium and no Zinc. */
export const withVersionBefore: Responder = (request, response) => {
  const [sodium, , ...others] = labResult.results;
  const before = {
    ...correctedResult,
    results: [{ ...sodium, result: '141', value: 141 }, ...others],
  };
  if (request.url?.includes('/history') !== true) withCorrection(request, response);
  else json(response, 200, historyOf(orderId, before));
};
export const withoutHistory = instead('/history', refusing(500));
export const withoutOrders = instead('/v3/orders', refusing(501));
export const noOrders = instead('/v3/orders', (_request, response) => {
  json(response, 200, listOf([]));
});
/** The orders are from two sources, and one belongs to another patient. */
export const withOrdersOfOneId = instead('/v3/orders', (_request, response) => {
  const created = '2026-04-30T08:00:00Z';
  const same = orderOf({ id: orderId, created, status: 'completed', event: 'corrected' });
  const foreign = { ...same, user_id: '99999999-1111-4111-8111-111111111111' };
  json(response, 200, listOf([...ordersWith(orderId), same, foreign]));
});
export const withAnothersResult = answering(anothersResult);

function answering(result: unknown): Responder {
  return instead(reportPath, (_request, response) => {
    json(response, 200, result, { 'x-audit-record-id': '9f4c2a7be1d05836c7a41f0e5b8d2963' });
  });
}

/** Answers requests whose URL contains `part` with `how`, and all others with the patient's data. */
export function instead(part: string, how: Responder): Responder {
  return (request, response) => {
    (request.url?.includes(part) === true ? how : everything)(request, response);
  };
}
