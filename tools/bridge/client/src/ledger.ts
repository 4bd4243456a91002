// Ledger: which commands came, and what they were answered with, so that none runs twice and no answer is lost with a connection.

const keptMax = 1000;
const keptAnswers = 100;

export class Ledger {
  // In the order in which they came; the response once there is one.
  readonly #entries = new Map<string, string | undefined>();
  readonly #answered: string[] = [];

  /** False: it came before. */
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
    // Of old ones that they came is enough: nobody has waited that long.
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
