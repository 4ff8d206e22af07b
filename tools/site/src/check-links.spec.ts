import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkLinks } from './check-links.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-site-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What is found in a site of a page with this body, beside a few other files. */
function findingsIn(body: string): readonly string[] {
  const files = {
    'docs/page.html': `<!doctype html><title>x</title><body>${body}`,
    'docs/other.html': '<h2 id="früh">x</h2><a name="old"></a>',
    'index.html': '<p id="top">x</p>',
    'assets/icons.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/a b.png': '',
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return checkLinks(folder).findings;
}

describe('the check of links', () => {
  it.each([
    ['another page', '<a href="other.html">'],
    ['an anchor of another page, percent-encoded', '<a href="other.html#fr%C3%BCh">'],
    ['an anchor by name', '<a href="./other.html?x=1#old">'],
    ['an anchor of the page', '<h2 id="here">x</h2><a href="#here">'],
    ['the page itself', '<a href=""><a href="#">'],
    ['a folder with an index', '<a href="../"><a href="../#top">'],
    ['a symbol in a file that is no page', '<svg><use href="../assets/icons.svg#icon"/></svg>'],
    ['a name with a space', '<img src="../assets/a%20b.png">'],
    ['another host, followed by a person', '<a href="https://example.org/x#y">'],
    ['mail', '<a href="mailto:security@caregate.example">'],
    ['data in the page', '<img src="data:image/png;base64,AA==">'],
  ])('lets pass %s', (_what, body) => {
    expect(findingsIn(body)).toEqual([]);
  });

  it.each([
    ['a page that is not there', '<a href="gone.html">', 'gone.html: no such file'],
    ['a name in other letters', '<a href="Other.html">', 'Other.html: no such file'],
    ['an anchor that is not there', '<a href="other.html#x">', 'other.html#x: no such anchor'],
    ['an anchor that this page lacks', '<a href="#x">', '#x: no such anchor'],
    ['a folder without an index', '<a href="../assets/">', '../assets/: no such file'],
    ['a folder, as if it were a file', '<a href="../assets">', '../assets: no such file'],
    ['what is above the site', '<a href="../../x.html">', '../../x.html: no such file'],
    ['a picture that is not there', '<img src="x.png">', 'x.png: no such file'],
    ['a picture in a set', '<img srcset="a.png 1x">', 'a.png: no such file'],
    ['the root of a host', '<a href="/index.html">', '/index.html: from the root of a host'],
    ['broken encoding', '<a href="%E0%A4">', '%E0%A4: not percent-encoded UTF-8'],
    ['a link in a template', '<template><a href="x"></template>', 'x: no such file'],
    ['a scheme of ours', '<a href="site:x">', 'site:x: no address that a browser follows'],
    ['a script', '<a href="javascript:x">', 'javascript:x: no address that a browser follows'],
    ...[
      ['a script of another host', '<script src="https://cdn.example/a.js"></script>'],
      ['a style sheet', '<link rel="stylesheet" href="//cdn.example/a.js">'],
      ['a picture', '<img src="HTTPS://cdn.example/a.js">'],
      ['a frame', '<iframe src="https://cdn.example/a.js"></iframe>'],
      ['a font in a style', '<style>@font-face{src:url("https://cdn.example/a.js")}</style>'],
      ['a background', `<p style="background:url('https://cdn.example/a.js')">`],
      ['an import', '<style>@import "https://cdn.example/a.js";</style>'],
    ].map(([what = '', body = '']) => [
      `${what}, loaded from another host`,
      body,
      `${/(?:https:)?\/\/[^"')]*/iu.exec(body)?.[0] ?? ''}: loaded from another host`,
    ]),
  ])('finds %s', (_what, body, finding) => {
    expect(findingsIn(body)).toEqual([`docs/page.html: ${finding}`]);
  });

  it('finds what a style sheet would load', () => {
    writeFileSync(join(folder, 'a.css'), '@import url(b.css); p{background:url(//cdn.example/c)}');
    expect(checkLinks(folder).findings).toEqual([
      'a.css: b.css: no such file',
      'a.css: //cdn.example/c: loaded from another host',
    ]);
  });
});
