// Replaces this runtime's own app. It loads the app in the first argument that is a folder of one.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

// Like Electron's default app, runs the file of -r first. Test runners use it to delay `ready`.
const before = process.argv.indexOf('-r');
if (before !== -1) createRequire(import.meta.url)(resolve(process.argv[before + 1]));

const words = process.argv.slice(1);
const folder = resolve(words.find((word) => existsSync(join(word, 'package.json'))));
const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
process.defaultApp = true;
app.setName(about.productName ?? about.name);
app.setVersion(about.version);
app.setAppPath(folder);
// A top-level await, since Electron delays `ready` until the app's module has run.
await import(pathToFileURL(join(folder, about.main)).href);
