import { beforeAll, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { Status } from '../../../shared/app-state.ts';
import { changePage } from '../../api/app-state.ts';
import { renderMarkup } from '../../ui/render.testing.ts';
import { usePrintFrame } from './print-document.ts';

beforeAll(() => {
  changePage({ status: { phase: 'signedIn', people: [] } as unknown as Status });
});

function ShowFrame() {
  const { language, direction, page } = usePrintFrame()(
    { paper: 'letter', part: 'all', masked: false },
    [],
  );
  return createElement('p', {}, [language, direction, page[0]].join(' '));
}

it.each([
  ['en', 'en ltr Page '],
  ['es', 'es ltr Página '],
  ['ar', 'ar rtl صفحة '],
] as const)(
  'prints %s in the direction of its words, whatever the screen has',
  (locale, expected) => {
    expect(renderMarkup(createElement(ShowFrame), locale)).toContain(expected);
  },
);
