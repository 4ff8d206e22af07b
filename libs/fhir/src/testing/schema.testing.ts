import { Ajv, type ValidateFunction } from 'ajv';
import type { FhirResource } from 'fhir/r4.js';
import r4 from './r4-schema.json' with { type: 'json' };

/** FHIR R4's own JSON Schema (HL7, CC0), cut down to the resources made here and the types they refer to. */
const ajv = new Ajv({ strict: false }).addSchema(r4);
const compiled = new Map<string, ValidateFunction>();

export function schemaErrors(resource: FhirResource): string[] {
  const { resourceType: type } = resource;
  const validate = compiled.get(type) ?? ajv.compile({ $ref: `fhir#/definitions/${type}` });
  compiled.set(type, validate);
  return validate(resource)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
