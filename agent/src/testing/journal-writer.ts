import { Journal } from '../journal/journal.ts'

/** Writes reports and confirms each committed one to its parent, until it is killed. */
const journal = new Journal({
  file: process.argv[2] ?? '',
  nowMs: () => Date.now(),
  setAside: (name) => {
    throw new Error(`set aside: ${name}`)
  },
})

function next(count: number): void {
  const written = journal.append({ $case: 'metrics', value: { servers: [], nodes: [] } })
  process.send?.({ written })
  journal.saveServer('s', { count })
  if (count % 7 === 0) {
    // Announced first, so that being killed in between loses nothing the parent still expects.
    process.send?.({ acknowledged: written - 3 })
    journal.acknowledge(written - 3)
  }
  setImmediate(() => next(count + 1))
}
next(0)
