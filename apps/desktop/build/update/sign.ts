// `npm run sign-update -- KEY.pem stable|early STAGED DAYS FILE...`, on a machine that no network reaches: writes the
// manifest that offers these packages to STAGED of 100 desks for so many days.
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { decideUpdate } from '../../src/main/update/decide-update.ts';
import { holds } from '../../src/main/update/fetch-update.ts';
import {
  CHANNELS,
  factsOf,
  manifestName,
  openManifest,
  signManifest,
} from '../../src/main/update/update-manifest.ts';

const day = 24 * 60 * 60 * 1000;
const [keyFile = '', given = '', staged = '', days = '', ...files] = process.argv.slice(2);
const channel = CHANNELS.find((one) => one === given);
if (channel === undefined) throw new Error(`The channel is ${CHANNELS.join(' or ')}.`);
const key = createPrivateKey(readFileSync(keyFile));
const packages = files.map((file) => {
  const content = readFileSync(file);
  const facts = {
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
  return { file, ...factsOf(basename(file)), ...facts };
});
const [{ version } = { version: '' }, ...others] = packages;
if (others.some((other) => other.version !== version)) throw new Error('One version at a time.');
const issued = Date.now();
const signed = signManifest(
  {
    ...{ product: 'caregate-desktop', channel, version },
    ...{ issued, expires: issued + Number(days) * day },
    staged: Number(staged),
    files: packages.map(({ packaging, arch, file, size, sha256 }) => ({
      ...{ packaging, arch, name: basename(file), size, sha256 },
    })),
  },
  key,
);
const pin = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
const read = openManifest(signed, [pin]);
if (read === undefined) throw new Error('No desk would take this manifest.');
for (const { file, packaging, arch } of packages) {
  const desk = {
    now: issued,
    installed: '0.0.0',
    channel,
    newestSeen: 0,
    deskId: '',
    isInUse: false,
  };
  const decision = decideUpdate({ ...read, staged: 100 }, { ...desk, packaging, arch });
  if (decision.act === 'nothing' || !(await holds(file, decision.file))) {
    throw new Error(`No desk would take ${basename(file)}.`);
  }
}
writeFileSync(manifestName(channel), signed);
console.log(`${manifestName(channel)} offers ${version}; desks must pin ${pin}`);
