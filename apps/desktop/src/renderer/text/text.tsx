import { useEffect, useLayoutEffect, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { IntlProvider, useIntl } from 'react-intl';
import type { IntlShape } from 'react-intl';
import { LANGUAGES } from '../../bridge/app-state.ts';
import type { Language, Settings } from '../../bridge/app-state.ts';
import { isTimeZone } from '../../bridge/time-zone.ts';
import en from './en.json';

/** Every text there is. */
export type MessageKey = keyof typeof en;
type Catalogue = Readonly<Record<MessageKey, string>>;

interface Spoken {
  readonly locale: string;
  readonly messages: Catalogue;
}
type Values = Readonly<Record<string, string | number | Date>>;

const catalogues: Readonly<Record<Language, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve(en),
  es: async () => (await import('./es.json')).default,
  ar: async () => (await import('./ar.json')).default,
};

/** The language of a setting: for `system`, the first of the system's languages that there is a catalogue for. */
function languageOf(
  setting: Settings['language'],
  system: readonly string[] = navigator.languages,
): Language {
  if (setting !== 'system') return setting;
  const wanted = system.map((tag) => tag.split('-')[0]);
  return wanted.map((tag) => LANGUAGES.find((one) => one === tag)).find(Boolean) ?? 'en';
}

/** The catalogue, direction, formats and time zone for everything below. */
export function TextProvider(props: {
  setting: Settings['language'];
  /** The clinic's; this computer's where there is none. */
  timeZone: string | undefined;
  children: ReactNode;
}): ReactElement | null {
  const { setting, timeZone, children } = props;
  const language = languageOf(setting);
  const [spoken, setSpoken] = useState<Spoken | undefined>(() =>
    language === 'en' ? { locale: localeOf('en'), messages: en } : undefined,
  );
  useEffect(() => {
    let wanted = true;
    void catalogues[language]().then((messages) => {
      if (wanted) setSpoken({ locale: localeOf(language), messages });
    });
    return () => {
      wanted = false;
    };
  }, [language]);
  // With the texts and never before them: no frame has one language's words in another's direction.
  useLayoutEffect(() => {
    if (spoken === undefined) return;
    document.documentElement.lang = spoken.locale;
    document.documentElement.dir = spoken.locale.startsWith('ar') ? 'rtl' : 'ltr';
  }, [spoken]);
  if (spoken === undefined) return null;
  const { locale, messages } = spoken;
  return (
    <I18nProvider locale={locale}>
      <IntlProvider
        locale={locale}
        messages={messages}
        onError={report}
        {...(timeZone !== undefined && isTimeZone(timeZone) && { timeZone })}
      >
        {children}
      </IntlProvider>
    </I18nProvider>
  );
}

export type Text = (key: MessageKey, values?: Values) => string;
const texts = new WeakMap<IntlShape, Text>();

/** The text of a key, with its values formatted into it. */
export function useText(): Text {
  const intl = useIntl();
  const known = texts.get(intl);
  if (known !== undefined) return known;
  const made = textOf(intl);
  texts.set(intl, made);
  return made;
}

/** Texts without values are formatted once: a table of results has six in each of its rows. */
function textOf(intl: IntlShape): Text {
  const plain = new Map<MessageKey, string>();
  return (key, values) => {
    if (values !== undefined) {
      return intl.formatMessage({ id: key }, values as Record<string, string>);
    }
    const text = plain.get(key) ?? intl.formatMessage({ id: key });
    plain.set(key, text);
    return text;
  };
}

/** Arabic and Persian digits as 0 to 9. */
export function latinDigits(typed: string): string {
  return typed.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) =>
    String(digit.charCodeAt(0) & 15),
  );
}

/** The word for a role; one that no catalogue has is shown as it came. */
export function useRoleText(): (role: string) => string {
  const text = useText();
  return (role) => {
    const key = `role.${role}`;
    return key in en ? text(key as MessageKey) : role;
  };
}

/** The word for the sex on record; one that no catalogue has is shown in quotation marks, as it came. */
export function useSexText(): (sex: string) => string {
  const text = useText();
  return (sex) => {
    const key = `sex.${sex}`;
    return key in en ? text(key as MessageKey) : text('value.quoted', { value: sex });
  };
}

/** The system's own region where it speaks the language, so that dates look as they do elsewhere on the computer. */
function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}

function report(error: Error): void {
  // A missing text is a mistake of ours: tests fail on it, people see the key.
  console.error(error.message);
}
