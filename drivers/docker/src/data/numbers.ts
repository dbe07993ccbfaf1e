import { mkdir, readdir, readlink, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { errorCode } from '@lodge/shared/error-code.ts'

/** Allocates a small unique number to every server while its data exists. */
export interface Numbers {
  /** Returns the server's number, allocating one if it has none. */
  take(serverId: string): Promise<number>
  release(serverId: string): Promise<void>
  /** The number of a server; null when it has none. */
  of(serverId: string): Promise<number | null>
  /** The next `count` numbers to be allocated, or fewer. */
  free(count: number): Promise<readonly number[]>
  isTaken(number: number): boolean
}

/**
 * Stores numbers as symbolic links `folder/7 -> server id`. Creating a link is atomic, so two
 * processes never allocate the same number. `limit` is the largest number.
 */
export function numbersIn(folder: string, limit: number): Numbers {
  let known: Promise<Map<number, string>> | null = null
  let latest: ReadonlyMap<number, string> = new Map()

  async function read(): Promise<Map<number, string>> {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    const names = await readdir(folder)
    const pairs = names.map(
      async (name) => [Number(name), await readlink(join(folder, name))] as const,
    )
    const map = new Map(await Promise.all(pairs))
    latest = map
    return map
  }
  const numbers = () => {
    known ??= read()
    return known
  }
  const numberOf = (map: Map<number, string>, serverId: string) => {
    for (const [number, owner] of map) if (owner === serverId) return number
    return null
  }

  return {
    async take(serverId) {
      for (;;) {
        const map = await numbers()
        const own = numberOf(map, serverId)
        if (own !== null) return own
        let free = 1
        while (map.has(free)) free += 1
        if (free > limit)
          throw new DriverError(
            'start_failed',
            'This machine has no network left for another server.',
          )
        map.set(free, serverId)
        try {
          await symlink(serverId, join(folder, String(free)))
          return free
        } catch (error) {
          known = null
          if (errorCode(error) !== 'EEXIST') throw error
        }
      }
    },
    of: async (serverId) => numberOf(await numbers(), serverId),
    async free(count) {
      const map = await numbers()
      const free: number[] = []
      for (let number = 1; free.length < count && number <= limit; number += 1)
        if (!map.has(number)) free.push(number)
      return free
    },
    isTaken: (number) => latest.has(number),
    async release(serverId) {
      const map = await numbers()
      const own = numberOf(map, serverId)
      if (own === null) return
      await unlink(join(folder, String(own))).catch(() => {})
      map.delete(own)
    },
  }
}
