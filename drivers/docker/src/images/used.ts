import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'

const Kept = z.record(z.string(), z.number())
/** A use is recorded only if the last recorded one is older than this. */
const WRITE_AFTER_MS = 3_600_000

/**
 * When each image was last needed. Also marks ownership: images listed here were brought by this
 * driver, all others were not.
 */
export interface UsedImages {
  /**
   * Records a use.
   * @param brought whether this driver brought it now; images of others stay unlisted
   */
  note(name: string, brought: boolean): Promise<void>
  /** Names with the time of their last use (ms). */
  all(): Promise<ReadonlyMap<string, number>>
  forget(names: readonly string[]): Promise<void>
}

/**
 * Stores the times in a file. An unreadable file counts as empty: images are then only collected
 * later.
 */
export function usedImages(file: string): UsedImages {
  let last: Promise<unknown> = Promise.resolve()
  let known: Map<string, number> | null = null

  function serialized<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
  async function load(): Promise<Map<string, number>> {
    if (known) return known
    const text = await readFile(file, 'utf8').catch(() => '{}')
    const parsed = Kept.safeParse(parsedOrNothing(text))
    known = new Map(Object.entries(parsed.success ? parsed.data : {}))
    return known
  }
  async function save(all: ReadonlyMap<string, number>): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(all)))
    await rename(`${file}.new`, file)
  }

  return {
    note: (name, brought) =>
      serialized(async () => {
        const all = await load()
        const nowMs = Date.now()
        const before = all.get(name)
        if (before === undefined ? !brought : nowMs - before < WRITE_AFTER_MS) return
        all.set(name, nowMs)
        await save(all)
      }),
    all: () => serialized(async () => new Map(await load())),
    forget: (names) =>
      serialized(async () => {
        const all = await load()
        for (const name of names) all.delete(name)
        await save(all)
      }),
  }
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
