import { runProgram } from '@lodge/driver/run-program.ts'

const WALK_EVERY_MS = 60_000
const WALK_DEADLINE_MS = 30_000

/** Sizes of folders without a file system of their own, walked in the background one at a time. */
export interface MeasuredSizes {
  /** Bytes at the last walk, null before the first. Starts a walk when the value is old. */
  bytes(folder: string): number | null
  forget(folder: string): void
}

export function measuredSizes(): MeasuredSizes {
  const sizes = new Map<string, { bytes: number | null; walkedAt: number }>()
  let last: Promise<void> = Promise.resolve()

  async function walk(folder: string): Promise<void> {
    const { code, output } = await runProgram('nice', ['-n', '19', 'du', '-sxB1', '--', folder], {
      deadlineMs: WALK_DEADLINE_MS,
    })
    const bytes = /^(\d+)\s/m.exec(output)?.[1]
    const known = sizes.get(folder)
    // `du` also exits with 1 when a file disappeared during the walk; its total is still valid.
    if (known && bytes !== undefined && code !== null) known.bytes = Number(bytes)
  }

  return {
    bytes(folder) {
      const known = sizes.get(folder) ?? { bytes: null, walkedAt: 0 }
      sizes.set(folder, known)
      if (Date.now() - known.walkedAt > WALK_EVERY_MS) {
        known.walkedAt = Date.now()
        last = last.then(() => walk(folder)).catch(() => {})
      }
      return known.bytes
    },
    forget(folder) {
      sizes.delete(folder)
    },
  }
}
