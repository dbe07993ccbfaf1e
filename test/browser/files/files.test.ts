import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileWorld, fileWorld } from '../../api/files/world.ts'
import { lengthOf } from '../../run/lengths.ts'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadable, expectReadableInTurn, openScreen } from '../support/visit.ts'

let world: FileWorld
let browser: Browser
let page: Page
/** Files of the person at the browser. */
let own: string

const FILES = lengthOf('LODGE_UPLOADED_FILES')
const on = (name: string) => path.join(world.folder, name)
const address = (folder = '/') => `/servers/${world.serverId}/files?path=${folder}`
const editing = (file: string) => `/servers/${world.serverId}/files/edit?path=${file}`
const row = (name: string) => page.locator('tbody tr').filter({ hasText: name })

beforeAll(async () => {
  world = await fileWorld(({ environment }) => startPanel(environment))
  for (const folder of ['config', 'logs', 'plugins', 'world', 'world/region'])
    await mkdir(on(folder), { recursive: true })
  // The node serves the files as the user of the server.
  await chmod(on('world'), 0o777)
  await writeFile(on('server.properties'), 'motd=A Minecraft Server\nmax-players=20\nport=25565\n')
  await writeFile(on('plugins/config.yml'), 'language: en\nspawn:\n  protected: true\n')
  await writeFile(on('eula.txt'), 'eula=true\r\n')
  await writeFile(on('.env'), 'TOKEN=1')
  await writeFile(on('logs/yesterday.log.gz'), gzipSync('12:00 The server has started\n'))
  await writeFile(on('server.jar'), Buffer.alloc(3_000_000, 1))
  await writeFile(on('backup.zip'), Buffer.alloc(20_000, 7))
  own = await mkdtemp(path.join(os.tmpdir(), 'lodge-own-files-'))
  browser = await openBrowser(world.lodge.origin)
  page = browser.page
  await beOn(browser, world.lodge.origin, world.owner)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  if (own) await rm(own, { recursive: true, force: true })
})

test('a folder is shown, gone into and left by keyboard', async () => {
  await openScreen(browser, address())
  await row('server.properties').waitFor()
  await expectReadableInTurn(browser, 'files')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/path=%2Fplugins$/)
  await row('config.yml').waitFor()
  await page.keyboard.press('Backspace')
  await page.waitForURL(/files$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 selected').waitFor()
  await expectReadable(browser, 'files-selected', [])
})

test(`${FILES} files of a folder are uploaded, and an existing file asks what to do`, async () => {
  await mkdir(path.join(own, 'maps/deep'), { recursive: true })
  for (let at = 0; at < FILES - 1; at++)
    await writeFile(path.join(own, at % 2 ? 'maps' : 'maps/deep', `tile-${at}.dat`), `tile ${at}`)
  await writeFile(path.join(own, 'maps/big.bin'), Buffer.alloc(20_000_000, 3))
  await openScreen(browser, address('/world'))
  const choose = async (what: 'Files…' | 'Folder…', files: string): Promise<void> => {
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('menuitem', { name: what }).click()
    await (await chooser).setFiles(files)
  }
  await choose('Folder…', path.join(own, 'maps'))
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText(new RegExp(`^Uploading \\d+ of ${FILES}$`)).waitFor()
  await expectReadable(browser, 'files-uploading', [])
  await tray.getByText(`${FILES} files uploaded`).waitFor({ timeout: 90_000 })
  expect((await readdir(on('world/maps/deep'))).length).toBe(FILES / 2)
  expect((await stat(on('world/maps/big.bin'))).size).toBe(20_000_000)
  expect(await readFile(on('world/maps/tile-7.dat'), 'utf8')).toBe('tile 7')
  await row('maps').waitFor()

  await openScreen(browser, address())
  await writeFile(path.join(own, 'eula.txt'), 'eula=false')
  await choose('Files…', path.join(own, 'eula.txt'))
  const dialog = page.getByRole('dialog', { name: 'A file with this name exists' })
  await dialog.waitFor()
  await expectReadable(browser, 'files-conflict', [])
  await dialog.getByText('Keep both').click()
  await dialog.getByRole('button', { name: 'Continue upload' }).click()
  await until(() => readFile(on('eula (1).txt'), 'utf8').catch(() => undefined))
  expect(await readFile(on('eula.txt'), 'utf8')).toBe('eula=true\r\n')
})

