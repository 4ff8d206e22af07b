import type { UserEnvelope, UserInfoEnvelope } from '@caregate/domain';

/** Somebody whose name is to be found, and what somebody may type to find them. */
export interface NamedPerson {
  readonly n: number;
  readonly given: string;
  readonly family: string;
  /** YYYY-MM-DD */
  readonly dob: string;
  readonly phone: string;
  readonly clientUserId: string;
  /** Written without spaces, the family name first. */
  readonly isDense: boolean;
}

interface Names {
  readonly given: readonly string[];
  readonly family: readonly string[];
  readonly isDense?: true;
}

const words = (text: string): readonly string[] => text.split(' ');

/** Real names of many scripts, and forms of names that programs get wrong. */
const scripts: readonly Names[] = [
  {
    given: words(
      'Stephen Catherine Philippa Geoffrey Margaret Katharine Jean-Luc Mary-Ann X D’Arcy',
    ),
    family: words("O'Brien Smith-Jones MacDonald Schmidt Meyer Ng O’Neill St.John Clarke Vaughan"),
  },
  {
    given: words('José María Iñaki Zoë Jürgen Łucja Søren Åsa Đorđe Þóra'),
    family: words('García Müller Nuñez Świątek Ørsted Groß Çelik Yıldız Dvořák Šarić'),
  },
  {
    given: words('Nguyễn Phượng Đức Quỳnh Thảo Ngân Cường Tuyết Hiếu Bảo'),
    family: ['Trần Lê', 'Phạm Thị', 'Đặng', 'Hoàng Văn', 'van der Berg', 'de la Cruz', 'Del Río'],
  },
  {
    given: words('Иван Мария Фёдор Юрий Наталья Александр'),
    family: words('Иванов Соловьёв Щербаков Достоевская Мельник Йовович'),
  },
  {
    given: words('Γιώργος Μαρία Ελένη Δημήτρης'),
    family: words('Παπαδόπουλος Αγγελοπούλου Νικολαΐδης'),
  },
  {
    given: words('ليلى محمّد فاطمة عبدالله خديجة'),
    family: words('الحدّاد الزهراني القحطاني بن‌يوسف المصري'),
  },
  { given: words('דָּוִד שרה משה רבקה'), family: words('בן־גוריון לוי כהן מזרחי') },
  {
    given: words('नरेन्द्र प्रिया लक्ष्मी अर्जुन'),
    family: words('शर्मा पटेल चतुर्वेदी मुखर्जी'),
  },
  { given: words('สมชาย วิไลวรรณ'), family: words('จันทร์โอชา ศรีสุวรรณ') },
  { given: words('雨桐 伟 秀英 子轩 浩然'), family: words('欧阳 王 李 张 司马'), isDense: true },
  { given: words('さくら 健太郎 美咲 翔'), family: words('山田 佐々木 髙橋 渡邊') },
  { given: words('민준 서연 지우 하늘'), family: words('김 이 박 남궁'), isDense: true },
  {
    given: ['a\u0301\u0323lva', '\u200fיוסף\u200e', 'Zoe\u0308', 'Ｍａｒｉａ'],
    family: [`${'Wolfeschlegel'.repeat(15)}stein`, 'x\u0300yz', 'ﬁsher', 'İIıi'],
  },
];

const none: Names = { given: [], family: [] };
const birthDates = ['1986-04-12', '1986-12-04', '2003-02-01', '1931-07-30', '2024-02-29'];

/**
 * People with the names of many scripts: the more people, the more share a name, a birth date (twins), or both. The same ones
 * each time.
 *
 * @param chart what their ids at the clinic begin with
 */
export function namedPeople(count: number, chart = 'MRN'): NamedPerson[] {
  return Array.from({ length: count }, (_, n) => {
    const { given, family, isDense = false } = scripts[n % scripts.length] ?? none;
    const round = Math.floor(n / scripts.length);
    // Two in a row have the same name, two of each three the same birth date.
    const name = Math.floor(round / 2);
    return {
      n,
      given: given[name % given.length] ?? '',
      family: family[(name + Math.floor(name / given.length)) % family.length] ?? '',
      dob: birthDates[Math.floor((round * 2) / 3) % birthDates.length] ?? '',
      phone: `+4144${String(6_680_000 + n * 37).padStart(7, '0')}`,
      clientUserId: `${chart}-${String(n).padStart(6, '0')}`,
      isDense,
    };
  });
}

/** Them as `caregate import` takes them: who they are, and nothing else. */
export function namedPersonEnvelopes(
  person: NamedPerson,
  owner: { readonly teamId: string; readonly userId: string },
): [UserEnvelope, UserInfoEnvelope] {
  const { teamId: team_id, userId: user_id } = owner;
  const at = '2024-01-01T00:00:00Z';
  const { given: first_name, family: last_name, dob, phone: phone_number } = person;
  return [
    {
      kind: 'user',
      user: {
        ...{ user_id, team_id, client_user_id: person.clientUserId, created_on: at },
        connected_sources: [],
        fallback_time_zone: { id: 'Europe/Zurich', source_slug: 'manual', updated_at: at },
      },
    },
    {
      ...{ kind: 'user_info', team_id, user_id, recorded_at: at },
      info: { first_name, last_name, dob, phone_number },
    },
  ];
}
