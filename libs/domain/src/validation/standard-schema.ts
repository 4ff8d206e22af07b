/**
 * The interface of https://standardschema.dev, which its authors want copied, so that nothing has to be installed for
 * it. Ours answers at once and never by a promise.
 */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output>;
    /** Carries the types alone; never set. */
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
