import { paths } from '@lodge/shared/panel-paths.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from './browser.ts'
import { openStage, type Stage } from './stage.ts'
import { beOn } from './visit.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
}, 120_000)

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

test('no page scrolls sideways on the narrowest screens', async () => {
  const { page } = browser
  const { admin } = stage
  const { id: planId } = await admin.must('POST /api/plans', {
    body: { name: 'Starter', kind: 'account', description: 'One small server' },
  })
  await admin.must('POST /api/tokens', { body: { name: 'Shop', scopes: ['read', 'provision'] } })
  const ids = [
    ['/servers/', stage.servers.broken],
    ['/windows/', stage.servers.running],
    ['/admin/nodes/', stage.node.id],
    ['/admin/templates/', stage.templateId],
    ['/admin/customers/', stage.customer.id],
    ['/admin/plans/', planId],
  ] as const
  await beOn(browser, stage.lodge.origin, admin)
  // WCAG 2.2, 1.4.10: what is read in lines has to fit 320 CSS pixels.
  await page.setViewportSize({ width: 320, height: 640 })
  const wide: string[] = []
  for (const address of new Set(Object.values(paths))) {
    const id = ids.find(([prefix]) => address.startsWith(prefix))?.[1] ?? ''
    const path = address.replace('$id', id).replace('$template', 'password-reset')
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    const over = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      const widest = [...document.querySelectorAll('main *')]
        .filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5)
        .map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''}`)
      return scrollWidth > clientWidth ? [String(scrollWidth), ...widest.slice(0, 6)] : []
    })
    if (over.length > 0) wide.push(`${path}: ${over.join(' ')}`)
  }
  expect(wide).toEqual([])
})
