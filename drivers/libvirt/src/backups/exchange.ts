import { chmod, copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exists, unlessGone } from '@lodge/shared/local/files.ts'
import { z } from 'zod'
import { adopt, emptyTpm, tpmStateFolder } from '../copies/tpm-state.ts'
import { syncPath, writeWhole } from '../data/files.ts'
import { type MachinePaths, machinePaths } from '../data/layout.ts'
import { closeFiles } from '../host/close-files.ts'
import type { Parts } from '../parts.ts'

type Settled = Pick<Parts, 'settings'>

/** The state of the TPM is in a folder of its own, because libvirt chooses the names of its files. */
export const TPM_FOLDER = 'tpm'

/** A file to be exchanged: its name where it waits, and its place in the machine's folder. */
const Item = z.object({ name: z.string(), place: z.string() })
export type Item = z.infer<typeof Item>

/** What a restore puts in place. */
export const Plan = z.object({ uuid: z.string(), items: z.array(Item), tpm: z.boolean() })
export type Plan = z.infer<typeof Plan>

/**
 * The journal of an exchange. Once it is written the exchange is decided, and whoever uses the
 * machine's files next completes it; `done` once it is.
 */
const Exchange = Plan.extend({
  restoreId: z.string(),
  inPlace: z.enum(['restored', 'former']),
  done: z.boolean(),
})
type Exchange = z.infer<typeof Exchange>

/** Where restored files wait, in a folder of their own beside what is known of them. */
export const stagedIn = (paths: MachinePaths): string => join(paths.restore, 'data')

export async function readExchange(paths: MachinePaths): Promise<Exchange | null> {
  const text = await readFile(paths.exchange, 'utf8').catch(unlessGone)
  return text === undefined ? null : Exchange.parse(JSON.parse(text))
}

const writeExchange = (paths: MachinePaths, exchange: Exchange): Promise<void> =>
  writeWhole(paths.exchange, JSON.stringify(exchange))

/** Decides an exchange and makes it. The caller holds the lock of the machine, which is stopped. */
export async function exchange(
  parts: Settled,
  serverId: string,
  wanted: Omit<Exchange, 'done'>,
): Promise<void> {
  const paths = machinePaths(parts.settings.dataRoot, serverId)
  const going = wanted.inPlace === 'restored' ? paths.former : stagedIn(paths)
  await mkdir(going, { recursive: true, mode: 0o700 })
  if (wanted.tpm) await keepTpm(tpmStateFolder(parts, paths, wanted.uuid), join(going, TPM_FOLDER))
  await writeExchange(paths, { ...wanted, done: false })
  await completeExchange(parts, serverId)
}

/**
 * Completes an exchange that was decided. Called before anything uses the files of a stopped
 * machine, so that after a crash at any point either the former or the restored ones are in place,
 * all of them.
 */
export async function completeExchange(parts: Settled, serverId: string): Promise<void> {
  const paths = machinePaths(parts.settings.dataRoot, serverId)
  const decided = await readExchange(paths)
  if (!decided || decided.done) return
  const both = [stagedIn(paths), paths.former] as const
  const [coming, going] = decided.inPlace === 'restored' ? both : [both[1], both[0]]
  for (const { name, place } of decided.items) {
    const own = join(paths.home, place)
    // Otherwise it is in its place already.
    if (!(await exists(join(coming, name)))) continue
    if (await exists(own)) await rename(own, join(going, name))
    await rename(join(coming, name), own)
  }
  if (decided.tpm)
    await putTpm(join(coming, TPM_FOLDER), tpmStateFolder(parts, paths, decided.uuid))
  await closeFiles(paths)
  await Promise.all([coming, going, paths.disks, paths.home].map(syncPath))
  await writeExchange(paths, { ...decided, done: true })
}

/** Copied, because libvirt may keep the state on another file system. */
async function keepTpm(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { mode: 0o700 })
  for (const name of await stateFiles(from)) {
    await copyFile(join(from, name), join(to, name))
    await chmod(join(to, name), 0o600)
    await syncPath(join(to, name))
  }
  await syncPath(to)
}

async function putTpm(from: string, to: string): Promise<void> {
  await emptyTpm(to)
  for (const name of await stateFiles(from)) await adopt(join(from, name), join(to, name))
}

/** Without the lock file, which belongs to a process. */
const stateFiles = async (folder: string): Promise<string[]> =>
  ((await readdir(folder).catch(unlessGone)) ?? []).filter((name) => !name.startsWith('.'))
