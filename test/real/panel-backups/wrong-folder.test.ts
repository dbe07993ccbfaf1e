import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { runLodge } from '../../support/run-lodge.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

// Commands and starts with the wrong LODGE_DATA: they create nothing there, and say what to set.

let lodge: Lodge
let admin: Caller
let folder: string
let database: { readonly DATABASE_URL: string }
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  database = { DATABASE_URL: lodge.database.url }
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-wrong-folder-'))
})
afterAll(async () => {
  await lodge[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('a backup from a folder without the panel creates neither a key nor the folder', async () => {
  const wrong = path.join(folder, 'mistyped')
  const place = path.join(folder, 'place')
  for (const environment of [{ ...database, LODGE_DATA: wrong }, { LODGE_DATA: wrong }]) {
    const refused = await runLodge(['backup', '--to', place], environment)
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('set LODGE_DATA') })
  }
  const noDatabase = await runLodge(['backup', '--to', place], { LODGE_DATA: lodge.dataFolder })
  expect(noDatabase).toMatchObject({ code: 1, said: expect.stringContaining('set DATABASE_URL') })
  expect(await readdir(lodge.dataFolder)).not.toContain('database')
  expect([wrong, place].filter((one) => existsSync(one))).toEqual([])
})

test('a backup with the master key of another panel is refused', async () => {
  const place = path.join(folder, 'place')
  await mkdir(place, { recursive: true })
  const own = { ...database, LODGE_DATA: lodge.dataFolder }
  const made = await runLodge(['backup', '--to', place], own)
  expect(made).toEqual({ code: 0, said: expect.stringContaining('Backed up') })
  const other = path.join(folder, 'other')
  await cp(lodge.dataFolder, other, { recursive: true })
  await writeFile(path.join(other, 'secrets/master.key'), Buffer.alloc(32, 1).toString('base64'))
  const refused = await runLodge(['backup', '--to', place], { ...own, LODGE_DATA: other })
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('does not open') })
})

test('restoring or listing backups never creates the data folder', async () => {
  const place = path.join(folder, 'place')
  const { recoveryKey } = await admin.must('POST /api/panel-backups/recovery-key')
  const wrong = path.join(folder, 'mistyped')
  const environment = { ...database, LODGE_DATA: wrong, LODGE_RECOVERY_KEY: recoveryKey }
  const listed = await runLodge(['restore', '--from', place, '--list'], environment)
  expect(listed).toMatchObject({ code: 0, said: expect.stringMatching(/^[0-9a-f]{8} of /) })
  const refused = await runLodge(['restore', '--from', place, '--replace'], environment)
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('set LODGE_DATA') })
  expect(existsSync(wrong)).toBe(false)
})

test('a panel never starts with a fresh master key on the database of another', async () => {
  const started = startLodge({
    database: lodge.database,
    environment: { LODGE_DATA: path.join(folder, 'fresh') },
  })
  await expect(started).rejects.toThrow('LODGE_MASTER_KEY')
  expect(existsSync(path.join(folder, 'fresh/secrets'))).toBe(false)
})
