import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pinnedNode, root } from './install.mjs';

export const demoFile = join(root, 'node_modules', '.caregate-demo.json');

/** Writes a ready file for the running demo with a new enrolment code. @returns whether a demo is running */
export async function enrolBeside(from, to) {
  if (!existsSync(from)) return false;
  const ready = JSON.parse(readFileSync(from, 'utf8'));
  try {
    await fetch(`${ready.base_url}/healthz`);
  } catch {
    return false; // It was killed.
  }
  const caregate = join(root, 'apps/service/bin/caregate.mjs');
  const words = ['desks', 'enrol', '--data', ready.data, '--team', ready.team_id];
  const made = await promisify(execFile)(
    pinnedNode,
    [caregate, ...words, '--name', 'Demo desk', '--json'],
    { cwd: root },
  );
  ready.identity_provider.enrolment_code = JSON.parse(made.stdout).code;
  writeFileSync(to, JSON.stringify(ready), { mode: 0o600 });
  return true;
}
