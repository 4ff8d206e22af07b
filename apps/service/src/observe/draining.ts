/** Whether the service is draining: it still handles all requests, but `/readyz` tells load balancers to stop sending. */
export class Draining {
  #begun = false;

  begin(): void {
    this.#begun = true;
  }

  get begun(): boolean {
    return this.#begun;
  }
}
