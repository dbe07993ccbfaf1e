import type { Family } from '../figures/family.ts'
import type { Figures } from '../figures/figures.ts'
import type { Services } from '../services.ts'

const KEEP_MS = 5000

/** Formats what the database knew, for one page. */
export type Snapshot = () => readonly Family[]

/**
 * Reads the figures of all domains at most every five seconds, however often they are requested;
 * undefined while the database is down.
 */
export function snapshots(
  figures: readonly Figures[],
): (services: Pick<Services, 'db' | 'log' | 'blobs'>) => Promise<Snapshot | undefined> {
  let newest: { at: number; snapshot: Promise<Snapshot | undefined> } | undefined
  async function read(services: Pick<Services, 'db' | 'blobs'>): Promise<Snapshot> {
    const made: Snapshot[] = []
    for (const { installation } of figures)
      if (installation) made.push(await installation(services))
    return () => made.flatMap((families) => families())
  }
  return (services) => {
    if (newest && Date.now() - newest.at < KEEP_MS) return newest.snapshot
    const snapshot = read(services).catch((error: unknown) => {
      services.log.warn({ err: error }, 'could not read the fleet metrics')
      return undefined
    })
    newest = { at: Date.now(), snapshot }
    return snapshot
  }
}
