import { resolve } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'

const SYSTEM_FOLDERS = [
  '/bin',
  '/dev',
  '/etc',
  '/lib',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/tmp',
  '/usr',
]

/** Refuses what real drivers refuse. Throws `invalid_spec`. */
export function checkSpec(serverId: string, spec: WorkloadSpec): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(serverId)) {
    throw new DriverError('invalid_spec', 'The server has an id that cannot be used.')
  }
  if (isMachine(spec)) return
  const path = spec.dataPath
  const system = SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`))
  if (path === '/' || resolve(path) !== path || system) {
    throw new DriverError('invalid_spec', `The data cannot be mounted at ${path}.`)
  }
}
