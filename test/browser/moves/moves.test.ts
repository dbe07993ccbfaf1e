import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { quickFolder } from '../../support/quick-folder.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd, machineNode, makeVm, natNetwork } from '../../support/vm-world.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn, openScreen } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let alpha: RealAgent
let beta: RealAgent
/** A shared storage that only the second node has. */
let storage: string
let moving: string
let staying: string
let machine: string

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  const start = async (name: string, environment = {}) =>
    (await machineNode(lodge, { name, location: 'Nuremberg' }, {}, environment)).agent
  storage = await mkdtemp(path.join(quickFolder(), 'lodge-storage-'))
  await mkdir(path.join(storage, 'lodge'))
  alpha = await start('nuremberg-1')
  beta = await start('nuremberg-2', { LODGE_AGENT_SHARED_STORAGES: `fast=${storage}` })
  shareBackups([alpha, beta])
  const owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  const make = async (name: string) => {
    const { serverId, jobId } = await admin.must('POST /api/servers', {
      body: { name, ownerId: owner.id, templateId, nodeId: alpha.nodeId, start: false },
    })
    await jobEnd(admin, jobId, 'done')
    alpha.driver.runtime.folders.set(alpha.driver.dataFolder(serverId), name)
    return serverId
  }
  moving = await make('Under the hill')
  staying = await make('Winter archive')
  const { jobId } = await admin.must('POST /api/servers/{id}/backups', {
    params: { id: staying },
    body: {},
  })
  await jobEnd(admin, jobId, 'done')
  const given = { nodeId: alpha.nodeId, networkId: (await natNetwork(lodge)).id, start: true }
  machine = (await makeVm(lodge, owner.id, given)).id
  await until(async () => (await show(machine)).status === 'running')
  browser = await openBrowser(lodge.origin)
  await beOn(browser, lodge.origin, admin)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  for (const agent of [alpha, beta]) await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await rm(storage, { recursive: true, force: true })
})

const show = (id: string) => admin.must('GET /api/servers/{id}', { params: { id } })
const nodeOf = async (id: string) => (await show(id)).nodeId

