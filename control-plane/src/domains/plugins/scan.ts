import type { ScanVerdict } from '@lodge/shared/plugins/scanner.ts'
import type { Services } from '../../services.ts'
import { callPlugin, type Reach } from './call.ts'
import { type ShownFile, showFile } from './host/shown-files.ts'
import { listInstalled } from './store.ts'

/**
 * The ids of the scanners that every file must pass: those that are on, and those that Lodge turned
 * off because they failed too often.
 */
export async function scannersOf({ db }: Pick<Services, 'db'>): Promise<string[]> {
  return (await listInstalled(db)).flatMap(({ plugin, version }) =>
    version.manifest.kinds.includes('scanner') && (plugin.enabled || plugin.failure !== null)
      ? plugin.id
      : [],
  )
}

/** Has a scanner check a file; not within a transaction. @throws {PluginCallFailed} */
export const scanWith = (
  reach: Reach & Pick<Services, 'blobs'>,
  pluginId: string,
  { sha256, sizeBytes, name, type }: ShownFile & { readonly name: string; readonly type: string },
): Promise<ScanVerdict> =>
  showFile(reach, pluginId, { sha256, sizeBytes }, (file) =>
    callPlugin(reach, pluginId, 'scanner.scan', { file, name, type, sizeBytes, sha256 }),
  )
