import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * The part of a browser that a sign-in needs: it keeps cookies and follows redirects, except those to a loopback
 * address.
 */
export class Browser {
  readonly #ca: string;
  readonly #cookies = new Map<string, string>();

  /** @param ca PEM of the authority that it trusts */
  constructor(ca: string) {
    this.#ca = ca;
  }

  /**
   * Opens an authorization request and clicks on the person, or on Cancel if `subject` is undefined. Returns the
   * redirect URL of the provider without opening it.
   *
   * @throws Error with the page's text if the provider shows no sign-in page
   */
  async signIn(authorization: string, subject: string | undefined): Promise<URL> {
    const page = await this.#follow(new URL(authorization));
    if ('back' in page) return page.back;
    if (page.answer.status !== 200) throw new Error(page.answer.body);
    const chosen = new URLSearchParams({ subject: subject ?? '' }).toString();
    const done = await this.#follow(page.url, chosen);
    if ('back' in done) return done.back;
    throw new Error(done.answer.body);
  }

  async #follow(
    from: URL,
    form?: string,
  ): Promise<{ readonly back: URL } | { readonly url: URL; readonly answer: Answer }> {
    let [url, body] = [from, form];
    for (let count = 0; count < 10; count += 1) {
      const answer = await this.#ask(url, body);
      const { location } = answer.headers;
      if (location === undefined) return { url, answer };
      const next = new URL(location, url);
      if (next.pathname === '/callback') return { back: next };
      [url, body] = [next, undefined];
    }
    throw new Error('The provider redirects without end.');
  }

  async #ask(url: URL, form: string | undefined): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send(url, {
      ca: this.#ca,
      form,
      headers: { accept: 'text/html', cookie },
    });
    for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line);
    return answer;
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

interface Sent {
  /** PEM of the authority to trust. */
  readonly ca: string;
  /** Sent by POST if there is one. */
  readonly form: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export function send(url: URL, { ca, form, headers }: Sent): Promise<Answer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const options = {
    ...{ ca, agent: false as const, method: form === undefined ? 'GET' : 'POST' },
    headers: { ...headers, ...(form !== undefined && type) },
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    sent.on('error', reject).end(form);
  });
}
