import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mayDelete, requireFiles, takeFiles } from './holder.ts'
import { sharedStorages } from './shared-storages.ts'

const SERVER = '0190a000-0000-7000-8000-000000000001'
const [ALPHA, BETA] = [
  '0190a000-0000-7000-8000-00000000000a',
  '0190a000-0000-7000-8000-00000000000b',
] as const

let root: string
let path: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lodge-storages-'))
  path = join(root, 'mounted')
  await mkdir(path)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const open = () => sharedStorages(new Map([['fast', path]]))
const told = async () => (await open().report())[0]
async function prepared() {
  await mkdir(join(path, 'lodge'))
  const [report] = await open().report()
  return open().find(report?.id ?? '')
}

test('an empty mount point is no storage, and nothing is made on it', async () => {
  expect(await told()).toMatchObject({ name: 'fast', id: null })
  expect((await told())?.why).toContain('No shared storage is mounted')
  await expect(open().find(ALPHA)).rejects.toMatchObject({
    code: 'storage_away',
    retryable: true,
  })
  await rm(path, { recursive: true })
  expect((await told())?.why).toContain('cannot be read')
})

test('nodes that look at a new storage at once agree on its identity, wherever it is mounted', async () => {
  await mkdir(join(path, 'lodge'))
  const reports = await Promise.all(Array.from({ length: 8 }, () => open().report()))
  const ids = new Set(reports.map(([report]) => report?.id))
  expect(ids.size).toBe(1)
  expect(ids.has(null)).toBe(false)
  const before = await open().find([...ids][0] ?? '')
  const elsewhere = join(root, 'elsewhere')
  await rename(path, elsewhere)
  const found = await sharedStorages(new Map([['slow', elsewhere]])).find(before.id)
  expect(found).toMatchObject({ name: 'slow', uidBase: before.uidBase })
  expect(found.folder(SERVER)).toBe(join(elsewhere, 'lodge/servers', SERVER))
})

test('a damaged mark is told, and never replaced', async () => {
  await prepared()
  const mark = join(path, 'lodge/storage.json')
  await writeFile(mark, 'nonsense')
  expect((await told())?.why).toContain('is damaged')
  expect(await readFile(mark, 'utf8')).toBe('nonsense')
})

test('a storage has the disks of its machines in the pool of its mark, and in no other', async () => {
  const pool = { pool: 'vms', user: 'lodge', configFile: join(root, 'ceph.conf') }
  const why = async (given?: typeof pool) => {
    const pools = new Map(given ? [['fast', given]] : [])
    return (await sharedStorages(new Map([['fast', path]]), pools).report())[0]
  }
  await prepared()
  expect(await why(pool)).toMatchObject({
    id: null,
    why: `The storage at ${path} was begun without an RBD pool`,
  })
  const mark = join(path, 'lodge/storage.json')
  const before = JSON.parse(await readFile(mark, 'utf8'))
  await writeFile(mark, JSON.stringify({ ...before, pool: 'vms' }))
  for (const given of [undefined, { ...pool, pool: 'others' }])
    expect(await why(given)).toMatchObject({
      id: null,
      why: `Disks of virtual machines on ${path} are in the RBD pool vms, which this node was not told of`,
    })
  // It has no cluster.
  expect(await why(pool)).toMatchObject({ id: null, why: expect.stringMatching(/rbd|RBD/) })
})

test('files belong to the newest placement, and no earlier one takes or deletes them', async () => {
  const storage = await prepared()
  const [first, second] = [
    { nodeId: ALPHA, placementGeneration: 1 },
    { nodeId: BETA, placementGeneration: 2 },
  ]
  await expect(requireFiles(storage, SERVER)).rejects.toMatchObject({ code: 'disk_missing' })
  await takeFiles(storage, SERVER, first)
  await takeFiles(storage, SERVER, first)
  await mkdir(join(storage.folder(SERVER), 'data'))
  await requireFiles(storage, SERVER)
  expect(await mayDelete(storage, SERVER, first)).toBe(true)
  await takeFiles(storage, SERVER, second)
  await expect(takeFiles(storage, SERVER, first)).rejects.toMatchObject({
    code: 'not_permitted',
    retryable: true,
  })
  // Nor under the same placement on another node, which cannot be.
  const twin = { nodeId: ALPHA, placementGeneration: 2 }
  await expect(takeFiles(storage, SERVER, twin)).rejects.toMatchObject({ code: 'not_permitted' })
  expect(await mayDelete(storage, SERVER, first)).toBe(false)
  expect(await mayDelete(storage, SERVER, second)).toBe(true)
  // A record that cannot be read is nobody's permission.
  await writeFile(join(storage.folder(SERVER), 'holder.json'), '{')
  await expect(takeFiles(storage, SERVER, second)).rejects.toThrow()
  await expect(mayDelete(storage, SERVER, second)).rejects.toThrow()
})
