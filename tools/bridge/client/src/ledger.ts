// Ledger records received commands and their responses, so that no command runs twice and no response is lost with a connection.

const keptMax = 1000;
const keptAnswers = 100;

export class Ledger {
  // Ids in order of arrival, with the response once there is one.
  readonly #entries = new Map<string, string | undefined>();
  readonly #answered: string[] = [];

  /** Records a command. Returns false if it was received before. */
  remember(id: string): boolean {
    if (this.#entries.has(id)) return false;
    this.#entries.set(id, undefined);
    if (this.#entries.size > keptMax) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return true;
  }
  answer(id: string, response: string): void {
    this.#entries.set(id, response);
    this.#answered.push(id);
    // Drop old responses, which the server no longer awaits, but remember their ids.
    const old = this.#answered.length > keptAnswers ? this.#answered.shift() : undefined;
    if (old !== undefined && this.#entries.has(old)) this.#entries.set(old, undefined);
  }
  response(id: string): string | undefined {
    return this.#entries.get(id);
  }
  ids(): string[] {
    return [...this.#entries.keys()];
  }
  clear(): void {
    this.#entries.clear();
    this.#answered.length = 0;
  }
}
