import { describe, expect, it } from '@jest/globals';
import { isTrustedSender } from './sender.ts';

const windows = new Set([7]);
const page = { url: 'app://caregate/', parent: null };

describe('isTrustedSender', () => {
  it("takes the top frame of one of our windows, at the page's origin", () => {
    expect(isTrustedSender(7, page, windows)).toBe(true);
    expect(isTrustedSender(7, { ...page, url: 'app://caregate/index.html#find' }, windows)).toBe(
      true,
    );
  });

  it.each([
    ['contents that are none of our windows', 8, page],
    ['a frame that is gone', 7, null],
    ['a frame inside the page', 7, { ...page, parent: page }],
    ['a page of the web', 7, { ...page, url: 'https://caregate/' }],
    ['another host', 7, { ...page, url: 'app://caregate.example/' }],
    ['a host that begins alike', 7, { ...page, url: 'app://caregate:1/' }],
    ['a user name in front', 7, { ...page, url: 'app://caregate@evil.example/' }],
    ['a file', 7, { ...page, url: 'file:///app/caregate/index.html' }],
    ['data', 7, { ...page, url: 'data:text/html,app://caregate/' }],
    ['about:blank', 7, { ...page, url: 'about:blank' }],
    ['no address', 7, { ...page, url: '' }],
  ])('refuses %s', (_case, id, frame) => {
    expect(isTrustedSender(id, frame, windows)).toBe(false);
  });
});
