const header = 'x-service-api-key';

/**
 * The key of a request, from the header lines as they were sent: Node joins a repeated header into one value, and what
 * stands before the service (a proxy, a log) may have seen the other one.
 *
 * @param rawHeaders names and values in turn, as Node's `IncomingMessage.rawHeaders`
 */
export function presentedKey(
  rawHeaders: readonly string[],
): { key: string } | 'missing' | 'repeated' {
  let key: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === header) {
      if (key !== undefined) {
        return 'repeated';
      }
      key = rawHeaders[index + 1];
    }
  }
  return key === undefined ? 'missing' : { key };
}
