import { randomBytes } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { openDataFolder } from './data-folder.ts'

/** The name of every installation of versions that knew no other. */
const EARLIER = 'default'
const BYTES = 4

const fileIn = (dataFolder: string) => join(dataFolder, 'scope')

/**
 * The word by which this agent tells its containers, machines and networks from those of another agent
 * on the same engine or the same libvirt. Made once for a data folder and kept in it.
 */
export async function ownScope(dataFolder: string): Promise<string> {
  const kept = (await readFile(fileIn(dataFolder), 'utf8').catch(() => '')).trim()
  if (kept !== '') return kept
  await openDataFolder(dataFolder)
  const scope = (await hasRun(dataFolder)) ? EARLIER : randomBytes(BYTES).toString('hex')
  await writeFile(fileIn(dataFolder), `${scope}\n`, { mode: 0o600, flush: true })
  return scope
}

/** The same, of an agent that may never have run: nothing is made for it. */
export async function keptScope(dataFolder: string): Promise<string> {
  return (await readFile(fileIn(dataFolder), 'utf8').catch(() => EARLIER)).trim()
}

/** Where permits to boot lie, and nobody else's. */
export const permitsOf = ({ permitFolder, labelScope }: Config): string =>
  join(permitFolder, labelScope)

const hasRun = (dataFolder: string) =>
  access(join(dataFolder, 'journal.db')).then(
    () => true,
    () => false,
  )
