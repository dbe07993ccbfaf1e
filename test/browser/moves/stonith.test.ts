import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd, machineNode } from '../../support/vm-world.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn, openScreen } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let agent: RealAgent
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-stonith-'))
  lodge = await startPanel()
  admin = await lodge.admin()
  agent = (await machineNode(lodge, { name: 'rack-1', location: 'Nuremberg' })).agent
  browser = await openBrowser(lodge.origin)
  await beOn(browser, lodge.origin, admin)
})
beforeEach(async () => {
  await answers('echo on')
  Object.assign(lodge.controlPlane.services, {
    fence: { command: path.join(folder, 'fence'), limitMs: 5_000 },
  })
  // The state left by a first attempt.
  await lodge.database.pool.query(`update nodes set failover_mode = 'pinned'`)
  await lodge.database.pool.query(`update servers set failover_mode = null`)
  await admin.must('DELETE /api/failover/lease-extension')
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function answers(script: string): Promise<void> {
  await writeFile(path.join(folder, 'fence'), `#!/bin/sh\n${script}\n`)
  await chmod(path.join(folder, 'fence'), 0o755)
}

test('an operator decides about a server whose node has newer data than a rolled-back database, and extends leases', async () => {
  const { page } = browser
  const { id: templateId } = await lodge.template()
  const name = `Older ${randomUUID().slice(0, 8)}`
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name, ownerId: admin.id, templateId, nodeId: agent.nodeId, start: true },
  })
  await jobEnd(admin, jobId, 'done')
  await agent.close()
  await lodge.database.pool.query('update servers set generation = generation - 1 where id = $1', [
    serverId,
  ])
  await agent.connect()
  const findings = async () =>
    (await admin.must('GET /api/set-back')).findings.filter((one) => one.serverId === serverId)
  await until(async () => (await findings()).length === 1)

  await openScreen(browser, '/admin/failover')
  await page.getByText('Nodes have newer states of servers than the database.').waitFor()
  const table = page.getByRole('table', { name: 'What nodes know more' })
  const row = table.getByRole('row').filter({ hasText: name })
  await row.getByText('The node has a newer state of it, and it runs').waitFor()
  await row.getByRole('button', { name: 'Apply the panel’s state' }).waitFor()
  await expectReadableInTurn(browser, 'set-back')
  await row.getByRole('button', { name: 'Keep as on the node' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await findings()).toEqual([])
  expect(await admin.must('GET /api/servers/{id}', { params: { id: serverId } })).toMatchObject({
    status: 'running',
    holds: [],
  })

  // Before maintenance of the control plane, the leases of servers that fail over automatically are
  // extended.
  await lodge.database.pool.query(`update servers set failover_mode = 'auto' where id = $1`, [
    serverId,
  ])
  await openScreen(browser, '/admin/failover')
  const work = page.getByRole('region', { name: 'Work on the control plane' })
  await work.getByRole('button', { name: 'Make leases longer…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make leases longer' })
  await expectReadableInTurn(browser, 'extend-leases')
  await dialog.getByRole('combobox', { name: 'Leases last' }).click()
  await page.getByRole('option', { name: '10 minutes' }).click()
  await dialog.getByRole('button', { name: 'Make leases longer' }).click()
  await work.getByText('Leases last 10 minutes').waitFor()
  // Its agent sends a heartbeat every few seconds.
  await work.getByText('The node has one. All control planes may be offline for 9 min').waitFor()
  await expectReadableInTurn(browser, 'leases-extended')
  await work.getByRole('button', { name: 'End now' }).click()
  await work.getByText('Before you stop all of them, make the leases longer.').waitFor()
})

test('an operator checks whether a node is on, chooses stonith, and sees why it was not switched off', async () => {
  const { page } = browser
  const params = { id: agent.nodeId }
  await openScreen(browser, `/admin/nodes/${agent.nodeId}`)
  const ask = page.getByRole('button', { name: 'Ask whether it is on' })
  await ask.click()
  await page.getByRole('status').getByText('It is on').waitFor()
  await answers('echo The BMC does not answer >&2; exit 1')
  await ask.click()
  await page.getByText('ended with 1 (status): The BMC does not answer').waitFor()

  await page.getByRole('combobox', { name: 'When it is silent' }).click()
  await page.getByRole('option', { name: 'It is switched off, then its servers fail over' }).click()
  await page.getByText('the fence command switches it off').waitFor()
  expect(await admin.must('GET /api/nodes/{id}/failover', { params })).toMatchObject({
    mode: 'stonith',
  })
  await expectReadableInTurn(browser, 'fence-chosen')

  const failure = { detail: 'The fence command ended with 1 (off): no route', isTold: true }
  await agent[Symbol.asyncDispose]()
  // A heartbeat in flight would count as a sign of life since.
  await until(async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'offline')
  await lodge.database.pool.query(
    `insert into fencings (node_id, renew_seq, tries, try_at, failure)
      select id, renew_seq, 2, now() + interval '5 minutes', $2 from nodes where id = $1
      on conflict (node_id) do update set renew_seq = excluded.renew_seq`,
    [agent.nodeId, failure],
  )
  await openScreen(browser, `/admin/nodes/${agent.nodeId}`)
  await page.getByText('This node could not be switched off').waitFor()
  await page.getByText('The fence command ended with 1 (off): no route').first().waitFor()
  await expectReadableInTurn(browser, 'fence-failed')
  await openScreen(browser, '/admin/failover')
  const row = page.getByRole('row').filter({ hasText: 'rack-1' })
  await row.getByText('Is switched off first').waitFor()
  await row.getByText('Not switched off: The fence command ended with 1 (off): no route').waitFor()
  await expectReadableInTurn(browser, 'fence-failed-in-list')
})
