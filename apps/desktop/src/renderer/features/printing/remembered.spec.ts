import { expect, it } from '@jest/globals';
import { defaultSettings } from '../../../shared/app-state.ts';
import type { Settings } from '../../../shared/app-state.ts';
import { rememberDocument, rememberLabel } from './remembered.ts';

it('loses nothing where two are remembered at once', async () => {
  let stored: Settings = { ...defaultSettings, prints: { documents: [] } };
  const caregate = {
    settings: () => Promise.resolve({ ok: true, value: stored }),
    saveSettings: (settings: Settings) => {
      stored = settings;
      return Promise.resolve({ ok: true, value: stored });
    },
  };
  Object.assign(globalThis, { window: { caregate } });
  const [insurance, labs] = [
    { kind: 'insurance', paper: 'card', printer: 'Cards' } as const,
    { kind: 'labs', paper: 'a4', printer: 'Desk' } as const,
  ];
  const label = { printer: 'Labels', size: '54x25', copies: 2 };
  await Promise.all([rememberDocument(insurance), rememberLabel(label), rememberDocument(labs)]);
  expect(stored.prints).toEqual({ documents: [insurance, labs], label });
});
