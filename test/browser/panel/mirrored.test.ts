import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthOf } from '../../run/lengths.ts'
import { everyScreen } from '../support/all-screens.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { addPeople } from '../support/people.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn, openScreen } from '../support/visit.ts'

const EACH = lengthOf('LODGE_SCREENS_PER_LANGUAGE')

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  await addPeople(stage.lodge)
  browser = await openBrowser(stage.lodge.origin)
  await beOn(browser, stage.lodge.origin, stage.admin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

/**
 * Shows the open page from right to left, in words that are a third longer than the English ones and
 * have accents above their capitals.
 */
const speakPseudo = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    document.documentElement.dir = 'rtl'
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement?.closest('style, script, svg, .xterm, code, pre')) continue
      node.nodeValue = (node.nodeValue ?? '').replaceAll(
        /\p{L}{3,}/gu,
        (word) => `${word[0]}\u0301${word.slice(1)}${'\u00e4'.repeat(Math.ceil(word.length / 3))}`,
      )
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })

/** How many pixels the page is wider than the screen, and the element that causes it. */
const beyond = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return undefined
    const widest = [...document.querySelectorAll('body *')]
      .map((one) => ({ one, left: one.getBoundingClientRect().left }))
      .filter(({ left }) => left < -1)
      .toSorted((a, b) => a.left - b.left)
      .slice(0, 3)
      .map(({ one }) => `${one.tagName.toLowerCase()}.${one.className}`)
    return `${scrollWidth - clientWidth} pixels, ${widest.join(' > ')}`
  })

test('every screen fits a phone from right to left, in longer words than English', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 390, height: 844 })
  const wide: string[] = []
  for (const [index, { path }] of (await everyScreen(stage)).entries()) {
    // Other screens than those that are opened in German.
    if (index % EACH !== 2 % EACH) continue
    await openScreen(browser, path)
    await speakPseudo(page)
    const found = await beyond(page)
    if (found) wide.push(`${path}: ${found}`)
  }
  expect(wide).toEqual([])
  expect(browser.faults).toEqual([])
})

test('the frame of the panel is mirrored from right to left', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 1280, height: 844 })
  await openScreen(browser, '/servers')
  const middle = async (name: string) => {
    const box = await page.getByRole('navigation', { name }).boundingBox()
    return box ? box.x + box.width / 2 : undefined
  }
  expect(await middle('Main')).toBeLessThan(320)
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  await expect.poll(() => middle('Main')).toBeGreaterThan(960)
})
