/** JSON of an OpenAPI 3.1 document, or of a part of one. */
export interface Json {
  readonly [name: string]: unknown;
}
