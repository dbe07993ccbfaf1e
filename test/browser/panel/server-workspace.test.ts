import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser, picture } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn } from '../support/visit.ts'

let stage: Stage
let browser: Browser
let page: Page

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
  page = browser.page
  await beOn(browser, stage.lodge.origin, stage.customer)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const open = (tab = '') => page.goto(`/servers/${stage.servers.running}${tab}`)
/** A field with suggestions, whose accessible role differs with its state. */
const field = (name: string) =>
  page.getByRole('textbox', { name }).or(page.getByRole('combobox', { name }))
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('the overview shows how to connect, and the current usage is only in the header', async () => {
  await open()
  await page.getByText(/^In Minecraft: Multiplayer, Add Server, address .+:\d+$/).waitFor()
  await page.getByText(/^Peak \d+%$/).waitFor()
  await expect.poll(() => page.getByRole('meter', { name: 'CPU' }).count()).toBe(1)
  await expect.poll(() => page.getByText(/^\d+% of 200%$/).count()).toBe(1)
  await expect.poll(() => page.locator('main').getByText(stage.customer.email).count()).toBe(1)
  const icon = page.locator('link[rel="icon"]')
  await until(async () => (await icon.getAttribute('href'))?.startsWith('data:image/svg+xml'))
  await expect.poll(() => page.title()).toContain('(Running)')
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
  await expect.poll(() => icon.getAttribute('href')).toBe('/favicon.svg')
})

test('tabs without room are behind "More", by keyboard too, and the open one is always in view', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open()
  const tabs = page.getByRole('navigation', { name: 'Parts of this server' })
  const rest = tabs.getByRole('button', { name: 'More' })
  await rest.waitFor()
  expect(await tabs.getByRole('link', { name: 'Settings' }).count()).toBe(0)
  await rest.focus()
  await page.keyboard.press('Enter')
  const more = page.getByRole('dialog', { name: 'More: Parts of this server' })
  await more.getByRole('link', { name: 'Settings' }).click()
  await page.waitForURL('**/settings')
  await tabs.getByRole('link', { name: 'Settings', exact: true }).waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 800 })
  await rest.waitFor({ state: 'hidden' })
  await expect.poll(() => tabs.getByRole('link').count()).toBe(12)
})

test('icon, tags and notes are shared, the folder and the star belong to the person', async () => {
  await open('/settings')
  await page.getByRole('radio', { name: 'castle' }).check({ force: true })
  await field('Tags').fill('Survival')
  await page.keyboard.press('Enter')
  await field('Folder').fill('Games')
  await page.getByRole('textbox', { name: 'Notes' }).fill('Ask Ada before a restart.')
  await page.getByText('4 changes: Icon, Tags, Folder and 1 more').waitFor()
  await button('Save changes').click()
  await page.getByRole('list', { name: 'Tags' }).getByText('survival').waitFor()
  await page.getByText(/^Changed .* by /).waitFor()
  await button('Favourite: Under the hill').click()
  await picture(page, 'server-settings')

  await until(async () => {
    const { folder } = await stage.customer.must('GET /api/servers/{id}', {
      params: { id: stage.servers.running },
    })
    return folder === 'Games'
  })
  expect(
    await stage.customer.must('GET /api/servers/{id}', { params: { id: stage.servers.running } }),
  ).toMatchObject({ icon: 'castle', tags: ['survival'] })
  await until(async () => {
    const { items } = await stage.customer.must('GET /api/servers', {
      query: { filter: 'favourite:yes' },
    })
    return items.length === 1
  })
  await open()
  await page.getByText('Ask Ada before a restart.').waitFor()
  await page.getByRole('list', { name: 'Tags' }).getByText('survival').click()
  await page.getByRole('link', { name: 'Under the hill' }).waitFor()
  expect(await page.getByRole('link', { name: 'Winter archive' }).count()).toBe(0)
  expect(browser.faults).toEqual([])
})

test('the console completes commands of the template, and shows who sent one', async () => {
  await open('/console')
  const input = page.getByLabel('Command')
  await page
    .locator('.xterm-rows')
    .getByText(/For help/)
    .waitFor()
  await input.fill('whi')
  await page
    .getByRole('list', { name: 'Completions' })
    .getByText('whitelist add <player>')
    .waitFor()
  await input.press('Tab')
  await expect.poll(() => input.inputValue()).toBe('whitelist add ')
  await page.getByText('Let a player in').waitFor()
  await input.pressSequentially('ada')
  await input.press('Enter')
  await until(() => stage.agent.driver.inputs(stage.servers.running).includes('whitelist add ada'))
  await page
    .locator('.xterm-rows')
    .getByText(new RegExp(`> whitelist add ada\\s+${RegExp.escape(stage.customer.email)}`))
    .waitFor()
  await picture(page, 'console')
  await input.press('ArrowUp')
  await expect.poll(() => input.inputValue()).toBe('whitelist add ada')
})

test('several pasted lines are sent once confirmed, and what stands in the command line stays there', async () => {
  const input = page.getByLabel('Command')
  const sent = () => stage.agent.driver.inputs(stage.servers.running)
  const before = sent().length
  await input.fill('say not yet')
  await input.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'say one\nsay two')
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Send 2 lines' }).click()
  await until(() => sent().includes('say two'))
  await expect.poll(() => input.inputValue()).toBe('say not yet')
  await input.press('Enter')
  await until(() => sent().includes('say not yet'))
  expect(sent().slice(before)).toEqual(['say one', 'say two', 'say not yet'])
})

test('the view of the console is remembered, and the install log is a separate output', async () => {
  await open('/console')
  await button('View').click()
  await page.getByRole('switch', { name: 'Wrap long lines' }).uncheck({ force: true })
  await page.getByRole('switch', { name: 'Timestamps' }).check({ force: true })
  await page.keyboard.press('Escape')
  await page.reload()
  await page.locator('.l-term-long').waitFor()
  await page
    .locator('.xterm-rows')
    .getByText(/For help/)
    .waitFor()
  await button('View').click()
  await expect.poll(() => page.getByRole('switch', { name: 'Timestamps' }).isChecked()).toBe(true)
  await page.getByRole('switch', { name: 'Wrap long lines' }).check({ force: true })
  await page.getByRole('switch', { name: 'Timestamps' }).uncheck({ force: true })
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'Install log' }).check({ force: true })
  await page
    .getByText(/The last installation printed nothing|Nothing|output/)
    .first()
    .waitFor()
  await expect.poll(() => page.getByLabel('Command').isDisabled()).toBe(true)
  await page.getByRole('radio', { name: 'Console' }).check({ force: true })
  await page
    .locator('.xterm-rows')
    .getByText(/For help/)
    .waitFor()
})
