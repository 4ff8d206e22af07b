/** The little of autocannon 9 that the bench uses; its published types stop at version 7. */
declare module 'autocannon' {
  interface Request {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    /** Called for each request before it is sent. */
    setupRequest?: (request: Request) => Request;
  }
  interface Options {
    url: string;
    headers?: Record<string, string>;
    requests?: Request[];
    connections?: number;
    duration?: number;
    /** Requests, in the place of a duration. */
    amount?: number;
  }
  interface Result {
    requests: { average: number; total: number };
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
