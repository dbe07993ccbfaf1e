import type { Capabilities } from '../capabilities.ts'
import type { Driver, DriverEvent } from '../driver.ts'
import { having } from './having.ts'

/** Machines boot, on CPUs shared with others. */
const PATIENCE_MS = 120_000

export interface ConsoleWatch {
  text(): string
  /**
   * Waits until the output contains this part after its first `from` characters. On timeout, throws
   * with the output so far.
   */
  until(part: string, from?: number): Promise<string>
}

/** Follows a console from now on. */
export function watchConsole(
  driver: Pick<Capabilities<never>, 'console'>,
  serverId: string,
  signal: AbortSignal,
): ConsoleWatch {
  let text = ''
  const wakers = new Set<() => void>()
  const decoder = new TextDecoder()
  const following = having(driver, 'console').follow(
    serverId,
    (chunk) => {
      text += decoder.decode(chunk, { stream: true })
      for (const wake of wakers) wake()
    },
    signal,
  )
  following.catch(() => {})
  return {
    text: () => text,
    until: (part, from = 0) =>
      fact(
        wakers,
        () => (text.indexOf(part, from) >= 0 ? text : null),
        () => `"${part}" in "${text.slice(-500)}"`,
      ),
  }
}

export interface EventWatch {
  readonly seen: readonly DriverEvent[]
  /** Waits for an event of this kind for this server, including past ones. */
  until<K extends ServerEvent['kind']>(
    kind: K,
    serverId: string,
    count?: number,
  ): Promise<Extract<ServerEvent, { kind: K }>>
  of(serverId: string): readonly ServerEvent[]
}

type ServerEvent = Exclude<DriverEvent, { kind: 'reset' }>

/** Collects all events of a driver from now on. */
export function watchEvents(driver: Pick<Driver, 'events'>, signal: AbortSignal): EventWatch {
  const seen: DriverEvent[] = []
  const wakers = new Set<() => void>()
  const reading = (async () => {
    for await (const event of driver.events(signal)) {
      seen.push(event)
      for (const wake of wakers) wake()
    }
  })()
  reading.catch(() => {})
  const of = (serverId: string) =>
    seen.filter(
      (event): event is ServerEvent => event.kind !== 'reset' && event.serverId === serverId,
    )
  return {
    seen,
    of,
    until<K extends ServerEvent['kind']>(kind: K, serverId: string, count = 1) {
      const find = () => {
        const matching = of(serverId).filter(
          (event): event is Extract<ServerEvent, { kind: K }> => event.kind === kind,
        )
        return matching[count - 1] ?? null
      }
      return fact(wakers, find, () => `${kind} of ${serverId} in ${JSON.stringify(seen)}`)
    },
  }
}

function fact<T>(wakers: Set<() => void>, look: () => T | null, what: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (action: () => void) => {
      clearTimeout(timer)
      wakers.delete(check)
      action()
    }
    const check = () => {
      const found = look()
      if (found !== null) end(() => resolve(found))
    }
    const timer = setTimeout(
      () => end(() => reject(new Error(`never came: ${what()}`))),
      PATIENCE_MS,
    )
    wakers.add(check)
    check()
  })
}
