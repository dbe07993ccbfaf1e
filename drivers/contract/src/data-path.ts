import { resolve } from 'node:path'
import { DriverError } from './driver.ts'

const SYSTEM_FOLDERS = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/tmp',
  '/usr',
]

/**
 * Refuses a place in a container where the data of a server cannot be mounted: what the system of the
 * image needs, and what is no plain absolute path. Throws `invalid_spec`.
 */
export function checkDataPath(path: string): void {
  const system = SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`))
  if (path === '/' || resolve(path) !== path || system || path.includes('\0')) {
    throw new DriverError('invalid_spec', `The data cannot be mounted at ${path}.`)
  }
}
