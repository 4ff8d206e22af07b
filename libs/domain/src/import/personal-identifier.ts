const E_MAIL = /^[^\s@/]+@[^\s@/]+\.[^\s@/]{2,}$/u;
const PHONE = /^(?:\+|00)?[\d\s().-]+$/u;

/**
 * Whether a `client_user_id` looks like an e-mail address or a phone number, which the interface document forbids there.
 * Digits alone are an ordinary running number: a phone number is told by its plus, its `00` or the marks between.
 */
export function looksLikePersonalIdentifier(clientUserId: string): 'email' | 'phone' | undefined {
  const text = clientUserId.trim();
  if (E_MAIL.test(text)) {
    return 'email';
  }
  const digits = text.replace(/\D/gu, '').length;
  const marked = /^(?:\+|00)|[\s().-]/u.test(text);
  // A calendar date has marks and eight digits and is no phone number.
  const isDate = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  return PHONE.test(text) && marked && !isDate && digits >= 7 && digits <= 15 ? 'phone' : undefined;
}
