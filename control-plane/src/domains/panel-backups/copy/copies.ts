import path from 'node:path'
import { jsonOf } from '@lodge/shared/local/restic-output.ts'
import { z } from 'zod'
import { knownMigrations } from '../../../db/migrate.ts'
import { PANEL_TAG, STATE_FOLDER } from './make-copy.ts'
import { FORMAT, isPlain, Manifest } from './manifest.ts'
import { CopyRefused } from './refused.ts'
import { failureOf, isMissing, type Repository, type ResticOptions, restic } from './restic.ts'

const NOTHING = 'There are no backups at this place: check its name, and that its disk is mounted'

/** A copy in a repository. */
export interface FoundCopy {
  readonly snapshotId: string
  readonly backupId: string
  readonly createdAt: Date
  /** Its state folder on the original machine. */
  readonly state: string
}

const Snapshots = z
  .array(
    z.object({
      id: z.string(),
      time: z.coerce.date(),
      tags: z.array(z.string()).nullish(),
      paths: z.array(z.string()),
    }),
  )
  .nullable()

/** The copies of panels in a repository, the newest first. */
export async function findCopies(
  repository: Repository,
  options: ResticOptions,
): Promise<FoundCopy[]> {
  const lines: string[] = []
  const onLine = (line: string) => lines.push(line)
  const args = ['--no-lock', 'snapshots', '--tag', PANEL_TAG]
  const ended = await restic(repository, args, { ...options, onLine })
  if (ended.code !== 0) {
    if (isMissing(ended)) throw new CopyRefused('invalid', NOTHING)
    throw failureOf(ended)
  }
  return (Snapshots.parse(jsonOf(lines.join(''))) ?? [])
    .flatMap(({ id, time, tags, paths }) => {
      const state = paths.find((one) => isPlain(one) && one.endsWith(`/${STATE_FOLDER}`))
      const backupId = tags?.find((tag) => z.uuid().safeParse(tag).success)
      return state && backupId ? [{ snapshotId: id, backupId, createdAt: time, state }] : []
    })
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
}

/**
 * Reads what a copy contains.
 * @throws {CopyRefused} also if it is from a newer version of Lodge
 */
export async function readManifest(
  repository: Repository,
  { snapshotId, state }: FoundCopy,
  options: ResticOptions,
): Promise<Manifest> {
  const lines: string[] = []
  const onLine = (line: string) => lines.push(line)
  const args = ['--no-lock', 'dump', snapshotId, path.join(state, 'manifest.json')]
  const ended = await restic(repository, args, { ...options, onLine })
  if (ended.code !== 0) throw failureOf(ended)
  const written = jsonOf(lines.join(''))
  const { data: head } = z.object({ format: z.number() }).safeParse(written)
  if (head && head.format > FORMAT) throw newer()
  const manifest = Manifest.safeParse(written)
  if (!manifest.success)
    throw new CopyRefused(
      'backup_damaged',
      'The backup is incomplete: choose an earlier one with --backup',
      { cause: manifest.error },
    )
  const known = new Set(knownMigrations().map(({ name }) => name))
  const unknown = manifest.data.database.migrations.find(({ name }) => !known.has(name))
  if (unknown) throw newer(unknown.name)
  return manifest.data
}

const newer = (migration?: string): CopyRefused =>
  new CopyRefused(
    'invalid',
    `The backup is from a newer version of Lodge${migration ? ` (its migration ${migration} is unknown here)` : ''}: install that version and restore it there`,
  )
