import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly body: Buffer | string;
}

/**
 * URLs are relative, to work behind a proxy's path prefix. The Content-Security-Policy allows neither inline scripts
 * nor other origins.
 */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Caregate API</title>
  <link rel="stylesheet" href="docs/swagger-ui.css">
  <link rel="stylesheet" href="docs/page.css">
  <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
</head>
<body>
  <div id="swagger-ui"></div>
  <noscript>This page needs JavaScript. The OpenAPI document is at <a href="openapi.json">openapi.json</a>.</noscript>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/init.js"></script>
</body>
</html>
`;

/** Without `validatorUrl: null`, the page would send the address of our document to a server on the internet. */
const init = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  queryConfigEnabled: false,
  defaultModelsExpandDepth: 0,
});
`;

const css = `html { box-sizing: border-box; overflow-y: scroll; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: #fafafa; }
.problem { max-width: 44rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #222; }
`;

const ownAssets: Readonly<Record<string, Asset>> = {
  'init.js': { type: 'text/javascript; charset=utf-8', body: init },
  'page.css': { type: 'text/css; charset=utf-8', body: css },
};

const vendored: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const loaded = new Map<string, Asset>();

export async function loadDocsAsset(name: string): Promise<Asset | undefined> {
  const file = Object.hasOwn(ownAssets, name) ? ownAssets[name] : loaded.get(name);
  if (file !== undefined || !Object.hasOwn(vendored, name)) {
    return file;
  }
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const asset = { type: vendored[name] ?? '', body: await readFile(join(folder, name)) };
  loaded.set(name, asset);
  return asset;
}
