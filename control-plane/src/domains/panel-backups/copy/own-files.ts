import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import type { Services } from '../../../services.ts'
import { digestOfFile } from './digest.ts'
import type { CopiedFile } from './manifest.ts'

type Places = Services['places']

/**
 * What the control plane stores in its data folder beside the database: without the certificate
 * authority every node has to join again, and without the master key nobody can decrypt the secrets
 * in the database.
 */
export const OWN_FILES = [
  'authority',
  'secrets',
  'tls',
  'metrics-token',
  'audit-head.json',
] as const

/** Path of the master key; one from the environment is copied there as well. */
export const MASTER_KEY = 'secrets/master.key'

/** Where they are in a copy. */
export const filesIn = (state: string): string => path.join(state, 'files')

/**
 * Copies them, before the database is read: the head of the audit record must not be newer than the
 * record.
 */
export async function copyOwnFiles(
  { dataFolder, masterKey }: Places,
  state: string,
): Promise<CopiedFile[]> {
  const to = filesIn(state)
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of OWN_FILES)
    for (const file of await filesBelow(dataFolder, name)) await copyOne(dataFolder, to, file)
  if (masterKey) {
    await mkdir(path.join(to, path.dirname(MASTER_KEY)), { recursive: true, mode: 0o700 })
    await writeFile(path.join(to, MASTER_KEY), masterKey.reveal(), { mode: 0o600 })
  }
  const copied: CopiedFile[] = []
  for (const file of await filesBelow(to, '.')) {
    const { size } = await stat(path.join(to, file))
    copied.push({ path: file, bytes: size, sha256: await digestOfFile(path.join(to, file)) })
  }
  return copied
}

async function copyOne(from: string, to: string, file: string): Promise<void> {
  await mkdir(path.join(to, path.dirname(file)), { recursive: true, mode: 0o700 })
  await copyFile(path.join(from, file), path.join(to, file)).catch(unlessGone)
}

/**
 * Files at or below a path, relative to the folder, without links and temporary files of atomic
 * writes.
 */
async function filesBelow(folder: string, name: string): Promise<string[]> {
  const at = path.join(folder, name)
  const found = await stat(at).catch(unlessGone)
  if (!found) return []
  if (!found.isDirectory()) return [path.normalize(name)]
  const entries = await readdir(at, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/\.[0-9a-f]{8}-[0-9a-f-]{27}$/.test(file))
    .toSorted()
}

/** Which of these blobs have no file in the folder. */
export async function missingBlobs(
  folder: string | null,
  blobs: readonly string[],
): Promise<string[]> {
  if (folder === null) return []
  const missing: string[] = []
  for (const sha256 of blobs)
    if (!(await stat(path.join(folder, sha256.slice(0, 2), sha256)).catch(unlessGone)))
      missing.push(sha256)
  return missing
}

export async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
}
