import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { Bundled } from './packages.ts';
import { releaseTime } from './workspace.ts';

/** The packages that go with the service as a bill of materials, in JSON of CycloneDX 1.6. */
export function billOfMaterials(version: string, packages: readonly Bundled[]): string {
  const service = new Models.Component(Enums.ComponentType.Application, 'caregate', {
    version,
    bomRef: `caregate@${version}`,
  });
  const bom = new Models.Bom({
    metadata: new Models.Metadata({
      component: service,
      timestamp: new Date(releaseTime() * 1000),
    }),
    components: new Models.ComponentRepository(packages.map(componentOf)),
  });
  const json = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  const text = new Serialize.JsonSerializer(json).serialize(bom, { sortLists: true, space: 2 });
  return `${text}\n`;
}

function componentOf({ name, version, license, integrity }: Bundled): Models.Component {
  // As package URLs have them: https://github.com/package-url/purl-spec
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [own, group] = name.split('/').reverse() as [string, string?];
  const sha512 = integrity?.replace(/^sha512-/u, '');
  return new Models.Component(Enums.ComponentType.Library, own, {
    ...(group !== undefined && { group }),
    version,
    purl,
    bomRef: purl,
    ...(license !== undefined && {
      licenses: new Models.LicenseRepository([new Models.LicenseExpression(license)]),
    }),
    ...(sha512 !== undefined && {
      hashes: new Models.HashDictionary([
        [Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex')],
      ]),
    }),
  });
}
