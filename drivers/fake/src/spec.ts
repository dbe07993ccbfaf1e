import { checkDataPath } from '@lodge/driver/data-path.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'

/** Rejects what real drivers reject. Throws `invalid_spec`. */
export function checkSpec(serverId: string, spec: WorkloadSpec): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(serverId)) {
    throw new DriverError('invalid_spec', 'The server has an id that cannot be used.')
  }
  if (isMachine(spec)) return
  checkDataPath(spec.dataPath)
}
