/**
 * The Standard Schema interface (https://standardschema.dev), which is meant to be copied instead of installed.
 * Validators here are always synchronous.
 */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output>;
    /** Only carries types for TypeScript; never set at run time. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly PropertyKey[] | undefined;
      }[];
    };
