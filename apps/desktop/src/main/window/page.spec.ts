import { describe, expect, it } from '@jest/globals';
import { contentPolicy, pageFile } from './page.ts';

describe('pageFile', () => {
  it('returns the files of the page with their types', () => {
    expect(pageFile('/page', '/')).toEqual({
      file: '/page/index.html',
      contentType: 'text/html; charset=utf-8',
    });
    expect(pageFile('/page', '/assets/a.js')?.file).toBe('/page/assets/a.js');
    expect(pageFile('/page', '/assets/worker.mjs')?.contentType).toMatch(/^text\/javascript/u);
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
    expect(pageFile('/page', path)).toBeUndefined();
  });
});

describe('contentPolicy', () => {
  it('allows only what the design allows', () => {
    const policy = contentPolicy('n0nce');
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
