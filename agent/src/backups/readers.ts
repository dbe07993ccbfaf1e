/** Counts who reads from a thing now. */
export class Readers {
  readonly #count = new Map<string, number>()

  has(id: string): boolean {
    return this.#count.has(id)
  }

  begin(id: string): void {
    this.#count.set(id, (this.#count.get(id) ?? 0) + 1)
  }

  end(id: string): void {
    const left = (this.#count.get(id) ?? 1) - 1
    if (left > 0) this.#count.set(id, left)
    else this.#count.delete(id)
  }
}
