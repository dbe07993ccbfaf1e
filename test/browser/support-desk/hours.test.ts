import type { WriteTier } from '@lodge/shared/support/tiers.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, openScreen } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
let page: Page

beforeAll(async () => {
  lodge = await startPanel()
  await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })

test('an administrator of the desk creates a tier and opening hours, and sees the resulting due time of a ticket', async () => {
  const admin = await lodge.admin()
  await beOn(browser, lodge.origin, admin)
  await openScreen(browser, '/admin/desk/settings/tiers')
  await button('New tier').click()
  await field('Name').fill('Basic')
  await page.getByRole('combobox', { name: 'Counts', exact: true }).click()
  await page.getByRole('option', { name: 'Every hour', exact: true }).click()
  await field('Urgent: first answer').fill('30')
  await field('Urgent: solution').fill('240')
  await page.getByRole('switch', { name: 'For everybody whose plans have no tier' }).check()
  await picture(page, 'tier')
  await expectAccessible(page)
  await button('Save tier').click()
  await page.getByText('Tier saved').first().waitFor()
  const tiers = (await admin.must('GET /api/support/tiers')).items
  expect(tiers.find(({ name }) => name === 'Basic')).toMatchObject({
    ...{ name: 'Basic', calendar: 'always', isDefault: true, planIds: [], position: 0 },
    goals: {
      urgent: { firstResponseMin: 30, nextResponseMin: null, resolutionMin: 240 },
      low: { firstResponseMin: null, nextResponseMin: null, resolutionMin: null },
    },
  })
  // What a colleague changes meanwhile stays.
  const basic = async () => {
    const { items } = await admin.must('GET /api/support/tiers')
    const { id = '', ...rest } = items.find(({ name }) => name === 'Basic') ?? {}
    return { params: { id }, body: rest as WriteTier }
  }
  await button('Basic').click()
  const { params, body } = await basic()
  const goals = { ...body.goals, urgent: { ...body.goals.urgent, nextResponseMin: 60 } }
  await admin.must('PUT /api/support/tiers/{id}', {
    ...{ params, body: { ...body, position: 3, goals } },
  })
  await field('Urgent: solution').fill('300')
  await button('Save tier').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await basic()).body).toMatchObject({
    position: 3,
    goals: { urgent: { firstResponseMin: 30, nextResponseMin: 60, resolutionMin: 300 } },
  })
  // A duplicate name is refused at its field.
  await button('New tier').click()
  await field('Name').fill('Basic')
  await button('Save tier').click()
  await page.getByText('is the name of another tier').first().waitFor()
  expect(await field('Name').getAttribute('aria-invalid')).toBe('true')
  await field('Name').fill('Gold')
  await button('Save tier').click()
  await button('Gold').waitFor()
  await button('Actions for Gold').click()
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await button('Delete tier').click()
  await expect.poll(() => button('Gold').count()).toBe(0)
  await picture(page, 'tiers')
  await expectAccessible(page)

  await openScreen(browser, '/admin/desk/settings/hours')
  const zone = page.getByRole('combobox', { name: 'Time zone', exact: true })
  await zone.fill('Europe/Berlin')
  await page.getByRole('option', { name: 'Europe/Berlin', exact: true }).click()
  await page.getByText(/^The clock changes on /).waitFor()
  await field('Monday closes, 1').fill('12:00')
  await button('Add hours to Monday').click()
  expect(await field('Monday opens, 2').inputValue()).toBe('12:00')
  await field('Monday opens, 2').fill('11:00')
  await button('Add holiday').click()
  await field('Date of holiday 1').fill('2026-12-24')
  await button('Save hours').click()
  await page.getByText('has intervals that overlap or are not in order').waitFor()
  await page.getByText('Correct the hours above to see when tickets are due.').waitFor()
  await field('Monday opens, 2').fill('13:30')
  await field('Name of holiday 1').fill('Christmas Eve')
  await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0)
  await button('Add hours to holiday 1').click()
  await field('holiday 1 closes, 1').fill('12:00')
  // Urgent tickets of a tier that counts every hour are due in half an hour, whatever the opening
  // hours are.
  const urgent = page.getByRole('row', { name: /^Urgent/ })
  expect(await urgent.textContent()).toMatch(/\d{4}/)
  expect(await page.getByRole('row', { name: /^Low/ }).textContent()).toContain('No goal')
  await picture(page, 'hours')
  await expectAccessible(page)
  await button('Save hours').click()
  await page.getByText('Opening hours saved').first().waitFor()
  expect(await admin.must('GET /api/support/hours')).toMatchObject({
    timeZone: 'Europe/Berlin',
    week: {
      mon: [
        ['09:00', '12:00'],
        ['13:30', '18:00'],
      ],
      sat: [],
    },
    holidays: [{ date: '2026-12-24', name: 'Christmas Eve', intervals: [['09:00', '12:00']] }],
  })
  expect(browser.faults).toEqual([])
})
