import { DriverError } from '@lodge/driver/driver.ts'
import { snapshotOf } from '@lodge/driver-fake/backup-store.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, jobEnd } from '../../support/vm-world.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { Keyboard } from '../support/keyboard.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn } from '../support/visit.ts'

let lodge: Lodge
let agent: RealAgent
let browser: Browser
let page: Page
let owner: Caller
let admin: Caller
let id: string

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  owner = await lodge.customer()
  const node = await lodge.joinedNode({ name: 'falkenstein-1' })
  agent = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  const { id: templateId } = await lodge.template()
  const make = async (name: string, start: boolean) => {
    const { serverId, jobId } = await admin.must('POST /api/servers', {
      body: { name, ownerId: owner.id, templateId, nodeId: node.id, start },
    })
    await jobEnd(admin, jobId, 'done')
    return serverId
  }
  id = await make('Under the hill', true)
  await make('Winter archive', false)
  await admin.must('PATCH /api/customers/{id}', {
    params: { id: owner.id },
    body: { quota: { maxServerBackups: 5, maxBackupStorageMb: 10_240 } },
  })
  write('first')
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await beOn(browser, lodge.origin, owner)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const folder = () => agent.driver.dataFolder(id)
const write = (text: string) => agent.driver.runtime.folders.set(folder(), text)
const contents = () => agent.driver.runtime.folders.get(folder())
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
/** Found by its menu, since other rows may name this backup in the reason for a disabled action. */
const row = (name: string) => page.getByRole('row').filter({ has: button(`Actions for ${name}`) })
const dialog = () => page.getByRole('dialog').last()
const list = () => owner.must('GET /api/servers/{id}/backups', { params: { id }, query: {} })
const actions = async (name: string, entry: string) => {
  await button(`Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('by keyboard alone: a first backup, whose progress appears and ends without a reload', async () => {
  await page.goto(`/servers/${id}/backups`)
  await page.getByText('No backups yet').waitFor()
  await expectReadableInTurn(browser, 'backups-empty')
  await page.setViewportSize({ width: 1280, height: 800 })
  agent.driver.knobs.backupDelayMs = 60_000
  const keys = new Keyboard(page)
  await keys.choose('button', 'Back up now')
  await dialog().getByRole('textbox', { name: 'Name' }).waitFor()
  await keys.fill('Name', 'Before the update', true)
  await row('Before the update').getByText('Creating, 50%').waitFor()
  await picture(page, 'backups-creating')
  // Only one at a time, and the button says so itself.
  await expect.poll(() => button('Back up now').getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await row('Before the update').getByText('Failed', { exact: true }).waitFor()

  agent.driver.knobs.backupDelayMs = 0
  await button('Back up now').click()
  await keys.fill('Name', 'Spring', true)
  await row('Spring').getByText('Complete', { exact: true }).waitFor()
  expect((await list()).items.map(({ name, state }) => [name, state])).toEqual([
    ['Spring', 'good'],
    ['Before the update', 'failed'],
  ])
})

test('a failed backup shows the reason, and is removed', async () => {
  agent.driver.knobs.backupError = new DriverError(
    'disk_full',
    'There is no room left to write to.',
  )
  await button('Back up now').click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Too much')
  await picture(page, 'backups-new')
  await dialog().getByRole('button', { name: 'Back up server' }).click()
  await row('Too much').getByText('There is no room left to write to.').waitFor()
  agent.driver.knobs.backupError = null
  for (const name of ['Too much', 'Before the update']) {
    await actions(name, 'Delete…')
    await dialog().getByRole('button', { name: 'Delete backup' }).click()
    await row(name).waitFor({ state: 'detached' })
  }
})

test('a locked backup cannot be deleted, and is renamed', async () => {
  await actions('Spring', 'Lock')
  await row('Spring').getByText('Locked: it cannot be deleted').waitFor({ state: 'attached' })
  await button('Actions for Spring').click()
  const entry = page.getByRole('menuitem', { name: /^Delete…/ })
  await entry.getByText('Unlock it first').waitFor()
  expect(await entry.getAttribute('aria-disabled')).toBe('true')
  await picture(page, 'backups-menu')
  await page.keyboard.press('Escape')
  await actions('Spring', 'Rename…')
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Old world')
  await dialog().getByRole('button', { name: 'Rename backup' }).click()
  await row('Old world').waitFor()
})

/** More servers of the owner, on a node that is not connected, until the end of the test. */
async function manyOthers(count: number): Promise<AsyncDisposable> {
  const { pool } = lodge.database
  const { id: nodeId } = await lodge.joinedNode({ name: 'helsinki-1' })
  await pool.query(
    `insert into servers select made.* from servers one, generate_series(1, ${count}) number,
       jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'name', 'Lobby ' || number,
         'metric_key', nextval('servers_metric_key_seq'), 'node_id', $2::uuid)) made where one.id = $1`,
    [id, nodeId],
  )
  return {
    async [Symbol.asyncDispose]() {
      await pool.query('delete from servers where node_id = $1', [nodeId])
    },
  }
}

test('a restore explains its effects, and restores the files', async () => {
  await using _others = await manyOthers(60)
  write('ruined')
  await actions('Old world', 'Restore…')
  await dialog().getByText('If it does not, it gets its present files back.').waitFor()
  await dialog().getByText('and that backup is checked').waitFor()
  await expectAccessible(page, '[role="dialog"]')
  await picture(page, 'backups-restore')
  expect(contents()).toBe('ruined')
  await dialog().getByRole('button', { name: 'Restore backup' }).click()
  await until(() => contents() === 'first')
  await until(async () => {
    const { items } = await owner.must('GET /api/jobs', { query: {} })
    return items.every(({ endedAt }) => endedAt !== null)
  })
  await row('Before restoring Old world').getByText('Complete', { exact: true }).waitFor()
  await page.reload()
  await actions('Before restoring Old world', 'Restore…')
  await dialog().getByRole('switch', { name: 'Back up the present state first' }).click()
  await dialog().getByText('Then whatever changed since is gone.').waitFor()
  await dialog().getByRole('button', { name: 'Restore backup' }).click()
  await until(() => contents() === 'ruined')
  expect((await list()).items).toHaveLength(2)
  await actions('Old world', 'Restore to another server…')
  const target = dialog().getByRole('combobox', { name: 'Server' })
  await target.click()
  await page
    .getByRole('option', { name: /^Lobby/ })
    .first()
    .waitFor()
  // It is not among those that the field lists at first.
  expect(await page.getByRole('option', { name: 'Winter archive' }).count()).toBe(0)
  await picture(page, 'backups-restore-other-list')
  await target.fill('winter')
  await page.getByRole('option', { name: 'Winter archive' }).click()
  expect(await target.inputValue()).toBe('Winter archive')
  await picture(page, 'backups-restore-other')
  await dialog().getByRole('button', { name: 'Restore backup' }).click()
  await page.getByText('Restoring Winter archive').waitFor()
})

test('a backup and a file of it are downloaded, unless the host offers no downloads', async () => {
  const saved = async (click: () => Promise<void>) => {
    const [file] = await Promise.all([page.waitForEvent('download'), click()])
    const bytes = Buffer.concat(await (await file.createReadStream()).toArray())
    return [file.suggestedFilename(), bytes.toString()]
  }
  const whole = await saved(() => actions('Old world', 'Download'))
  expect(whole).toEqual(['Old world.tar.gz', 'first'])
  await page.getByRole('link', { name: 'Old world', exact: true }).click()
  await dialog().getByText('contents').waitFor()
  const file = await saved(() => button('Download contents').click())
  expect(file).toEqual(['contents', 'first'])

  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/settings/backups')
  await page.getByRole('switch', { name: 'Customers may download backups' }).click({ force: true })
  await button('Save settings').click()
  await until(async () => !(await admin.must('GET /api/settings/backups')).downloads)
  await beOn(browser, lodge.origin, owner)
  await page.goto(`/servers/${id}/backups`)
  await button('Actions for Old world').click()
  const entry = page.getByRole('menuitem', { name: /^Download/ })
  await entry.getByText('The host does not offer backups for download').waitFor()
  expect(await entry.getAttribute('aria-disabled')).toBe('true')
  const settings = await admin.must('GET /api/settings/backups')
  await admin.must('PUT /api/settings/backups', {
    body: { ...settings, s3: null, downloads: true },
  })
  await page.goto(`/servers/${id}/backups`)
})

/** Attempts that failed since, until the end of the test. */
async function manyFailed(count: number): Promise<AsyncDisposable> {
  const { pool } = lodge.database
  const { rows } = await pool.query<{ id: string }>(
    `insert into server_backups
       (id, server_id, repository_id, name, state, reserved_mb, failure, created_by_id, finished_at)
     select gen_random_uuid(), server_id, repository_id, 'Too much ' || number, 'failed', 0,
         '{"code": "disk_full", "detail": "There is no room left to write to."}', created_by_id, now()
       from server_backups, generate_series(1, ${count}) number
      where server_id = $1 and name = 'Old world' returning id`,
    [id],
  )
  return {
    async [Symbol.asyncDispose]() {
      await pool.query('delete from server_backups where id = any($1)', [rows.map(({ id }) => id)])
    },
  }
}

test('the files of a backup are browsed from any page of the list, which stays on that page', async () => {
  await using _failed = await manyFailed(25)
  await page.goto(`/servers/${id}/backups`)
  await row('Too much 1').waitFor()
  expect(await row('Old world').count()).toBe(0)
  await button('Next').click()
  await row('Old world').waitFor()
  const after = new URL(page.url()).searchParams.get('after')
  const link = page.getByRole('link', { name: 'Old world', exact: true })
  for (const open of [() => link.click(), () => button('Browse files of Old world').click()]) {
    await open()
    await dialog().getByText('contents').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.search.includes('backup='))
    expect(new URL(page.url()).searchParams.get('after')).toBe(after)
    await link.waitFor()
  }
})

test('single files are found in a backup, and restored into a folder', async () => {
  await page.goto(`/servers/${id}/backups`)
  await page.getByRole('link', { name: 'Old world', exact: true }).click()
  await page.waitForURL(/backup=/)
  await dialog().getByText('contents').waitFor()
  await expectAccessible(page, '[role="dialog"]')
  await picture(page, 'backups-browse')
  await dialog()
    .getByRole('checkbox', { name: /contents/ })
    .check({ force: true })
  await dialog().getByRole('button', { name: 'Restore 1 entry…' }).click()
  await picture(page, 'backups-restore-files')
  const [request] = await Promise.all([
    page.waitForRequest(/restore-files$/),
    dialog().getByRole('button', { name: 'Restore files' }).click(),
  ])
  expect(request.postDataJSON()).toEqual({
    ...{ paths: ['/contents'], into: '/restored', keepReplaced: true },
  })
  await page.getByText(/^Files that are replaced go to \/replaced-/).waitFor()
  await page.waitForURL((url) => !url.search.includes('backup'))
  await expectReadableInTurn(browser, 'backups')
})

test('a backup is verified from its menu, and a damaged one is not restored', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const { items } = await list()
  const { id: backupId = '' } = items.find(({ name }) => name === 'Old world') ?? {}
  await actions('Old world', 'Verify')
  await page.getByText('Verifying Old world').waitFor()
  await row('Old world')
    .getByText(/^Verified/)
    .waitFor()
  for (const repository of agent.driver.runtime.repositories.values())
    repository.delete(snapshotOf(backupId))
  await until(async () => {
    const { items } = await owner.must('GET /api/jobs', { query: {} })
    return items.every(({ endedAt }) => endedAt !== null)
  })
  await actions('Old world', 'Verify')
  await row('Old world').getByText('Damaged', { exact: true }).waitFor()
  await row('Old world').getByText('The backup or its repository is damaged.').waitFor()
  await expectReadableInTurn(browser, 'backups-damaged')
  await page.setViewportSize({ width: 1280, height: 800 })
  await button('Actions for Old world').click()
  const entry = page.getByRole('menuitem', { name: /^Restore…/ })
  await entry.getByText('It is damaged').waitFor()
  expect(await entry.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
})

test('the overview shows the latest backup, and the palette makes another', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/servers/${id}`)
  await page.getByRole('region', { name: 'Latest backup' }).getByText('6 B').waitFor()
  await picture(page, 'backups-overview')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('back up under')
  await page.getByRole('option', { name: /Back up Under the hill/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await until(async () => (await list()).items.length === 3)
})

