import type { Services } from '../../services.ts'
import { SeenSince } from './seen-since.ts'

/** A job that waits for a node which counts as lost. */
interface Waiting {
  readonly jobId: string
  /** It was declared dead or taken over, so nothing more has to be seen. */
  readonly isFenced: boolean
}

/** By instance, and by what waits: what it has seen of nodes that are away. */
const watched = new WeakMap<Services, Map<string, SeenSince>>()

/**
 * Of all jobs that wait for nodes which count as lost, those that are to be given up now. After the control
 * plane or its database was away no node has been heard of for long: nothing is given up before the agents
 * that are there are back.
 * @param what names the caller, who looks every second
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
