import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** As people write it: (212) 555-0123 for +1, +44 20 7946 0018 for others; anything else unchanged. */
export function formatPhone(written: string): string {
  const number = parsePhoneNumberFromString(written);
  if (number === undefined) return written;
  return number.countryCallingCode === '1' ? number.formatNational() : number.formatInternational();
}
