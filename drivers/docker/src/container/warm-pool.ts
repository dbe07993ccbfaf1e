import type { Parts } from '../parts.ts'

/** Nothing is prepared until the node has been idle for this long. */
const QUIET_MS = 1_000

/** Networks and disks for future servers, prepared while the node is idle. */
export interface WarmPool {
  /** Runs work that takes precedence over preparing spares. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Records that a server with a disk of this size was created: more like it may follow. */
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

  /** Prepares one item at a time, so that other work waits for one item at most. */
  async function fill(size: number): Promise<void> {
    making = true
    try {
      while (active === 0 && !closed && (await addOne(size)));
    } catch (error) {
      if (!closed) settings.log(`Cannot prepare spare disks and networks: ${String(error)}`)
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
