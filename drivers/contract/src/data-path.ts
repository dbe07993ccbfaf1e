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
 * Rejects mount points for server data inside a container that the image's system needs, or that
 * are not normalized absolute paths. Throws `invalid_spec`.
 */
export function checkDataPath(path: string): void {
  const system = SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`))
  if (path === '/' || resolve(path) !== path || system || path.includes('\0')) {
    throw new DriverError('invalid_spec', `The data cannot be mounted at ${path}.`)
  }
}
