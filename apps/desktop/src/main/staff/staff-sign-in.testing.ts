import { DeskStore } from './desk-store.ts';
import { sealedByXor } from '../files/sealed-by-xor.testing.ts';
import { StaffSignIn } from './staff-sign-in.ts';

/** Of a desk that is not enrolled and offline. */
export function noStaff(folder: string): StaffSignIn {
  const refused = (): Promise<never> =>
    Promise.reject(new TypeError('net::ERR_CONNECTION_REFUSED'));
  return new StaffSignIn({
    fetch: refused,
    store: new DeskStore(sealedByXor(), folder),
    browser: { fetch: refused, openBrowser: refused, language: () => 'en' },
  });
}
