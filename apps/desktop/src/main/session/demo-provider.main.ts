import type { Session } from 'electron';

/** Trusts the certificate of the demo's provider, in this session and on this computer only. */
export function trustDemoProvider(session: Session, fingerprint: string): void {
  session.setCertificateVerifyProc(({ hostname, certificate }, answer) => {
    const isIt = hostname === '127.0.0.1' && certificate.fingerprint === fingerprint;
    // -3: Chromium's own verdict.
    answer(isIt ? 0 : -3);
  });
}