test('exclusions of backups are chosen, shown on the next one, and listed by its restore as unaffected', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/servers/${id}/backups`)
  await button('Leave out…').click()
  await dialog().getByLabel('Files and folders').fill('# from .gitignore\ncache/\n**')
  await dialog().getByRole('button', { name: 'Save list' }).click()
  await dialog().getByText('would leave out everything').first().waitFor()
  await dialog().getByLabel('Files and folders').fill('# from .gitignore\n\ncache/\n*.log')
  await dialog().getByRole('button', { name: 'Save list' }).click()
  await page.getByText('Backups leave out: cache/, *.log.').waitFor()
  const { jobId } = await owner.must('POST /api/servers/{id}/backups', {
    ...{ params: { id }, body: { name: 'Without caches' } },
  })
  await jobEnd(owner, jobId, 'done')
  await row('Without caches').getByText('Without: cache/, *.log').waitFor()
  await actions('Without caches', 'Restore…')
  await dialog().getByText('The backup leaves out cache/, *.log.').waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

test('the buttons name an offline node and a missing permission as reasons', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const reasonOf = async (): Promise<string | null> => {
    const reason = await button('Back up now').getAttribute('aria-describedby')
    return reason === null ? null : page.locator(`[id="${reason}"]`).textContent()
  }
  const friend = await lodge.customer()
  await lodge.database.pool.query(
    'insert into server_collaborators (server_id, user_id, permissions) values ($1, $2, $3)',
    [id, friend.id, ['backups.view']],
  )
  await beOn(browser, lodge.origin, friend)
  await page.goto(`/servers/${id}/backups`)
  await expect.poll(reasonOf).toContain('backups.create')
  await button('Actions for Old world').click()
  await page.getByRole('menuitem', { name: /^Rename….*backups\.create/ }).waitFor()
  await beOn(browser, lodge.origin, owner)
  await agent.close()
  await page.goto(`/servers/${id}/backups`)
  await expect.poll(reasonOf).toMatch(/falkenstein-1 is not connected/)
  expect(browser.faults).toEqual([])
})

test('an administrator stores backups in a bucket', async () => {
  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/settings/backups')
  await page.getByRole('radio', { name: /In an S3 bucket/ }).check({ force: true })
  await page.getByRole('radio', { name: /Every week/ }).check({ force: true })
  await picture(page, 'settings-verification')
  await page.getByLabel('Endpoint').fill('https://s3.example.com')
  await page.getByLabel('Bucket', { exact: true }).fill('lodge-backups')
  await page.getByLabel('Access key ID').fill('AKIA')
  await button('Save settings').click()
  await page.getByText('is required', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Secret access key' }).fill('a secret')
  await button('Save settings').click()
  await page.getByText('One is saved.').waitFor()
  await expectReadableInTurn(browser, 'settings-backups')
  expect(await admin.must('GET /api/settings/backups')).toMatchObject({
    ...{ place: 's3', verify: 'weekly' },
    s3: { bucket: 'lodge-backups', hasSecretAccessKey: true },
  })
})
