import { useCallback, useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { IntlProvider, useIntl, type IntlShape } from 'react-intl';
import { LANGUAGES, type Language, type Settings } from '../../shared/app-state.ts';
import en from './en.json';

export type MessageKey = keyof typeof en;
type Catalog = Readonly<Record<MessageKey, string>>;

interface LoadedCatalog {
  readonly locale: string;
  readonly messages: Catalog;
}
export type Values = Readonly<Record<string, string | number | Date>>;

const catalogs: Readonly<Record<Language, () => Promise<Catalog>>> = {
  en: () => Promise.resolve(en),
  es: async () => (await import('./es.json')).default,
  ar: async () => (await import('./ar.json')).default,
};

function chooseLanguage(setting: Settings['language']): Language {
  if (setting !== 'system') return setting;
  const languages = navigator.languages.map((tag) => tag.split('-')[0]);
  return languages.map((tag) => LANGUAGES.find((one) => one === tag)).find(Boolean) ?? 'en';
}

export function TextProvider(props: { setting: Settings['language']; children: ReactNode }) {
  const { setting, children } = props;
  const language = chooseLanguage(setting);
  const [loaded, setLoaded] = useState<LoadedCatalog | undefined>(() =>
    language === 'en' ? { locale: toLocale('en'), messages: en } : undefined,
  );
  useEffect(() => {
    let isCurrent = true;
    void catalogs[language]().then((messages) => {
      if (isCurrent) setLoaded({ locale: toLocale(language), messages });
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  // A layout effect sets both before the first paint of the new language.
  useLayoutEffect(() => {
    if (loaded === undefined) return;
    document.documentElement.lang = loaded.locale;
    document.documentElement.dir = getDirection(loaded.locale);
  }, [loaded]);
  if (loaded === undefined) return null;
  const { locale, messages } = loaded;
  return (
    <I18nProvider locale={locale}>
      <IntlProvider locale={locale} messages={messages} onError={report}>
        {children}
      </IntlProvider>
    </I18nProvider>
  );
}

export function getDirection(locale: string): 'ltr' | 'rtl' {
  return locale.startsWith('ar') ? 'rtl' : 'ltr';
}

export type Text = (key: MessageKey, values?: Values) => string;
const texts = new WeakMap<IntlShape, Text>();

export function useText(): Text {
  const intl = useIntl();
  const cached = texts.get(intl);
  if (cached !== undefined) return cached;
  const created = createText(intl);
  texts.set(intl, created);
  return created;
}

/** Texts without values are cached, since each result row has six of them. */
function createText(intl: IntlShape): Text {
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

export function toLatinDigits(typed: string): string {
  return typed.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) =>
    String(digit.charCodeAt(0) & 15),
  );
}

/** Returns the language's own name. */
export function getLanguageName(language: Language): string {
  const [first = '', ...others] =
    new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return first.toLocaleUpperCase(language) + others.join('');
}

export function useFormatRole(): (role: string) => string {
  const text = useText();
  return (role) => {
    const key = `role.${role}`;
    return key in en ? text(key as MessageKey) : role;
  };
}

export function useFormatSex(): (sex: string) => string {
  const text = useText();
  return useCallback(
    (sex) => {
      const key = `sex.${sex}`;
      return key in en ? text(key as MessageKey) : text('value.quoted', { value: sex });
    },
    [text],
  );
}

/** Uses the region of the system, so that dates look as in other programs. */
function toLocale(language: Language): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}

function report(error: Error): void {
  // A missing text fails the tests. Users see its key.
  console.error(error.message);
}
