/**
 * Lets several users of a thing work at the same time, or one alone. In order of arrival, so that
 * neither starves the other.
 */
export class Locks {
  readonly #last = new Map<string, { shared: Promise<unknown>; alone: Promise<unknown> }>()

  /** @param alone nobody else uses it meanwhile */
  async during<T>(id: string, alone: boolean, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id) ?? { shared: Promise.resolve(), alone: Promise.resolve() }
    const turn = alone ? Promise.all([before.shared, before.alone]) : before.alone
    const done = turn.then(work)
    const over = done.then(
      () => undefined,
      () => undefined,
    )
    const now = alone
      ? { shared: over, alone: over }
      : { shared: Promise.all([before.shared, over]), alone: before.alone }
    this.#last.set(id, now)
    void Promise.all([now.shared, now.alone]).then(() => {
      if (this.#last.get(id) === now) this.#last.delete(id)
    })
    return await done
  }
}
