/** What each format expects, in words a person can act on; never with the value that was refused. */
export const FORMAT_MESSAGES = {
  uuid: 'must be a UUID, such as 3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10',
  'date-time': 'must be a date-time with its offset, such as 2024-05-01T08:30:00+02:00',
  date: 'must be a calendar date that exists, as YYYY-MM-DD',
  'time-zone-id': 'must be an IANA time zone id, such as Europe/Berlin, or UTC',
  'phone-number': 'must be a phone number in international form with a leading plus',
  'query-date':
    'must be a calendar date (YYYY-MM-DD) or an ISO date-time; a plus sign in an address is written %2B',
  'key-id': 'must be the id of a key: 12 letters and digits',
  'log-id': 'must be the id of an audit log: 12 hexadecimal digits',
  'record-id': 'must be the id of an audit record: 32 hexadecimal digits',
  'operation-name': 'must be the name of an operation',
  'reason-text': 'must be 20 to 2000 characters of text, without NUL',
  'note-text': 'must be at most 2000 characters of text, without NUL',
} as const;

export type FormatName = keyof typeof FORMAT_MESSAGES;
