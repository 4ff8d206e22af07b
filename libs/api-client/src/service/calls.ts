import type { ApiPromise } from '../api-promise.ts';
import type { CallOptions, CallParts, Connection } from '../call.ts';
import type { Expected } from '../read-response.ts';
import { SERVICE_ROUTES } from '../service-route.ts';
import { createShapeCheck } from '../shape.ts';

export type Call<Answer, Arguments extends readonly unknown[] = []> = (
  connection: Connection,
  ...parameters: [...Arguments, options?: CallOptions]
) => ApiPromise<Answer>;

type Fields = Parameters<typeof createShapeCheck>[0];

export const noContent = { form: 'nothing' } as const;
export const plainText = { form: 'text', accept: 'text/plain' } as const;

/**
 * Creates the function for a route. It takes the route's name, not the route, so that bundlers can drop unused
 * functions. `answered` has the expected fields of a JSON response, or its form.
 */
export function call<Answer, Arguments extends readonly unknown[] = []>(
  name: keyof typeof SERVICE_ROUTES,
  answered: Fields | typeof noContent | typeof plainText,
  buildParts: (...parameters: Arguments) => CallParts = () => ({}),
): Call<Answer, Arguments> {
  const expected: Expected =
    answered === noContent || answered === plainText
      ? answered
      : { form: 'json', fault: createShapeCheck(answered as Fields) };
  return (connection, ...parameters) => {
    const options = parameters[buildParts.length] as CallOptions | undefined;
    const all = parameters as unknown as Arguments;
    return connection(
      { name, ...SERVICE_ROUTES[name] },
      expected,
      () => buildParts(...all),
      options,
    );
  };
}
