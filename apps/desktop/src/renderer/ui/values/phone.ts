import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Formats a phone number, such as (212) 555-0123 for +1 and +44 20 7946 0018 for other countries. Any other text is
 * returned unchanged.
 */
export function formatPhone(written: string): string {
  const number = parsePhoneNumberFromString(written);
  if (number === undefined) return written;
  return number.countryCallingCode === '1' ? number.formatNational() : number.formatInternational();
}
