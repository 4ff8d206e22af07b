import type { Session } from 'electron';

/**
 * Trusts the one certificate of the provider that was started with the demo, on this computer and in this session
 * alone: nobody vouches for its authority. All other certificates are judged as ever.
 */
export function trustDemoProvider(session: Session, fingerprint: string): void {
  session.setCertificateVerifyProc(({ hostname, certificate }, answer) => {
    const isIt = hostname === '127.0.0.1' && certificate.fingerprint === fingerprint;
    // As Chromium's own verdict is, unless it is that one.
    answer(isIt ? 0 : -3);
  });
}