test('the upload of a dragged folder is paused, and resumes where it was', async () => {
  const content = Buffer.alloc(30_000_000, 'dragged')
  await mkdir(path.join(own, 'pack/empty'), { recursive: true })
  await writeFile(path.join(own, 'pack/large.bin'), content)
  await openScreen(browser, address('/world'))
  const line = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 8_000_000 }
  await line.send('Network.emulateNetworkConditions', slow)
  const { x, y } = (await page.locator('thead').boundingBox()) ?? expect.fail()
  const data = { items: [], files: [path.join(own, 'pack')], dragOperationsMask: 1 }
  const at = { x: x + 200, y: y + 10, data }
  await line.send('Input.dispatchDragEvent', { type: 'dragEnter', ...at })
  await line.send('Input.dispatchDragEvent', { type: 'dragOver', ...at })
  await page.getByText('Drop to upload to /world').waitFor()
  await expectReadable(browser, 'files-dragging', [])
  await line.send('Input.dispatchDragEvent', { type: 'drop', ...at })
  const tray = page.getByRole('region', { name: 'Uploads' })
  const arrived = (bytes: number) =>
    until(async () => {
      const [part] = await readdir(on('.lodge/uploads')).catch(() => [])
      return part !== undefined && (await stat(on(`.lodge/uploads/${part}`))).size > bytes
    })
  await arrived(4_000_000)
  await tray.getByRole('button', { name: 'Pause all' }).click()
  await tray.getByText('Paused at 0 of 1').waitFor()
  await expectReadable(browser, 'files-paused', [])
  const sent: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(Number(request.headers()['upload-offset']))
  })
  await tray.getByRole('button', { name: 'Resume all' }).click()
  await arrived(12_000_000)
  await tray.getByRole('button', { name: 'Pause all' }).click()
  expect(Math.min(...sent)).toBeGreaterThan(4_000_000)

  // Another tab shows it as unfinished only once no tab has it any more.
  const second = await page.context().newPage()
  await second.goto(address('/world'))
  await second.locator('tbody tr').filter({ hasText: 'region' }).waitFor()
  const unfinished = second.getByText('An upload is not finished')
  expect(await unfinished.count()).toBe(0)
  await page.reload()
  await unfinished.waitFor()
  await second.close()
  sent.length = 0
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose files' }).click()
  await (await chooser).setFiles(path.join(own, 'pack/large.bin'))
  await tray.getByText('1 file uploaded').waitFor()
  expect(Math.min(...sent)).toBeGreaterThan(12_000_000)
  expect((await readFile(on('world/pack/large.bin'))).equals(content)).toBe(true)
  expect((await stat(on('world/pack/empty'))).isDirectory()).toBe(true)
  await line.detach()
})

