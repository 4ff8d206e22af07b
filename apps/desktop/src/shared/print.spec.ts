import { expect, it } from '@jest/globals';
import { CHANNELS } from './channels.ts';

it('a copy, a label and a document may come from more answers than one desk event names', () => {
  const recordIds = Array.from({ length: 450 }, (_none, place) => String(place));
  const copy = { text: 'copied', from: { document: 'insurance', recordIds } };
  expect(CHANNELS.copyText.request(copy)).toMatchObject({ ok: true });
});
