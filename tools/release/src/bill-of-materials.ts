import type { Bundled } from './packages.ts';
import { getReleaseTime } from './workspace.ts';

/** Lists the bundled packages as a bill of materials: https://cyclonedx.org/docs/1.6/json/ */
export function buildBillOfMaterials(version: string, packages: readonly Bundled[]): string {
  const service = {
    type: 'application',
    name: 'caregate',
    version,
    'bom-ref': `caregate@${version}`,
  };
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: new Date(getReleaseTime() * 1000), component: service },
    components: packages.map(toComponent),
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

function toComponent({ name, version, license, integrity }: Bundled): object {
  // https://github.com/package-url/purl-spec
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [own, group] = name.split('/').reverse();
  const sha512 = integrity?.replace(/^sha512-/u, '');
  return {
    type: 'library',
    name: own,
    group,
    version,
    'bom-ref': purl,
    hashes: sha512 && [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }],
    licenses: license && [{ expression: license }],
    purl,
  };
}
