import { describe, expect, it } from '@jest/globals';
import { buildContentPolicy, findPageFile } from './page.ts';

describe('pageFile', () => {
  it('returns the files of the page with their types', () => {
    expect(findPageFile('/page', '/')).toEqual({
      file: '/page/index.html',
      contentType: 'text/html; charset=utf-8',
    });
    expect(findPageFile('/page', '/assets/a.js')?.file).toBe('/page/assets/a.js');
    expect(findPageFile('/page', '/assets/worker.mjs')?.contentType).toMatch(/^text\/javascript/u);
  });

  it.each([
    '/../secret.html',
    '/%2e%2e/secret.html',
    '/..%2fsecret.html',
    '/assets/../../secret.js',
    '/%00.html',
    '/%zz.html',
    '/passwd',
    '/../page-two/index.html',
  ])('gives nothing for %s', (path) => {
    expect(findPageFile('/page', path)).toBeUndefined();
  });
});

describe('contentPolicy', () => {
  it('allows only what the design allows', () => {
    const policy = buildContentPolicy('n0nce');
    expect(policy).not.toMatch(/unsafe|https?:|\*|blob:|data: (?!;)/u);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'nonce-n0nce'",
        "connect-src 'self'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]),
    );
  });
});
