import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { exists } from '@lodge/shared/local/files.ts'
import { MANIFEST_FILE } from '@lodge/shared/plugins/manifest.ts'
import { readFiles } from './files.ts'
import { bundledPackage, type Package } from './read.ts'

/** The folder with the bundled plugins, beside the sources or the build. */
const FOLDER = path.resolve(import.meta.dirname, '../../../../../plugins')

let reading: Promise<ReadonlyMap<string, Package>> | undefined

/** The plugins bundled with this version of Lodge, by id. */
export function bundledPackages(): Promise<ReadonlyMap<string, Package>> {
  reading ??= read().catch((error: unknown) => {
    // It may have failed for lack of file descriptors, for example; the next call reads again.
    reading = undefined
    throw error
  })
  return reading
}

async function read(): Promise<ReadonlyMap<string, Package>> {
  const found = new Map<string, Package>()
  for (const name of (await readdir(FOLDER)).toSorted()) {
    const folder = path.join(FOLDER, name)
    if (!(await exists(path.join(folder, MANIFEST_FILE)))) continue
    const one = bundledPackage(await readFiles(folder))
    found.set(one.manifest.id, one)
  }
  return found
}
