import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn, expectScreen } from '../support/visit.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const shown = async (id: string) => stage.admin.must('GET /api/templates/{id}', { params: { id } })

async function fresh(name: string): Promise<string> {
  const { document } = await shown(stage.templateId)
  const body = TemplateDocument.parse({ ...document, uuid: undefined, name })
  return (await stage.admin.must('POST /api/templates', { body })).id
}

test('the gallery is searched, filtered by category, and leads to a template’s details', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.goto('/admin/templates')
  await page.getByRole('heading', { name: 'Featured' }).waitFor()
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('minecraft proxy')
  await page.getByRole('heading', { name: 'Featured' }).waitFor({ state: 'detached' })
  await expect
    .poll(() => page.getByRole('article').allInnerTexts())
    .toEqual([expect.stringContaining('Minecraft: Velocity proxy')])
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('')
  await page.getByRole('radio', { name: 'Databases' }).press('Space')
  await page.getByRole('link', { name: 'PostgreSQL' }).click()
  await page.getByRole('heading', { level: 1, name: 'PostgreSQL' }).waitFor()
  await page.getByText('User, database and password are made at the first start').waitFor()
  await page.getByRole('region', { name: 'Requirements' }).getByText('512 MiB').waitFor()
  expect(browser.faults).toEqual([])
})

test('the editor keeps form and source in sync, shows errors at the field and the line, and saves', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  const id = await fresh('To edit')
  await page.goto(`/admin/templates/${id}/edit`)
  const source = page.getByRole('textbox', { name: 'Source of the template' })
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).first()
  await source.waitFor()

  await name.fill('Edited in the form')
  await expect.poll(() => source.textContent()).toContain('"name": "Edited in the form"')

  const { document } = await shown(id)
  const rewrite = async (text: string): Promise<void> => {
    await source.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }
  await rewrite(JSON.stringify({ ...document, name: 'Edited in the source' }, null, 2))
  await expect.poll(() => name.inputValue()).toBe('Edited in the source')

  await rewrite('{ "name": ')
  await page.getByText('Line 1 is not JSON').waitFor()
  await expect.poll(() => name.isDisabled()).toBe(true)

  await rewrite(JSON.stringify({ ...document, name: 'Edited in the source' }, null, 2))
  const folder = page.getByRole('textbox', { name: 'Data folder' })
  await folder.fill('not/absolute')
  await page.getByText('1 place needs your attention').waitFor()
  await expect.poll(() => folder.getAttribute('aria-invalid')).toBe('true')
  await page.getByText(/^Line \d+:/).waitFor()
  await folder.fill('/data')
  await page.getByText('1 place needs your attention').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Add variable' }).click()
  const added = page.getByRole('group', { name: 'variable 4' })
  await added.getByRole('textbox', { name: 'Label' }).fill('Message')
  await added.getByRole('textbox', { name: 'Variable' }).fill('MOTD')
  await added.getByRole('textbox', { name: 'Rules' }).fill('required|max:80')
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template saved').first().waitFor()
  const saved = await shown(id)
  expect(saved).toMatchObject({ name: 'Edited in the source', version: 2 })
  expect(saved.document.variables.at(-1)).toMatchObject({
    env: 'MOTD',
    rules: [{ rule: 'required' }, { rule: 'max', value: 80 }],
  })
  expect(browser.faults).toEqual([])
})

test('an uploaded image, even an SVG with a script, is rendered to pixels and shown as the icon', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  const id = await fresh('With a picture')
  await page.goto(`/admin/templates/${id}/edit`)
  await page.getByRole('textbox', { name: 'Source of the template' }).waitFor()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>window.name='run'</script><rect width="10" height="10" fill="#f00"/></svg>`
  await page.getByLabel('Picture of the template').setInputFiles({
    name: 'icon.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(svg),
  })
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template saved').first().waitFor()
  const { document, icon } = await shown(id)
  expect(document.icon).toMatch(/^data:image\/png;base64,/)
  await page.goto(`/admin/templates/${id}`)
  const picture = page.locator(`img[src="${icon}"]`).first()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(128)
  expect(await page.evaluate(() => window.name)).not.toBe('run')
  expect(browser.faults).toEqual([])
})

test('a try-run shows how a server of the template installs and becomes ready, and deletes it', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  const id = await fresh('To try')
  await page.goto(`/admin/templates/${id}`)
  await page.getByRole('button', { name: 'Try template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Try To try' })
  await dialog.getByRole('button', { name: 'Start try-run' }).click()
  await dialog.getByText(/^Ready after \d+ s$/).waitFor()
  // Its output, without the sequences that colour it in a terminal.
  await dialog.getByText('[Server thread/INFO]: ada joined the game').waitFor()
  const named = async () =>
    (await stage.admin.must('GET /api/servers', { query: { q: 'Try To try' } })).items
  expect(await named()).toMatchObject([{ status: 'running', deleteAt: expect.any(String) }])
  await dialog.getByRole('button', { name: 'Delete server now' }).click()
  await dialog.getByText('The server is being deleted').waitFor()
  await until(async () => (await named()).length === 0)
  expect(browser.faults).toEqual([])
})

test('a template is written from scratch, with the form alone', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.goto('/admin/templates')
  await page.getByRole('link', { name: 'New template' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('From scratch')
  await page.getByRole('radio', { name: 'rocket' }).press('Space')
  await page.getByRole('button', { name: 'Create template' }).click()
  await page.getByRole('heading', { level: 1, name: 'From scratch' }).waitFor()
  const { items } = await stage.admin.must('GET /api/templates', { query: { limit: 100 } })
  expect(items.find((one) => one.name === 'From scratch')).toMatchObject({ icon: 'rocket' })
})

test('gallery, editor and the form of a new server are readable, light on a desktop or dark on a phone', async () => {
  await beOn(browser, stage.lodge.origin, stage.admin)
  for (const [name, path] of [
    ['gallery', '/admin/templates'],
    ['edit-template', `/admin/templates/${stage.templateId}/edit`],
    ['write-template', '/admin/templates/write'],
    ['new-server', '/servers/new'],
  ] as const)
    await expectScreen(browser, `templates-${name}`, path)
})
