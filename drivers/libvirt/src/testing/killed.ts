import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Works in a process that is killed at its nth call of the file system.
 * @param given what `killed-at.ts` does
 * @returns whether it ended by itself
 */
export async function killedAt(point: number, given: object): Promise<boolean> {
  const script = join(import.meta.dirname, 'killed-at.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(given), String(point)], {
    stdio: 'inherit',
  })
  const [code, ended] = await once(child, 'exit')
  if (code !== 0 && ended !== 'SIGKILL') throw new Error(`the work ended with ${code}`)
  return code === 0
}