test('a server is moved from its page, and a node is evacuated from the page of the node', async () => {
  const { page } = browser
  await openScreen(browser, `/servers/${moving}/move`)
  await page.getByRole('button', { name: 'Move here' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Under the hill to nuremberg-2' })
  await dialog.getByText('Schedules, people, settings and backups stay').waitFor()
  // The host chooses the storage for its files there.
  await dialog.getByRole('combobox', { name: 'Files' }).click()
  await page.getByRole('option', { name: 'On the shared storage fast' }).click()
  await expectReadableInTurn(browser, 'move')
  await dialog.getByRole('button', { name: 'Move server' }).click()
  await dialog.waitFor({ state: 'detached' })
  await until(async () => (await nodeOf(moving)) === beta.nodeId)
  await openScreen(browser, `/servers/${moving}`)
  await page.getByText('On the shared storage fast').waitFor()

  // And changes to the disk of its node, once its former copy is gone.
  await until(async () => {
    const params = { id: moving }
    const { here } = await admin.must('GET /api/servers/{id}/migration-targets', { params })
    return here.storages.every(({ why }) => why === null)
  })
  await openScreen(browser, `/servers/${moving}/move`)
  await page.getByText('It lies on the shared storage fast.').waitFor()
  await page.getByRole('button', { name: 'Change storage…' }).click()
  const change = page.getByRole('dialog', { name: 'Change the storage of Under the hill' })
  await expectReadableInTurn(browser, 'change-storage')
  await change.getByRole('button', { name: 'Change storage' }).click()
  await change.waitFor({ state: 'detached' })
  await page.getByText('It lies on the disk of nuremberg-2.').waitFor()
  expect((await show(moving)).storage).toBeNull()

  await openScreen(browser, `/admin/nodes/${alpha.nodeId}/evacuation`)
  const plan = page.getByRole('table', { name: 'What would happen to each server' })
  await plan.getByText('1 backup only on this node').waitFor()
  await expectReadableInTurn(browser, 'evacuation')
  await plan.getByText('Runs: it is stopped for the move, and started again afterwards').waitFor()
  await page.getByRole('button', { name: 'Move 2 servers' }).click()
  const begin = page.getByRole('dialog', { name: 'Move all servers away from nuremberg-1' })
  // Files that only this node stores are left behind, and the page says so.
  const stop = begin.getByRole('checkbox', { name: 'Stop the virtual machine that runs' })
  expect(await stop.isChecked()).toBe(true)
  await stop.uncheck()
  await begin.getByText('The virtual machine that runs stays here.').waitFor()
  await stop.check()
  await begin.getByRole('checkbox', { name: 'Also move the server whose backups' }).check()
  await begin.getByRole('textbox').last().fill('nuremberg-1')
  await expectReadableInTurn(browser, 'evacuate')
  await begin.getByRole('button', { name: 'Move 2 servers' }).click()
  const results = page.getByRole('table', { name: 'Result for each server' })
  await results.getByText('Moved').nth(1).waitFor()
  await page.getByText('No servers').first().waitFor()
  await expectReadableInTurn(browser, 'evacuated')
  expect(await nodeOf(staying)).toBe(beta.nodeId)
  await until(async () => (await show(machine)).status === 'running')
  expect(await nodeOf(machine)).toBe(beta.nodeId)
})

test('declaring the target of a move dead shows that the move is abandoned, also on the server’s page', async () => {
  const { page } = browser
  const name = 'nuremberg-1'
  // A second attempt finds the state of the first one.
  Object.assign(alpha.driver.knobs, { applyDelayMs: 0, removeError: null })
  await alpha.connect()
  await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: alpha.nodeId } })
  // Its former copy there is deleted a moment after the job.
  await until(async () => {
    const params = { id: staying }
    const { items } = await admin.must('GET /api/servers/{id}/migration-targets', { params })
    return items.some(({ nodeId, possible }) => nodeId === alpha.nodeId && possible)
  })
  alpha.driver.knobs.applyDelayMs = 60_000
  const { jobId } = await admin.must('POST /api/servers/{id}/migrate', {
    params: { id: staying },
    body: { nodeId: alpha.nodeId, confirmBackupsLeft: true },
  })
  await alpha.close()
  const offline = async () =>
    (await admin.must('GET /api/nodes/{id}', { params: { id: alpha.nodeId } })).state !== 'online'
  await until(offline)

  await openScreen(browser, `/admin/failover/${alpha.nodeId}`)
  await page
    .getByRole('table', { name: 'Moving to this node' })
    .getByText('Winter archive')
    .waitFor()
  await expectReadableInTurn(browser, 'plan-with-moves')
  await page.getByRole('button', { name: 'Declare dead…' }).click()
  const dialog = page.getByRole('dialog', { name: `Declare ${name} dead` })
  await dialog.getByText('The move of one server to this node is given up').waitFor()
  await dialog.getByRole('textbox').last().fill(name)
  await expectReadableInTurn(browser, 'declare-with-moves')
  await dialog.getByRole('button', { name: `Declare ${name} dead` }).click()
  await dialog.waitFor({ state: 'detached' })
  await jobEnd(admin, jobId, 'failed')
  await page.getByText('Left by a move, deleted when its node is back').waitFor()
  await expectReadableInTurn(browser, 'copies')

  await openScreen(browser, `/servers/${staying}/move`)
  await page.getByText('The last move failed').waitFor()
  await page.getByText('it stays on nuremberg-2 and can be used again').waitFor()
  await expectReadableInTurn(browser, 'given-up')

  // It is back, but cannot delete its copy.
  alpha.driver.knobs.applyDelayMs = 0
  alpha.driver.knobs.removeError = new DriverError('disk_full', 'The disk is mounted read-only.')
  await alpha.connect()
  await until(async () => {
    const { copies } = await admin.must('GET /api/failover/status')
    return copies.find(({ serverId }) => serverId === staying)?.failed
  })
  await openScreen(browser, '/admin/failover')
  // It may not have deleted the copies of the evacuation there, either.
  const copies = page.getByRole('table', { name: 'Former copies' })
  const copy = copies.getByRole('row').filter({ hasText: 'Winter archive' })
  await copy.getByText('Not deleted').waitFor()
  await copy.getByText('The disk is mounted read-only.').waitFor()
  await expectReadableInTurn(browser, 'copy-not-deleted')
  await openScreen(browser, `/servers/${staying}/move`)
  await page.getByText('nuremberg-1 cannot delete what an earlier').first().waitFor()

  // Nor can the other node delete what a change of storage has left.
  const { storages } = await admin.must('GET /api/nodes/{id}', { params: { id: beta.nodeId } })
  await lodge.database.pool.query(
    `insert into storage_copies (server_id, node_id, kind, storage_id, placement_generation, try_at,
       tries, failure, created_at)
     values ($1, $2, 'container', $3, 1, now() + interval '1 day', 3, 'The storage slow is not there.',
       now() - interval '3 hours')`,
    [staying, beta.nodeId, storages[0]?.id],
  )
  await openScreen(browser, `/servers/${staying}/move`)
  await page.getByText('still has a copy of it on the shared storage fast').waitFor()
  await expectReadableInTurn(browser, 'copy-left')
  await page.getByRole('button', { name: 'Take this copy…' }).click()
  const take = page.getByRole('dialog', { name: 'Take the copy of Winter archive' })
  await take.getByRole('checkbox', { name: 'Accept that newer files' }).check()
  await expectReadableInTurn(browser, 'take-copy')
  await take.getByRole('button', { name: 'Cancel' }).click()
  await openScreen(browser, '/admin/failover')
  const leftOver = page.getByRole('table', { name: 'Copies that changes of storage left' })
  await leftOver.getByText('The storage slow is not there.').waitFor()
  await expectReadableInTurn(browser, 'storage-copies')
  await leftOver.getByRole('button', { name: 'Forget…' }).click()
  const forget = page.getByRole('dialog', {
    name: 'Forget the copy of Winter archive on nuremberg-2',
  })
  await expectReadableInTurn(browser, 'forget-copy')
  await forget.getByRole('button', { name: 'Forget copy' }).click()
  await leftOver.waitFor({ state: 'detached' })
})
