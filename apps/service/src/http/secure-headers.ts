import helmet, { type HelmetOptions } from 'helmet';
import { IncomingMessage, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';

const options: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  crossOriginEmbedderPolicy: true,
};

/** Computed once, since helmet would compute them for each response. */
export const SECURE_HEADERS: Readonly<OutgoingHttpHeaders> = computeHeaders(options);

function computeHeaders(helmetOptions: HelmetOptions): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(helmetOptions)(response.req, response, (error) => {
    if (error instanceof Error) {
      throw error;
    }
  });
  return { ...response.getHeaders() };
}
