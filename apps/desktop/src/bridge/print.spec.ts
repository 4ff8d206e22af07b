import { expect, it } from '@jest/globals';
import { CHANNELS } from './channels.ts';

it('a table, a label and a document may come from more answers than one desk event names', () => {
  const recordIds = Array.from({ length: 450 }, (_none, place) => String(place));
  expect(CHANNELS.saveTable.request({ document: 'activity', rows: [], recordIds })).toMatchObject({
    ok: true,
  });
});
