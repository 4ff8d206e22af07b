import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode, root } from './install.mjs';

export const demoFile = join(root, 'node_modules/.caregate-demo.json');

/** Writes a ready file for the running demo with a new enrolment code. @returns whether a demo is running */
export async function enrolBeside(from, to) {
  if (!existsSync(from)) return false;
  const ready = JSON.parse(readFileSync(from, 'utf8'));
  try {
    await fetch(`${ready.base_url}/healthz`);
  } catch {
    return false; // It was killed.
  }
  const words = ['desks', 'enrol', '--data', ready.data, '--team', ready.team_id];
  const caregate = join(root, 'apps/service/bin/caregate.mjs');
  const output = execFileSync(pinnedNode, [caregate, ...words, '--name', 'Demo desk', '--json']);
  ready.identity_provider.enrolment_code = JSON.parse(output).code;
  writeFileSync(to, JSON.stringify(ready), { mode: 0o600 });
  return true;
}
