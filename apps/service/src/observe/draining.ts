/** Whether the service is about to stop: it still answers everything, and tells load balancers to send no more. */
export class Draining {
  #begun = false;

  begin(): void {
    this.#begun = true;
  }

  get begun(): boolean {
    return this.#begun;
  }
}
