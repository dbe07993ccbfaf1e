import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { lockFolder } from '@lodge/shared/local/folder-lock.ts'
import { type Config, readConfig } from '../config.ts'
import {
  CopyRefused,
  type FoundCopy,
  findCopies,
  finishRestored,
  type Repository,
  restoreCopy,
} from '../domains/panel-backups/index.ts'
import { placeOf, recoveryKeyFrom, Usage } from './repository.ts'
import { commandLog, tell } from './tell.ts'

/** `lodge restore` */
export async function restore(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      list: { type: 'boolean', default: false },
      backup: { type: 'string' },
      'recovery-key-file': { type: 'string' },
      replace: { type: 'boolean', default: false },
    },
  })
  if (!values.from) throw new Usage('Say where the backups are: --from <folder>, or see --help')
  const repository: Repository = {
    location: placeOf(values.from),
    recoveryKey: await recoveryKeyFrom(values['recovery-key-file']),
  }
  const config = readConfig()
  const { dataFolder } = config
  const restic = {
    signal: new AbortController().signal,
    cacheFolder: path.join(dataFolder, 'panel-backup/cache'),
    caFile: config.egress.caFile,
  }
  if (values.list) {
    // A listing must not change this machine, so its cache is temporary.
    const cacheFolder = await mkdtemp(path.join(os.tmpdir(), 'lodge-restore-'))
    const copies = findCopies(repository, { ...restic, cacheFolder })
    return list(await copies.finally(() => rm(cacheFolder, { recursive: true, force: true })))
  }
  requireFolder(dataFolder)
  const copies = await findCopies(repository, restic)
  const copy = choose(copies, values.backup)
  await lockFolder(config.dataFolder, 'control-plane', { variable: 'LODGE_DATA' })
  tell.line(`Restoring ${shown(copy)}`)
  const { manifest, former } = await restoreCopy({
    ...{ config, repository, copy, restic, say: tell.line, finish: finishRestored },
    replace: values.replace,
    log: commandLog(config),
  })
  tell.line(
    'The panel is restored. Start it, and people sign in as they did when it was backed up.',
  )
  if (former) tell.line(`The keys and certificates from before are in ${former}.`)
  remind(config, manifest)
}

/** Refuses a folder that does not exist: the panel restored to a mistyped path would not be found at the next start. */
function requireFolder(dataFolder: string): void {
  if (existsSync(dataFolder)) return
  throw new CopyRefused(
    'invalid',
    `There is no folder ${dataFolder}: set LODGE_DATA to the data folder of this machine's panel, or make it with mkdir -p ${dataFolder} if it is this one. Nothing was restored.`,
  )
}

const shown = ({ snapshotId, createdAt }: FoundCopy): string =>
  `${snapshotId.slice(0, 8)} of ${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function list(copies: readonly FoundCopy[]): void {
  for (const copy of copies) tell.line(shown(copy))
  if (copies.length === 0) tell.line('There is none.')
}

function choose(copies: readonly FoundCopy[], wanted: string | undefined): FoundCopy {
  const found = wanted
    ? copies.filter(({ snapshotId }) => snapshotId.startsWith(wanted))
    : copies.slice(0, 1)
  const [copy] = found
  if (copy && found.length === 1) return copy
  throw new CopyRefused(
    'invalid',
    wanted
      ? `No single backup begins with ${wanted}: see --list`
      : 'There is no backup at this place: check its name',
  )
}

/** Prints the settings of the old machine that this one lacks. */
function remind(
  config: Config,
  { variables, blobs }: Awaited<ReturnType<typeof restoreCopy>>['manifest'],
): void {
  const here = new Map(config.variables.map((one) => [one.name, one.value]))
  const other = variables.filter(
    ({ name, value }) => name !== 'LODGE_DATA' && here.get(name) !== value,
  )
  if (other.length > 0)
    tell.line('The old machine had these variables set, which are not the same here:')
  for (const { name, value } of other) tell.line(`  ${name}=${value ?? '(a secret)'}`)
  if (blobs !== null && config.blobs.s3)
    tell.line(`Its large files are in ${config.blobs.folder}: copy them into the bucket.`)
}
