import people from './data/people.json' with { type: 'json' };
import type { Random } from './random.ts';

type Sex = 'female' | 'male';

interface Home {
  readonly first_line: string;
  readonly second_line?: string | null;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
  /** Country code of two letters (ISO 3166-1). Not in the interface document, but required by the public API's SDKs. */
  readonly country: string;
}

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly fullName: string;
  readonly sex: Sex;
  readonly gender: string;
  readonly birthDate: string;
  readonly zone: string;
  readonly home: Home;
  readonly email: string;
  readonly phone: string;
}

/** `familyFirst`: the family name comes first, without a space. */
interface Culture {
  readonly weight: number;
  readonly female: readonly string[];
  readonly male: readonly string[];
  readonly family: readonly string[];
  readonly familyFirst?: boolean | undefined;
}
const cultures: readonly Culture[] = people.cultures;

/**
 * Places with phone number patterns reserved for fiction (US: 555-0100 to 0199; UK and Australia: for drama). `#`
 * stands for a digit.
 */
export const { places } = people;
type Place = (typeof places)[number];

const mailHosts = ['example.org', 'example.com', 'example.net'] as const;

export function drawPerson(random: Random): Person {
  const culture = random.pickWeighted(cultures);
  const sex: Sex = random.nextBoolean(0.53) ? 'female' : 'male';
  const firstName = random.pick(culture[sex]);
  const lastName = random.pick(culture.family);
  const fullName = culture.familyFirst ? `${lastName}${firstName}` : `${firstName} ${lastName}`;
  const place = random.pickWeighted(places);
  return {
    firstName,
    lastName,
    fullName,
    sex,
    gender: random.nextBoolean(0.03) ? random.pick(['other', 'unknown']) : sex,
    birthDate: drawBirthDate(random, 1934, 2006),
    zone: place.zone,
    home: drawHome(random, place),
    email: random.nextBoolean(0.9)
      ? drawEmail(random, firstName, lastName)
      : `member@${mailHosts[0]}`,
    phone: random.nextBoolean(0.93)
      ? fillDigits(random, place.phone)
      : place.phone.replaceAll('#', '0'),
  };
}

export function drawSubscriber(
  random: Random,
  person: Person,
  relation: 'partner' | 'kin',
): Person {
  const other = drawPerson(random);
  const lastName = random.nextBoolean(0.7) ? person.lastName : other.lastName;
  const born = Number(person.birthDate.slice(0, 4));
  const gap = random.nextInteger(20, 36);
  const partnerYear = Math.min(born + random.nextInteger(-6, 6), 2006);
  const kinYear = born >= 1975 ? born - gap : Math.min(born + gap, 2006);
  const year = relation === 'partner' ? partnerYear : kinYear;
  return {
    ...other,
    lastName,
    birthDate: drawBirthDate(random, year, year),
    zone: person.zone,
    home: person.home,
  };
}

function drawBirthDate(random: Random, fromYear: number, toYear: number): string {
  const year = random.nextInteger(fromYear, toYear);
  const day = new Date(Date.UTC(year, 0, random.nextInteger(1, 365)));
  return day.toISOString().slice(0, 10);
}

function drawHome(random: Random, place: Place): Home {
  return {
    first_line: `${random.nextInteger(1, 999)} ${random.pick(people.streets)}`,
    second_line: random.nextBoolean(0.3) ? random.pick(people.secondLines) : null,
    city: place.city,
    state: place.state,
    zip_code: fillDigits(random, place.zip),
    country: place.country,
  };
}

function drawEmail(random: Random, firstName: string, lastName: string): string {
  const plain = `${firstName}.${lastName}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const name = /^[a-z]{2,}\.[a-z]{2,}$/.test(plain) ? plain : 'member';
  return `${name}.${random.nextInteger(1, 9999)}@${random.pick(mailHosts)}`;
}

function fillDigits(random: Random, pattern: string): string {
  return pattern.replace(/#/g, () => String(random.nextInteger(0, 9)));
}
