import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * What a browser may do with an answer. Nothing of this service is meant to be framed, cached or run elsewhere; the
 * documentation page lives on scripts, styles and pictures of its own address alone.
 */
export const SECURE_HEADERS: FastifyHelmetOptions = {
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
