/** While draining, all requests are still handled, but `/readyz` tells load balancers to stop sending. */
export class Draining {
  #begun = false;

  begin(): void {
    this.#begun = true;
  }

  get begun(): boolean {
    return this.#begun;
  }
}
