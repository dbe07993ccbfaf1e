import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { exists } from '@lodge/shared/local/files.ts'
import type { Db } from '../../../db/database.ts'
import { unpack, writeFiles } from '../package/files.ts'
import type { Files } from '../package/tar.ts'
import { findVersion } from '../store.ts'

/** A folder with the files of a version, unpacked on first use. */
export async function unpackedFolder(
  { db, dataFolder }: { readonly db: Db; readonly dataFolder: string },
  version: { readonly pluginId: string; readonly version: string; readonly sha256: string },
): Promise<string> {
  return folderWith(dataFolder, version, async () => {
    const found = await findVersion(db, version.pluginId, version.version)
    if (!found) throw new Error(`${version.pluginId} ${version.version} was removed`)
    return unpack(found.files)
  })
}

/** The folder of a version; `read` returns its files if the folder does not exist. */
export async function folderWith(
  dataFolder: string,
  { pluginId, sha256 }: { readonly pluginId: string; readonly sha256: string },
  read: () => Promise<Files>,
): Promise<string> {
  const all = path.join(dataFolder, 'plugins')
  const folder = path.join(all, `${pluginId}-${sha256.slice(0, 16)}`)
  if (await exists(folder)) return folder
  await mkdir(all, { recursive: true, mode: 0o700 })
  await writeFiles(folder, await read())
  return folder
}