test('archives are created and extracted, and files fetched, while the page shows the progress', async () => {
  await openScreen(browser, address())
  const dialog = page.getByRole('dialog')
  const choose = async (file: string, what: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions for ${file}`, exact: true }).click()
    await page.getByRole('menuitem', { name: what }).click()
    await dialog.waitFor()
  }
  await choose('plugins', 'Archive…')
  await dialog.getByText('tar.gz', { exact: true }).click()
  await expectReadableInTurn(browser, 'files-archive')
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'Create archive' }).click()
  await row('plugins.tar.gz').waitFor()
  await choose('plugins.tar.gz', 'Extract…')
  await dialog.getByLabel('To the folder').fill('/unpacked')
  await expectReadableInTurn(browser, 'files-extract')
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'Extract' }).click()
  await row('unpacked').waitFor()
  expect(await readFile(on('unpacked/plugins/config.yml'), 'utf8')).toContain('language: en')

  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'From an address…' }).click()
  await dialog.getByLabel('Address').fill('ftp://example.com/map.zip')
  await dialog.getByRole('button', { name: 'Get file' }).click()
  await dialog.getByText('An address that begins with https://').waitFor()
  await dialog.getByLabel('Address').fill('http://127.0.0.1/maps/map%20one.zip')
  expect(await dialog.getByLabel('Name of the file').inputValue()).toBe('map one.zip')
  await expectReadableInTurn(browser, 'files-pull')
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByRole('button', { name: 'Get file' }).click()
  // The node's own network cannot be reached.
  await page.getByText('The file operation failed').waitFor()
  await expectReadable(browser, 'files-pull-failed', [])
})

/** Saves the text in the editor, and types more before the answer comes. */
async function typeDuringSave(more: string): Promise<void> {
  const { promise: typed, resolve } = Promise.withResolvers<void>()
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  const held = async (route: Route): Promise<void> => {
    await typed
    await route.continue()
  }
  await page.route('**/files/content?**', held, { times: 1 })
  await page.keyboard.press('Control+s')
  await sent
  await page.keyboard.type(more)
  resolve()
}

test('a file is edited in its original encoding, and a newer version is never overwritten unnoticed', async () => {
  await openScreen(browser, editing('/logs/yesterday.log.gz'))
  await page.getByText('12:00 The server has started').waitFor()
  await expectReadable(browser, 'files-packed', [])
  await openScreen(browser, editing('/eula.txt'))
  const text = page.locator('.cm-content').last()
  await text.waitFor()
  await page.getByText('CRLF').waitFor()
  await text.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('# read\n')
  await page.getByText('Unsaved').waitFor()
  await expectReadableInTurn(browser, 'files-editor')
  await page.setViewportSize({ width: 1280, height: 800 })
  await typeDuringSave('# later\n')
  await page.getByText('Saved eula.txt').first().waitFor()
  expect(await readFile(on('eula.txt'), 'utf8')).toBe('eula=true\r\n# read\r\n')
  await page.getByText('Unsaved').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Unsaved').waitFor({ state: 'detached' })
  expect(await readFile(on('eula.txt'), 'utf8')).toBe('eula=true\r\n# read\r\n# later\r\n')

  await page.keyboard.type('# not meant')
  await page.route('**/files/stat?**', (route) => route.abort())
  await page.getByRole('button', { name: 'Revert', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Revert changes?' })
  await dialog.getByRole('button', { name: 'Revert changes' }).click()
  await dialog.getByText('The panel could not be reached.').waitFor()
  expect(await text.textContent()).toMatch(/# later# not meant$/)
  await page.unroute('**/files/stat?**')
  await dialog.getByRole('button', { name: 'Revert changes' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => text.textContent()).toMatch(/# later$/)

  await writeFile(on('eula.txt'), 'eula=true\r\n# read\r\n# by somebody else\r\n')
  await text.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# mine\n')
  await typeDuringSave('# mine too\n')
  await page.getByText('Somebody changed this file meanwhile').waitFor()
  await page.locator('.cm-merge-a').waitFor()
  await expectReadableInTurn(browser, 'files-merge')
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.locator('.cm-merge-b .cm-content').click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('# and merged')
  await page.getByRole('button', { name: 'Save merged' }).click()
  await page.getByText('Somebody changed this file meanwhile').waitFor({ state: 'detached' })
  expect(await readFile(on('eula.txt'), 'utf8')).toMatch(
    /^# mine\r\n# mine too\r\n.*# and merged$/s,
  )
  expect(browser.faults).toEqual([])
})

test('files are created, renamed, moved, found and deleted', async () => {
  await openScreen(browser, address())
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New folder…' }).click()
  await page.getByLabel('Name', { exact: true }).fill('made here')
  await page.getByRole('button', { name: 'Create folder' }).click()
  await row('made here').waitFor()
  await row('made here').locator('td').nth(2).click()
  await page.keyboard.press('F2')
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
  await name.fill('renamed')
  await expectReadable(browser, 'files-rename', [])
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
  await row('renamed').waitFor()
  expect((await stat(on('renamed'))).isDirectory()).toBe(true)

  await row('backup.zip').getByRole('link').dragTo(row('renamed'))
  await row('backup.zip').waitFor({ state: 'detached' })
  expect((await stat(on('renamed/backup.zip'))).size).toBe(20_000)

  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByLabel('Text in the file').fill('max-players')
  await page.getByRole('button', { name: 'Find', exact: true }).last().click()
  await page.getByText('line 2').waitFor()
  await expectReadable(browser, 'files-found', [])
  await page.getByRole('button', { name: 'Find', exact: true }).first().click()

  await row('renamed').locator('td').nth(2).click()
  await page.keyboard.press('Delete')
  await row('renamed').waitFor({ state: 'detached' })
  await expect(stat(on('renamed'))).rejects.toThrow('ENOENT')
  const said = page.getByRole('status').filter({ hasText: 'Deleted renamed' })
  await expectReadable(browser, 'files-deleted', [])
  await said.getByRole('button', { name: 'Undo' }).click()
  await row('renamed').waitFor()
  expect((await stat(on('renamed/backup.zip'))).size).toBe(20_000)
})

test('deleted files are restored from their list, or deleted permanently', async () => {
  await openScreen(browser, address())
  await page.getByRole('button', { name: 'What takes the space?' }).click()
  const space = page.getByRole('dialog', { name: 'What takes the space?' })
  await space.getByRole('button', { name: /^Open world:/ }).waitFor()
  await expectReadableInTurn(browser, 'files-space')
  await page.setViewportSize({ width: 1280, height: 800 })
  const large = space.getByRole('button', { name: 'Delete /server.jar' })
  await large.click()
  await large.waitFor({ state: 'detached' })
  await space.getByRole('button', { name: /^Open world:/ }).click()
  await space.getByText('Largest files').click()
  await space.getByText('big.bin').waitFor()
  await space.getByRole('button', { name: 'All files' }).click()
  await space.getByRole('button', { name: /^Open plugins:/ }).waitFor()
  await page.keyboard.press('Escape')
  for (const name of ['eula (1).txt', 'renamed']) {
    await row(name).locator('td').nth(2).click()
    await page.keyboard.press('Delete')
    await row(name).waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: /^including .* of deleted files$/ }).waitFor()
  await page.getByRole('button', { name: 'Deleted files', exact: true }).click()
  const bin = page.getByRole('dialog', { name: 'Deleted files' })
  await bin.getByRole('button', { name: 'Restore /renamed' }).waitFor()
  await expectReadableInTurn(browser, 'files-bin')
  await page.setViewportSize({ width: 1280, height: 800 })
  await bin.getByRole('button', { name: 'Restore /renamed' }).click()
  await row('renamed').waitFor()
  expect((await stat(on('renamed/backup.zip'))).size).toBe(20_000)
  await bin.getByRole('button', { name: 'Delete /eula (1).txt permanently' }).click()
  await page.getByRole('button', { name: 'Delete permanently', exact: true }).click()
  await bin.getByRole('button', { name: 'Restore /eula (1).txt' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  // With Shift it asks first, because the deletion is permanent.
  await row('renamed').locator('td').nth(2).click()
  await page.keyboard.press('Shift+Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete renamed permanently' })
  await dialog.getByText('Everything in the folder is deleted too.').waitFor()
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await row('renamed').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Deleted files', exact: true }).click()
  await bin.getByRole('button', { name: 'Restore /server.jar' }).waitFor()
  expect(await bin.getByRole('button', { name: /^Restore / }).count()).toBe(1)
  await page.keyboard.press('Escape')

  // Without a bin it asks too, and what took the space is measured anew.
  const { admin } = world
  const settings = await admin.must('GET /api/settings/self-service')
  await admin.must('PUT /api/settings/self-service', { body: { ...settings, deletedFilesDays: 0 } })
  await writeFile(on('core.dump'), Buffer.alloc(500_000, 1))
  await page.getByRole('button', { name: 'What takes the space?' }).click()
  const dump = space.getByRole('button', { name: 'Delete /core.dump' })
  await dump.click()
  const forGood = page.getByRole('dialog', { name: 'Delete core.dump permanently' })
  await forGood.getByRole('button', { name: 'Delete permanently' }).click()
  await forGood.waitFor({ state: 'detached' })
  await expect.poll(() => dump.count()).toBe(0)
  await page.keyboard.press('Escape')
  await admin.must('PUT /api/settings/self-service', { body: settings })
  expect(browser.faults).toEqual([])
})

test('10,000 entries are all listed, with few of them in the DOM', async () => {
  await mkdir(on('many'))
  for (let at = 0; at < 10_000; at++)
    await writeFile(on(`many/entry-${String(at).padStart(5, '0')}.txt`), '')
  await openScreen(browser, address('/many'))
  await page.getByText(/^0 folders, 10,?000 files$/).waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await row('entry-09999.txt').waitFor()
  expect(await page.locator('tbody tr').count()).toBeLessThan(100)
})
