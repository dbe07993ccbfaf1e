import type { Parts } from './parts.ts'

/** Nothing is made in advance before the node has had nothing else to do for this long. */
const QUIET_MS = 1_000

/** Networks and disks of servers that do not exist yet, made while the node has nothing else to do. */
export interface WarmPool {
  /** Work for which the making of spares gives way. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** A server with a disk of this size was made: others like it may follow. */
  wanted(diskMb: number): void
  close(): void
}

export function createWarmPool({ data, networks, numbers, settings }: Parts): WarmPool {
  const count = settings.warmPool
  let diskMb: number | null = null
  let active = 0
  let making = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function addOne(size: number): Promise<boolean> {
    if (await networks.addWarm(await numbers.free(count), numbers.isTaken)) return true
    return data.addWarm(size, count)
  }

  /** One piece at a time, so that what comes meanwhile waits for no more than that. */
  async function fill(size: number): Promise<void> {
    making = true
    try {
      while (active === 0 && !closed && (await addOne(size)));
    } catch (error) {
      if (!closed) settings.log(`Nothing can be made in advance: ${String(error)}`)
    } finally {
      making = false
    }
  }

  function rest(): void {
    clearTimeout(timer)
    if (active > 0 || closed || count === 0) return
    timer = setTimeout(() => {
      if (diskMb !== null && !making) void fill(diskMb)
    }, QUIET_MS).unref()
  }

  return {
    async during(work) {
      active += 1
      clearTimeout(timer)
      try {
        return await work()
      } finally {
        active -= 1
        rest()
      }
    },
    wanted(size) {
      diskMb = size
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
