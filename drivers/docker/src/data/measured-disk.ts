import { runProgram } from '@lodge/driver/run-program.ts'

const WALK_EVERY_MS = 60_000
const WALK_DEADLINE_MS = 30_000

export interface Measured {
  readonly bytes: number | null
  readonly beganMs: number | null
}

/** Sizes of folders without a file system of their own, walked in the background one at a time. */
export interface MeasuredSizes {
  /** Bytes at the last walk, null before the first. Starts a walk when the value is old. */
  bytes(folder: string): number | null
  /** The same with the time at which the walk began, but waits for the first one. */
  first(folder: string): Promise<Measured>
  forget(folder: string): void
}

export function measuredSizes(): MeasuredSizes {
  const sizes = new Map<
    string,
    { bytes: number | null; beganMs: number | null; walkedAt: number }
  >()
  let last: Promise<void> = Promise.resolve()

  async function walk(folder: string): Promise<void> {
    const beganMs = Date.now()
    const { code, output } = await runProgram('nice', ['-n', '19', 'du', '-sxB1', '--', folder], {
      deadlineMs: WALK_DEADLINE_MS,
    })
    const bytes = /^(\d+)\s/m.exec(output)?.[1]
    const known = sizes.get(folder)
    // `du` also exits with 1 when a file disappeared during the walk; its total is still valid.
    if (!known || bytes === undefined || code === null) return
    known.bytes = Number(bytes)
    known.beganMs = beganMs
  }

  function latest(folder: string): Measured {
    const known = sizes.get(folder) ?? { bytes: null, beganMs: null, walkedAt: 0 }
    sizes.set(folder, known)
    if (Date.now() - known.walkedAt > WALK_EVERY_MS) {
      known.walkedAt = Date.now()
      last = last.then(() => walk(folder)).catch(() => {})
    }
    return { bytes: known.bytes, beganMs: known.beganMs }
  }

  return {
    bytes: (folder) => latest(folder).bytes,
    async first(folder) {
      const known = latest(folder)
      if (known.bytes !== null) return known
      await last
      return latest(folder)
    },
    forget(folder) {
      sizes.delete(folder)
    },
  }
}
