/** Machines that we are ending ourselves: their end is told as ours, everybody else's is a loss. */
export interface Endings {
  expect(uuid: string): void
  /** Was it us? Answers once for each `expect`. */
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
