import { randomInt } from 'node:crypto';

/** Without I, L, O and U, which are easily mistaken. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const idLength = 4;
const codeLength = 10;

/** An enrolment code: its first four characters say which, the other six (30 bits, five tries) prove it. */
export interface EnrolmentCode {
  readonly codeId: string;
  readonly secret: string;
}

export function newCode(): EnrolmentCode {
  const text = Array.from({ length: codeLength }, () => letters.charAt(randomInt(32))).join('');
  return partsOf(text);
}

/** As it is shown: `K7QM-4XR2TD`. */
export function formatCode({ codeId, secret }: EnrolmentCode): string {
  return `${codeId}-${secret}`;
}

/** Reads a code as a person types it: either case, with or without hyphen, O for 0 and I or L for 1. */
export function readCode(typed: string): EnrolmentCode {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[\s-]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/gu, '1');
  return partsOf(plain);
}

function partsOf(text: string): EnrolmentCode {
  return { codeId: text.slice(0, idLength), secret: text.slice(idLength) };
}
