import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runLodge } from '../../support/run-lodge.ts'
import { PASSWORD, startLodge } from '../../support/stack.ts'

// The panel as `npm start` has it: with its own PostgreSQL, which runs as an account of its own.

test('a panel with the embedded database is backed up and comes back in an empty folder', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-embedded-panel-'))
  await chmod(folder, 0o755)
  const place = path.join(folder, 'place')
  await mkdir(place)
  const machine = (name: string) => ({
    LODGE_DATA: path.join(folder, name),
    DATABASE_URL: undefined,
    LODGE_APPLICATION_DATABASE_URL: undefined,
  })
  const first = await startLodge({ environment: machine('first') })
  await first.admin()
  await first.controlPlane.stop()
  const { LODGE_DATA } = machine('first')
  const made = await runLodge(['backup', '--to', place], { LODGE_DATA })
  expect(made).toEqual({ code: 0, said: expect.stringContaining('Backed up') })
  const key = /Recovery key: (\S+)/.exec(made.said)?.[1] ?? made.said
  const second = machine('second')
  await mkdir(second.LODGE_DATA)
  const restored = await runLodge(['restore', '--from', place], {
    LODGE_DATA: second.LODGE_DATA,
    LODGE_RECOVERY_KEY: key,
  })
  expect(restored).toMatchObject({ code: 0 })
  const panel = await startLodge({ environment: second, database: first.database })
  await panel
    .anonymous()
    .must('POST /api/auth/login', { body: { email: 'root@example.com', password: PASSWORD } })
  await panel.controlPlane.stop()
  await first.database.drop()
  await rm(folder, { recursive: true, force: true })
})
