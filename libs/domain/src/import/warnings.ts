import type {
  InsuranceEnvelope,
  LabOrderResult,
  LabResultEnvelope,
  MindfulnessMinutesEnvelope,
  OrderEnvelope,
  UserEnvelope,
  UserInfoEnvelope,
} from '../generated/types.ts';
import { hasValidLoincCheckDigit } from '../validation/formats.ts';

/** One line of an import file. */
export type ImportEnvelope =
  | UserEnvelope
  | UserInfoEnvelope
  | OrderEnvelope
  | LabResultEnvelope
  | InsuranceEnvelope
  | MindfulnessMinutesEnvelope;

/** A warning about unusual data that is not an error. The message never contains the value. */
export interface Warning {
  path: (string | number)[];
  message: string;
}

/**
 * Returns warnings for a valid envelope: an ID that looks like personal data, a wrong LOINC check digit, an unusual
 * date of birth.
 */
export function listWarnings(envelope: ImportEnvelope): Warning[] {
  switch (envelope.kind) {
    case 'user':
      return listIdentifierWarnings(envelope.user.client_user_id);
    case 'lab_result':
      return listLabWarnings(envelope.result);
    case 'user_info':
    case 'order':
    case 'insurance':
    case 'mindfulness_minutes':
      return [];
  }
}

function listIdentifierWarnings(clientUserId: string): Warning[] {
  const kind = detectPersonalIdentifier(clientUserId);
  if (kind === undefined) {
    return [];
  }
  const what = kind === 'email' ? 'an e-mail address' : 'a phone number';
  return [
    {
      path: ['user', 'client_user_id'],
      message: `looks like ${what}; it must not contain personal data`,
    },
  ];
}

function listLabWarnings(result: LabOrderResult): Warning[] {
  const warnings: Warning[] = [];
  const dob = result.metadata.dob;
  if (typeof dob === 'string' && !/^\d{1,2}\/\d{1,2}\/\d{4}$/u.test(dob)) {
    warnings.push({
      path: ['result', 'metadata', 'dob'],
      message: 'does not have the form day/month/year',
    });
  }
  for (const list of ['results', 'missing_results'] as const) {
    for (const [index, { loinc }] of (result[list] ?? []).entries()) {
      if (typeof loinc === 'string' && !hasValidLoincCheckDigit(loinc)) {
        warnings.push({
          path: ['result', list, index, 'loinc'],
          message: 'is not a valid LOINC code: wrong check digit',
        });
      }
    }
  }
  return warnings;
}

const E_MAIL = /^[^\s@/]+@[^\s@/.]+\.[^\s@/]{2,}$/u;
const PHONE = /^(?:\+|00)?[\d\s().-]+$/u;

/**
 * Whether a `client_user_id` looks like an e-mail address or a phone number, which the interface document forbids.
 * Digits alone count as a running number; a phone number has a plus sign, a leading `00`, or separators.
 */
export function detectPersonalIdentifier(clientUserId: string): 'email' | 'phone' | undefined {
  const text = clientUserId.trim();
  if (E_MAIL.test(text)) {
    return 'email';
  }
  const digits = text.replace(/\D/gu, '').length;
  const hasSeparator = /^(?:\+|00)|[\s().-]/u.test(text);
  // A calendar date also has eight digits and separators.
  const isDate = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  return PHONE.test(text) && hasSeparator && !isDate && digits >= 7 && digits <= 15
    ? 'phone'
    : undefined;
}
