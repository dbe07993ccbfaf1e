import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

type Call = 'chown' | 'copyFile' | 'mkdir' | 'open' | 'readFile' | 'rename' | 'rm' | 'stat'

/**
 * Kills this process at one of its file system calls: even points are before a call, odd ones after
 * it. Import the code that makes the calls afterwards.
 */
export function dieAtCall(point: number, calls: readonly Call[]): void {
  let left = point
  const die = () => process.kill(process.pid, 'SIGKILL')
  for (const name of calls) {
    const real = fs[name] as (...given: never[]) => Promise<unknown>
    const counted = async (...given: never[]) => {
      if (left-- === 0) die()
      const result = await real(...given)
      if (left-- === 0) die()
      return result
    }
    Object.assign(fs, { [name]: counted })
  }
  syncBuiltinESMExports()
}
