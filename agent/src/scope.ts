import { randomBytes } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import type { GuardPlaces } from './guard/launch.ts'

/** The scope of every installation made by versions without generated scopes. */
const EARLIER = 'default'
const BYTES = 4

const fileIn = (dataFolder: string) => join(dataFolder, 'scope')

/**
 * The scope that distinguishes this agent's containers, machines and networks from those of another
 * agent on the same engine or libvirt. Generated once per data folder and stored in it.
 */
export async function ownScope(dataFolder: string): Promise<string> {
  const kept = (await readFile(fileIn(dataFolder), 'utf8').catch(() => '')).trim()
  if (kept !== '') return kept
  await openDataFolder(dataFolder)
  const scope = (await hasRun(dataFolder)) ? EARLIER : randomBytes(BYTES).toString('hex')
  await writeFile(fileIn(dataFolder), `${scope}\n`, { mode: 0o600, flush: true })
  return scope
}

/** Like `ownScope`, but creates nothing for an agent that may never have run. */
export async function keptScope(dataFolder: string): Promise<string> {
  return (await readFile(fileIn(dataFolder), 'utf8').catch(() => EARLIER)).trim()
}

/** The folder of this agent's boot permits. */
export const permitsOf = ({ permitFolder, labelScope }: Config): string =>
  join(permitFolder, labelScope)

/** Where the guard of this agent is, and what it runs. */
export const guardOf = (
  { data, guardFolder, labelScope: scope }: Config,
  prefix: string | undefined,
): GuardPlaces => ({
  folder: join(guardFolder, scope),
  recordFile: join(data, 'guard.jsonl'),
  scope,
  prefix,
})

const hasRun = (dataFolder: string) =>
  access(join(dataFolder, 'journal.db')).then(
    () => true,
    () => false,
  )
