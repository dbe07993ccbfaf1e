import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { jobEnd } from '../../support/vm-world.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page
let folder: string
beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await beOn(browser, lodge.origin, admin)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })

test('an administrator sets up backups of the panel, makes one and saves the recovery key', async () => {
  folder = path.join(lodge.dataFolder, 'backups-of-the-panel')
  await mkdir(folder)
  await page.goto('/admin/settings/backups')
  await page.getByText('The panel has no backups').waitFor()
  await page.getByLabel('Path of the folder').fill(folder)
  await button('Save settings').click()
  await until(
    async () =>
      (await admin.must('GET /api/settings/panel-backups')).folder === folder || undefined,
  )
  await button('Back up panel').click()
  await page.getByText('Complete', { exact: true }).waitFor()
  await page.getByText('Nobody has saved the recovery key yet').waitFor()
  await expectAccessible(page)
  await picture(page, 'panel-backups')
  await button('Show recovery key').click()
  const { recoveryKey } = await admin.must('POST /api/panel-backups/recovery-key')
  await page.getByText(recoveryKey).waitFor()
  await picture(page, 'recovery-key')
  await button('I have saved it').click()
  await page.getByText('Nobody has saved the recovery key yet').waitFor({ state: 'hidden' })
  expect((await admin.must('GET /api/panel-backups')).items).toHaveLength(1)
})

test('a failed backup is shown on the overview, which leads to its settings', async () => {
  await rm(folder, { recursive: true })
  await writeFile(folder, 'no folder any more')
  const { jobId } = await admin.must('POST /api/panel-backups')
  await jobEnd(admin, jobId, 'failed')
  await page.goto('/admin')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText('The panel could not be backed up', { exact: true }).waitFor()
  await expectAccessible(page)
  await picture(page, 'panel-backup-failed')
  await attention.getByRole('link', { name: /^Open backups/ }).click()
  await page.waitForURL('**/admin/settings/backups')
  await page.getByText('Failed', { exact: true }).waitFor()
})
