import { basename, dirname } from 'node:path'
import type { OpenRepository } from '@lodge/driver/backup-store.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { LISTED_MAX, type ListedFolder } from '@lodge/shared/backup-work.ts'
import { jsonOf } from '@lodge/shared/local/restic-output.ts'
import { z } from 'zod'
import { failureOf, type Restic } from './restic.ts'

const Node = z.object({
  struct_type: z.literal('node'),
  name: z.string(),
  path: z.string(),
  type: z.string(),
  size: z.number().default(0),
  permissions: z.string().default('----------'),
  mtime: z.string(),
})
type Entry = ListedFolder['items'][number]

const KINDS: Readonly<Record<string, Entry['kind']>> = {
  file: 'file',
  dir: 'folder',
  symlink: 'link',
}

/** Lists one folder of a backup, folders first. */
export async function listFolder(
  restic: Restic,
  {
    repository,
    snapshotId,
    path,
  }: { repository: OpenRepository; snapshotId: string; path: string },
  signal: AbortSignal,
): Promise<ListedFolder> {
  const items: Entry[] = []
  let found = false
  let truncated = false
  const done = await restic.run(repository, ['--no-lock', 'ls', snapshotId, path], {
    signal,
    onLine(text) {
      const { data: node } = Node.safeParse(jsonOf(text))
      if (node?.path === path) found = node.type === 'dir'
      if (!node || dirname(node.path) !== path) return
      if (items.length < LISTED_MAX) items.push(entryOf(node))
      else truncated = true
    },
  })
  if (done.code !== 0) throw failureOf(done)
  if (!found) throw new DriverError('not_found', 'The backup has no such folder.')
  items.sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))
  return { items, truncated }
}

/** How much room these files and folders of a backup take. */
export async function sizeOf(
  restic: Restic,
  {
    repository,
    snapshotId,
    paths,
  }: { repository: OpenRepository; snapshotId: string; paths: readonly string[] },
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0
  const done = await restic.run(
    repository,
    ['--no-lock', 'ls', '--recursive', snapshotId, ...paths],
    {
      signal,
      onLine(text) {
        const { data: node } = Node.safeParse(jsonOf(text))
        if (node?.type === 'file') bytes += node.size
      },
    },
  )
  if (done.code !== 0) throw failureOf(done)
  return bytes
}

const rank = ({ kind }: Entry) => (kind === 'folder' ? 0 : 1)

const entryOf = (node: z.infer<typeof Node>): Entry => ({
  name: basename(node.path),
  kind: KINDS[node.type] ?? 'other',
  sizeBytes: node.size,
  modifiedAt: new Date(node.mtime).toISOString(),
  mode: octal(node.permissions),
})

/** `-rwxr-x---` as `750`. */
function octal(permissions: string): string {
  const bits = [...permissions.slice(-9)].map((one) =>
    one === '-' || one === 'S' || one === 'T' ? '0' : '1',
  )
  return Number.parseInt(bits.join(''), 2).toString(8).padStart(3, '0')
}
