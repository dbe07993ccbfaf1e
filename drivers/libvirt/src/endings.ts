/**
 * Machines that this driver is about to kill: their exit is reported as ours, any other sudden one
 * as lost.
 */
export interface Endings {
  expect(uuid: string): void
  /** Whether the exit was expected. Consumes one `expect`. */
  take(uuid: string): boolean
  forget(uuid: string): void
}

export function watchedEndings(): Endings {
  const expected = new Set<string>()
  return {
    expect: (uuid) => {
      expected.add(uuid)
    },
    take: (uuid) => expected.delete(uuid),
    forget: (uuid) => {
      expected.delete(uuid)
    },
  }
}
