interface Event {
  readonly atMs: number
  readonly order: number
  readonly happen: () => void
}

/** Pending events, ordered by time and, for equal times, by arrival. */
export class EventQueue {
  readonly #heap: Event[] = []
  #arrived = 0

  push(atMs: number, happen: () => void): void {
    const heap = this.#heap
    const event = { atMs, order: this.#arrived++, happen }
    let at = heap.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]!
      if (isBefore(parent, event)) break
      heap[at] = parent
      at = above
    }
    heap[at] = event
  }

  pop(): Event | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (isBefore(last, heap[child]!)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return first
  }
}

const isBefore = (a: Event, b: Event): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
