import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lengthOf } from '../../run/lengths.ts'
import { freePort } from '../../support/processes.ts'
import { PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { passkeyDevice } from '../support/authenticator.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn } from '../support/visit.ts'
import {
  ENTRY_POINTS,
  type EntryPoint,
  entryPointsMissing,
  openEntryPoints,
} from './entry-points.ts'

/**
 * The core of the panel through each entry point. All other journeys use only one; the differences,
 * which are secure context, scheme and proxy, are tested here.
 */

const missing = await entryPointsMissing()
const FILES = lengthOf('LODGE_UPLOADED_FILES')

/** A folder of this machine with so many small files. */
async function folderOf(count: number) {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'lodge-tiles-'))
  // A name of its own, so that a second try does not replace the files of the first.
  const folder = path.join(parent, path.basename(parent))
  const names = Array.from({ length: count }, (_, at) => `tile-${at}.dat`)
  await mkdir(folder)
  for (const name of names) await writeFile(path.join(folder, name), `The ground of ${name}`)
  return {
    folder,
    names,
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}

describe.skipIf(missing)('the panel', () => {
  let stage: Stage
  let entryPoints: Awaited<ReturnType<typeof openEntryPoints>>

  beforeAll(async () => {
    const port = await freePort()
    entryPoints = await openEntryPoints(port)
    // Without WEB_ORIGIN, as after `npm start`.
    stage = await openStage({
      LODGE_HOST: '0.0.0.0',
      LODGE_PORT: String(port),
      LODGE_TRUSTED_PROXIES: '127.0.0.1',
      WEB_ORIGIN: undefined,
    })
    const { id } = stage.node
    await stage.admin.must('PATCH /api/nodes/{id}', {
      params: { id },
      body: { address: 'play.example.com' },
    })
  })
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]()
    await entryPoints?.[Symbol.asyncDispose]()
  })

  const power = (action: 'start' | 'stop') =>
    stage.admin.must('POST /api/servers/{id}/actions', {
      params: { id: stage.servers.stopped },
      body: { action },
    })

  async function signIn({ page }: Browser): Promise<void> {
    await page.goto('/login')
    await page.getByLabel('E-mail', { exact: true }).fill(stage.admin.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
  }

  const row = ({ page }: Pick<Browser, 'page'>, word: string) =>
    page
      .getByRole('row', { name: /Winter archive/ })
      .getByText(word, { exact: true })
      .first()
      .waitFor()

  /** The list shows a server that somebody else starts and stops. */
  async function expectLiveList({ page }: Browser): Promise<void> {
    await page.goto('/servers')
    await row({ page }, 'Stopped')
    await power('start')
    await row({ page }, 'Running')
    await power('stop')
    await row({ page }, 'Stopped')
  }

  async function expectConsole({ page }: Browser, line: string): Promise<void> {
    await page.goto(`/servers/${stage.servers.running}/console`)
    await page
      .locator('.xterm-rows')
      .getByText(/For help/)
      .waitFor()
    await page.getByLabel('Command').fill(line)
    await page.getByLabel('Command').press('Enter')
    await until(() => stage.agent.driver.inputs(stage.servers.running).includes(line))
  }

  /** A copied text can be pasted. */
  async function expectCopy({ page }: Browser): Promise<void> {
    await page.goto(`/servers/${stage.servers.running}/console`)
    await page.getByRole('button', { name: 'Copy the address' }).click()
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
    // A command is accepted once the console is connected.
    await page.getByLabel('Command').click()
    await page.getByLabel('Command').press('Control+V')
    await until(async () =>
      /^play\.example\.com:\d+$/.test(await page.getByLabel('Command').inputValue()),
    )
  }

  async function expectPasskeys({ page }: Browser, entry: EntryPoint): Promise<void> {
    await using _device = await passkeyDevice(page)
    await page.goto('/account/security')
    const add = page.getByRole('button', { name: 'Add passkey' })
    await add.waitFor()
    expect(await page.evaluate(() => isSecureContext)).toBe(entry.isSecureContext)
    if (!entry.isSecureContext) {
      await page
        .getByText(/^Passkeys need HTTPS/)
        .first()
        .waitFor()
      await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
      return
    }
    await add.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('table', { name: 'Passkeys' }).waitFor()
    await stage.lodge.database.pool.query('delete from passkeys')
  }

  test.each(ENTRY_POINTS)(
    'through %s: sign in, live list, console, copying, passkeys offered or explained',
    async (name) => {
      const entry = entryPoints.of[name]
      await using browser = await openBrowser(entry.origin, { flags: entry.flags })
      await signIn(browser)
      await expectLiveList(browser)
      await expectConsole(browser, `say through ${name}`)
      await expectCopy(browser)
      await expectPasskeys(browser, entry)
      expect(browser.faults).toEqual([])
    },
  )

  test(`a folder of ${FILES} small files is uploaded over plain HTTP, and all of them are listed`, async () => {
    const entry = entryPoints.of['plain HTTP by an address']
    await using mine = await folderOf(FILES)
    await using browser = await openBrowser(entry.origin, { flags: entry.flags })
    const { page } = browser
    await signIn(browser)
    await page.goto(`/servers/${stage.servers.stopped}/files`)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: 'Folder…' }).click()
    await (await chooser).setFiles(mine.folder)
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.getByText(`${FILES} files uploaded`).waitFor({ timeout: 150_000 })
    await tray.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('link', { name: path.basename(mine.folder) }).click()
    await page.getByText(`0 folders, ${FILES} files`).waitFor()
    // Only the rows near the window are in the page.
    const listed = new Set<string>()
    await page.mouse.move(640, 400)
    await until(async () => {
      const names = await page
        .locator('tbody')
        .getByText(/^tile-\d+\.dat$/)
        .allTextContents()
      for (const name of names) listed.add(name)
      await page.mouse.wheel(0, 600)
      return listed.size === mine.names.length
    })
    expect([...listed].sort()).toEqual(mine.names.toSorted())
    expect(browser.faults).toEqual([])
  })

  test('eight tabs over plain HTTP share one event stream, also after its reader is closed', async () => {
    const entry = entryPoints.of['plain HTTP by an address']
    await using browser = await openBrowser(entry.origin, { flags: entry.flags })
    await beOn(browser, entry.origin, await stage.lodge.session(stage.admin.id))
    const tabs = [browser.page]
    while (tabs.length < 8) tabs.push(await browser.context.newPage())
    for (const tab of tabs) {
      await tab.goto('/servers')
      await row({ page: tab }, 'Stopped')
    }
    const all = (word: string, some = tabs) => Promise.all(some.map((page) => row({ page }, word)))
    await power('start')
    await all('Running')
    // The first tab is the leader: it reads the stream.
    await browser.page.close()
    await power('stop')
    await all('Stopped', tabs.slice(1))
  })
})
