import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createIntl, RawIntlProvider } from 'react-intl';
import type { IntlShape } from 'react-intl';
import { Workspace, WorkspaceContext } from '../app/workspace.tsx';
import ar from '../i18n/ar.json' with { type: 'json' };
import en from '../i18n/en.json' with { type: 'json' };
import es from '../i18n/es.json' with { type: 'json' };

const catalogues = { en, es, ar };
type Locale = keyof typeof catalogues;
const created = new Map<string, IntlShape>();

/** Returns the markup of a component's first render. A missing text is an error. */
export function renderMarkup(
  element: ReactElement,
  locale: Locale = 'en',
  { timeZone = 'UTC', isMasked = false } = {},
): string {
  const value = new Workspace('find');
  if (isMasked) value.toggleMask();
  const placed = createElement(WorkspaceContext, { value, children: element });
  const provided = createElement(QueryClientProvider, { client: new QueryClient() }, placed);
  return renderToStaticMarkup(
    createElement(RawIntlProvider, { value: createTestIntl(locale, timeZone) }, provided),
  );
}

/** One for each language and time zone, since creating the formats takes longer than using them. */
function createTestIntl(locale: Locale, timeZone: string): IntlShape {
  const onError = (error: Error): never => {
    throw error;
  };
  const key = `${locale} ${timeZone}`;
  const intl =
    created.get(key) ?? createIntl({ locale, messages: catalogues[locale], onError, timeZone });
  created.set(key, intl);
  return intl;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/** The texts that a user reads, one for each element. */
export function extractText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/gu, '\n')
    .replaceAll(/&(?:amp|lt|gt|quot|#x27);/gu, (entity) => entities[entity] ?? entity)
    .replaceAll(/\n{2,}/gu, '\n');
}
