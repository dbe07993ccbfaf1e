/** What a row has started; always ended, in reverse order. */
export class Ending {
  readonly #ends: (() => Promise<unknown>)[] = []

  /** Registers how to end something; returns the thing itself. */
  add<T>(thing: T, end: (thing: T) => Promise<unknown> | unknown): T {
    this.#ends.push(async () => end(thing))
    return thing
  }

  async run(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) {
      await end().catch((error: unknown) => console.error('could not be ended:', error))
    }
  }
}
