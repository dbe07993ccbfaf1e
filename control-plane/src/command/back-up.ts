import path from 'node:path'
import { parseArgs } from 'node:util'
import { placesOf, readConfig } from '../config.ts'
import { backUpNow } from '../domains/panel-backups/index.ts'
import { openPanelDatabase, requireVault } from './panel-database.ts'
import { Usage } from './repository.ts'
import { commandLog, sizeText, tell } from './tell.ts'

const NOTHING = 'Nothing was backed up.'

/** `lodge backup` */
export async function backUp(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' } } })
  const { to } = values
  if (to !== undefined && !path.isAbsolute(to)) throw new Usage('--to needs an absolute path')
  const config = readConfig()
  const log = commandLog(config)
  const vault = await requireVault(config, NOTHING)
  await using panel = await openPanelDatabase(config, log, NOTHING)
  const services = { db: panel.db, vault, places: placesOf(config) }
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => ended.abort(new Error('The backup was ended')))
  const made = await backUpNow(services, {
    folder: to && path.resolve(to),
    signal: ended.signal,
    onProgress: (percent, detail) => tell.progress(`${detail}: ${percent}%`),
  })
  tell.line(`Backed up to ${made.address}: ${made.snapshotId.slice(0, 8)}`)
  tell.line(`${sizeText(made.sizeBytes)}, ${sizeText(made.storedBytes)} of it new at that place`)
  if (made.recoveryKey) {
    tell.line(`Recovery key: ${made.recoveryKey}`)
    tell.line('Keep it away from this machine: without it nobody restores the backup.')
  } else tell.line('Its recovery key is shown under Settings > Backups.')
}
