import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runLodge } from '../../support/run-lodge.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

// The panel as started by `npm start`: with its own PostgreSQL, which runs under its own account.

test('a panel with the embedded database is backed up and restored in an empty folder', async () => {
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
  const admin = await first.admin()
  await using sink = await new SmtpSink().listen()
  await admin.must('PUT /api/settings/mail', { body: sink.settings })
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
  // Opens the backup as documented, not as a second panel, which would send mail to customers too.
  const looking = await startLodge({
    environment: { ...second, LODGE_WORK: 'false' },
    database: first.database,
  })
  const root = looking.anonymous()
  const signIn = { body: { email: 'root@example.com', password: PASSWORD } }
  await root.must('POST /api/auth/login', signIn)
  const [worst] = (await root.must('GET /api/overview')).attention
  expect(worst?.kind).toBe('work_off')
  await root.must('POST /api/email/templates/{template}/test', { params: { template: 'test' } })
  await looking.controlPlane.stop()
  expect(sink.answers).toEqual([])
  const panel = await startLodge({ environment: second, database: first.database })
  await panel.anonymous().must('POST /api/auth/login', signIn)
  await until(() => sink.mails.length > 0)
  await panel.controlPlane.stop()
  await first.database.drop()
  await rm(folder, { recursive: true, force: true })
})
