/** Where an edge case is found once the set is imported. */
export interface EdgeCase {
  readonly userId: string;
  readonly clientUserId: string;
  /** Order of the lab result that has the case, if any. */
  readonly orderId?: string;
  /** What makes it an edge case. */
  readonly about: string;
}

/** An edge case in a lab result. */
export interface EdgeLabCase extends EdgeCase {
  readonly orderId: string;
}

const userIdOf = (number: number): string => numbered('a3c0de00-0000-4000-8000-', number);
const orderIdOf = (number: number): string => numbered('a3c0de00-0000-4000-9000-', number);

/** A version 4 UUID that ends in the number. */
export function numbered(prefix: string, number: number): string {
  return prefix + number.toString(16).padStart(12, '0');
}

function person(number: number, clientUserId: string, about: string): EdgeCase {
  return { userId: userIdOf(number), clientUserId, about };
}

function visit(number: number, clientUserId: string, about: string): EdgeLabCase {
  return { ...person(number, clientUserId, about), orderId: orderIdOf(number) };
}

/** Several edge cases are orders of one user. */
function order(number: number, about: string): EdgeLabCase {
  return { ...person(10, 'AWK-LABORATORY', about), orderId: orderIdOf(number) };
}

const slashesAndPercents = 'clinic/ward 7/50%/%2F/%zz/a+b?c#d&e=f;g//';

/** 200 characters, the longest supported. */
export const longClientUserId = slashesAndPercents
  .repeat(Math.ceil(200 / slashesAndPercents.length))
  .slice(0, 199)
  .concat('!');

/** Each case by name, so that tests can ask for it. */
export const edgeCases = {
  onlyRequired: person(
    1,
    'AWK-BARE',
    'required fields only, no sources, no data at all: groups are empty',
  ),
  nullsEverywhere: visit(
    2,
    'AWK-NULLS',
    'null in each nullable place of user, result and insurance',
  ),
  longClientUserId: person(
    3,
    longClientUserId,
    '200 characters with slashes, percent and other signs of addresses',
  ),
  rightToLeftClientUserId: person(
    4,
    '\u200fملف-٠٠٤٢\u200e/א',
    'right-to-left letters, digits and marks in the id',
  ),
  clientUserIdLikeEmail: person(
    5,
    'front.desk@example.org',
    'an id that looks like an e-mail address: a warning',
  ),
  clientUserIdLikePhone: person(
    6,
    '+12025550147',
    'an id that looks like a phone number: a warning',
  ),
  astralClientUserId: person(
    7,
    '𠮷野-🧪-e\u0301',
    'letters beyond the first plane and a combining mark',
  ),
  extraFields: visit(8, 'AWK-EXTRA', 'fields no document knows, at every level'),
  unknownValues: visit(9, 'AWK-UNKNOWN', 'a value nobody knows wherever an open enum is'),
  minimalResult: order(16, 'metadata empty, results with name, slug and result only'),
  emptyArrays: order(17, 'every array of a result empty'),
  textResults: order(18, 'results in words: >100, NEGATIVE, titres, dashes, two lines'),
  noRange: order(19, 'numbers without a reference range'),
  oneSidedRanges: order(20, 'ranges open below or above, and one turned round'),
  contradictoryFlags: order(21, 'flags, interpretation and text that contradict the number'),
  wrongLoincCheckDigit: order(22, 'LOINC codes with a wrong check digit: a warning'),
  unusualDob: order(23, 'a dob not written as day/month/year: a warning'),
  missingResults: order(24, 'each known failure, with every field a missing result has'),
  nestedSampleInformation: order(25, 'sample information many levels deep'),
  everyStatus: order(26, 'a transaction whose orders go through each known status'),
  fiveHundredBiomarkers: order(27, 'five hundred results'),
  extremeNumbers: order(28, 'very small, very large, negative and long numbers'),
  markupInText: order(29, 'text that looks like markup, a format or a path'),
  birthDateMismatch: visit(
    11,
    'AWK-IDENTITY',
    'the laboratory, the clinic and the insurer each have another birth date',
  ),
  nonLatinNames: visit(
    12,
    'AWK-NAMES',
    'names in several scripts, with combining and direction marks',
  ),
  veryLongNames: visit(13, 'AWK-LONG', 'names of 200 letters, with and without a place to break'),
  insuredByOther: person(14, 'AWK-GUARDIAN', 'a relationship other than Self; is_primary left out'),
  secondaryOnly: person(15, 'AWK-SECONDARY', 'a secondary insurance and no primary'),
  insuranceOutOfOrder: person(
    16,
    'AWK-ORDER',
    'the latest record comes first in the file; offsets differ',
  ),
  clockChanges: person(
    17,
    'AWK-DST',
    'sessions on both sides of clock changes, an hour that comes twice',
  ),
  unusualOffsets: person(18, 'AWK-OFFSETS', 'offsets +05:45, +14:00, -09:30, +10:30 and Z'),
  unusualLengths: person(19, 'AWK-LENGTHS', 'zero, fractional, day-long and contradictory minutes'),
  acrossMidnight: person(
    20,
    'AWK-MIDNIGHT',
    'sessions that cross midnight, the year and a leap day',
  ),
  manySources: person(
    21,
    'AWK-SOURCES',
    'one provider with two types, unknown ones, the same start twice',
  ),
  emptyData: person(22, 'AWK-EMPTY', 'an envelope without a single point'),
} as const satisfies Record<string, EdgeCase>;

export type EdgeCaseName = keyof typeof edgeCases;
