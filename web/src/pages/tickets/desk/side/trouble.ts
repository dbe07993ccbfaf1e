import type { ServerEvent } from '@lodge/shared/servers.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const MINUTE_MS = 60_000
const KINDS: readonly ServerEvent['kind'][] = ['crashed', 'gave_up', 'out_of_memory', 'disk_full']

/** Problems of a server in the last seven days, and the number of its crashes. */
export function troubleOf(
  events: readonly ServerEvent[],
  now: number,
): { readonly crashes: number; readonly shown: readonly ServerEvent[] } {
  const lately = events.filter(
    ({ kind, at }) => KINDS.includes(kind) && now - Date.parse(at) < WEEK_MS,
  )
  return {
    crashes: lately.filter(({ kind }) => kind === 'crashed').length,
    shown: lately.filter((event) => !isSaidByCrash(event, lately)),
  }
}

/** Whether a crash already reports that the memory ran out. */
const isSaidByCrash = ({ kind, at }: ServerEvent, events: readonly ServerEvent[]): boolean =>
  kind === 'out_of_memory' &&
  events.some(
    (one) =>
      one.exit?.outOfMemory === true && Math.abs(Date.parse(one.at) - Date.parse(at)) < MINUTE_MS,
  )
