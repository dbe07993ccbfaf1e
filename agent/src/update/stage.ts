import { copyFile, mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Progress } from '@lodge/driver/driver.ts'
import { type AgentManifest, fileListOf } from '@lodge/shared/agent-update.ts'
import type { Identity } from '../enrollment/identity.ts'
import { download } from './download.ts'
import { FILE_LIST, type Program, versionsOf } from './program.ts'

/** What is not complete yet has this at the end of its name. */
const PART = '.part'

/**
 * Puts a program beside the running one, complete and verified, or nothing.
 * @returns its folder
 */
export async function stage(given: {
  readonly manifest: AgentManifest
  readonly program: Program
  readonly identity: Identity
  readonly onProgress: (progress: Progress) => void
  readonly signal: AbortSignal
}): Promise<string> {
  const { manifest, program, identity, onProgress, signal } = given
  const folder = path.join(versionsOf(program.prefix), manifest.build.slice(0, 16))
  const part = folder + PART
  // What an earlier attempt left has not been in use: a version is named by its content.
  for (const place of [part, folder]) await rm(place, { recursive: true, force: true })
  const { files, runtime } = manifest
  const total = files.length + 1
  const tell = (done: number) =>
    onProgress({ step: 'copy', percent: (done / total) * 100, detail: 'Downloading the new agent' })
  for (const [index, { path: file, sha256 }] of files.entries()) {
    tell(index)
    const target = path.join(part, file)
    await mkdir(path.dirname(target), { recursive: true, mode: 0o755 })
    const name = `file/${file}`
    await download({ identity, name, sha256, target, mode: 0o644, signal })
  }
  tell(files.length)
  await mkdir(path.join(part, 'bin'), { recursive: true, mode: 0o755 })
  const target = path.join(part, 'bin/node')
  if (runtime === null) await copyFile(path.join(program.folder, 'bin/node'), target)
  else {
    const name = `node-linux-${process.arch}`
    await download({ identity, name, sha256: runtime, target, mode: 0o755, signal })
  }
  await writeFile(path.join(part, 'package.json'), '{"name":"lodge","type":"module"}\n')
  await writeFile(path.join(part, FILE_LIST), fileListOf(files), { flush: true })
  await rename(part, folder)
  await syncFolder(path.dirname(folder))
  return folder
}

/** Makes the program's path lead to another version, at once. */
export async function pointTo({ prefix }: Program, folder: string): Promise<void> {
  const next = `${prefix}.next`
  await rm(next, { force: true })
  await symlink(folder, next)
  await rename(next, prefix)
  await syncFolder(path.dirname(prefix))
}

/** Deletes all versions but these. */
export async function keepOnly({ prefix }: Program, kept: readonly string[]): Promise<void> {
  const versions = versionsOf(prefix)
  for (const name of await readdir(versions)) {
    const folder = path.join(versions, name)
    if (!kept.includes(folder)) await rm(folder, { recursive: true, force: true })
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
