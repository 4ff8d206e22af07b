import { describe, expect, it } from '@jest/globals';
import { isTrustedFrame } from './sender.ts';

const page = { url: 'app://caregate/', parent: null };

describe('isTrustedFrame', () => {
  it("trusts the top frame at the page's origin", () => {
    expect(isTrustedFrame(page)).toBe(true);
    expect(isTrustedFrame({ ...page, url: 'app://caregate/index.html#find' })).toBe(true);
  });

  it.each([
    ['a frame that is gone', null],
    ['a frame inside the page', { ...page, parent: page }],
    ['a page of the web', { ...page, url: 'https://caregate/' }],
    ['another host', { ...page, url: 'app://caregate.example/' }],
    ['a host that begins alike', { ...page, url: 'app://caregate:1/' }],
    ['a user name in front', { ...page, url: 'app://caregate@evil.example/' }],
    ['a file', { ...page, url: 'file:///app/caregate/index.html' }],
    ['data', { ...page, url: 'data:text/html,app://caregate/' }],
    ['about:blank', { ...page, url: 'about:blank' }],
    ['no address', { ...page, url: '' }],
  ])('refuses %s', (_case, frame) => {
    expect(isTrustedFrame(frame)).toBe(false);
  });
});
