import type { Services } from '../../services.ts'
import { SeenSince } from './seen-since.ts'

/** A job that waits for a node that counts as lost. */
interface Waiting {
  readonly jobId: string
  /** The node was declared dead or taken over, so no observation is needed. */
  readonly isFenced: boolean
}

/** What each instance has seen of absent nodes, by what waits for them. */
const watched = new WeakMap<Services, Map<string, SeenSince>>()

/**
 * The jobs waiting for lost nodes that should be given up now. After an outage of the control plane
 * or its database no node has been heard for long: nothing is given up before working agents had time
 * to reconnect.
 * @param what identifies the caller, which looks every second
 */
export function surelyLost<Row extends Waiting>(
  services: Services,
  what: string,
  rows: readonly Row[],
): Row[] {
  const known = watched.get(services) ?? new Map<string, SeenSince>()
  watched.set(services, known)
  const seen = known.get(what) ?? new SeenSince()
  known.set(what, seen)
  const away = rows.filter(({ isFenced }) => !isFenced)
  const surely = seen.seenFor(away, performance.now(), services.fleet.leaseTimes.returnMs)
  return [...rows.filter(({ isFenced }) => isFenced), ...surely]
}
