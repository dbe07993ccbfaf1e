import { chown, mkdir, stat } from 'node:fs/promises'
import type { Files } from '@lodge/driver/capabilities/files.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { FakeKnobs } from './knobs.ts'
import type { FakeRuntime } from './runtime.ts'

export interface FakeFiles extends Files {
  /** Called by the driver before it removes the data. */
  release(serverId: string): Promise<void>
}

/** Whom the files belong to where the agent is root. */
const UID = 299_999

/** Access to the data folders, which are real. */
export function fakeFiles(
  runtime: FakeRuntime,
  knobs: FakeKnobs,
  folder: (serverId: string) => string,
): FakeFiles {
  let letGo: (serverId: string) => Promise<void> = async () => {}
  return {
    async open(serverId) {
      runtime.check()
      const found = await stat(folder(serverId)).catch(() => null)
      if (!found) throw new DriverError('not_found', 'The server has no files on this node.')
      const spec = runtime.servers.get(serverId)?.workload?.spec
      return {
        folder: folder(serverId),
        uid: found.uid,
        gid: found.gid,
        limitBytes: spec && !isMachine(spec) ? spec.limits.diskMb * 1024 * 1024 : null,
        usedBytes: knobs.diskBytes ?? 0,
        measuredAtMs: null,
        enforced: false,
      }
    },
    onRelease(listener) {
      letGo = listener
    },
    release: (serverId) => letGo(serverId),
  }
}

/** Makes a data folder of somebody with fewer rights than the agent. */
export async function makeDataFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  if (process.getuid?.() === 0) await chown(path, UID, UID)
}
