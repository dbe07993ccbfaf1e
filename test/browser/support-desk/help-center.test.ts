import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { escapeHtml } from '../../../control-plane/src/http/escape-html.ts'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
let page: Page
let author: Caller

beforeAll(async () => {
  lodge = await startPanel()
  author = await lodge.limitedAdmin(['articles.manage'])
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const field = (name: string) => page.getByRole('textbox', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('the help center', () => {
  test('shows an article that was just written to people without an account', async () => {
    await beOn(browser, lodge.origin, author)
    await page.goto('/admin/desk/articles')
    await page.getByRole('link', { name: 'New article' }).click()
    await field('Title').fill('Restoring a backup')
    await expect.poll(() => field('Address').inputValue()).toBe('restoring-a-backup')
    await page.getByRole('combobox', { name: 'Section' }).fill('Backups')
    await field('Text').fill(
      'Open **Backups**.\n\n1. Choose one.\n2. Confirm.\n\n<script>hostile</script>',
    )
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('listitem').nth(1).waitFor()
    await picture(page, 'article-new')
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Everybody' }).check({ force: true })
    await page.getByRole('radio', { name: 'Published' }).check({ force: true })
    await button('Create article').click()
    await page.getByRole('heading', { name: 'Edit “Restoring a backup”' }).waitFor()
    await picture(page, 'article-edit')

    await page.context().clearCookies()
    await page.goto('/help')
    await page.getByRole('searchbox', { name: 'Search help' }).fill('restore bakcup')
    await page.getByRole('link', { name: /Restoring a backup/ }).click()
    await page.getByText('<script>hostile</script>').waitFor()
    await expect.poll(() => page.title()).toContain('Restoring a backup')
    await picture(page, 'help-article')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'All articles' }).click()
    await page.getByRole('link', { name: /Restoring a backup/ }).waitFor()
    await picture(page, 'help-center')
    await expectAccessible(page)
  })

  test('describes an article before any code runs, in its language, to those who may read it', async () => {
    const write = (more: object) =>
      author.must('POST /api/support/articles', {
        body: {
          ...{ slug: 'ports', locale: 'en', title: 'Ports & <b>hosts</b> $&', status: 'published' },
          ...{ visibility: 'public', bodyMarkdown: 'Open **one** "port" </noscript>.', ...more },
        },
      })
    await write({})
    await write({ locale: 'de', title: 'Anschlüsse', bodyMarkdown: 'Einen öffnen.' })
    await write({ slug: 'inside', title: 'For members', visibility: 'customers' })
    const page = async (path: string, language = 'en') => {
      const headers = { 'accept-language': language }
      const answer = await fetch(`${lodge.origin}${path}`, { headers })
      expect(answer.headers.get('vary')).toContain('accept-language')
      return (await answer.text()).replaceAll(/nonce="[^"]+"/g, '')
    }
    const english = await page('/help/ports')
    expect(english).toContain(`<title>${escapeHtml('Ports & <b>hosts</b> $&')} · Lodge</title>`)
    expect(english).toContain(
      `<meta name="description" content="${escapeHtml('Open one "port" </noscript>.')}">`,
    )
    expect(english).toContain(`rel="canonical" href="${lodge.origin}/help/ports?locale=en"`)
    expect(english).toContain(`hreflang="de" href="${lodge.origin}/help/ports?locale=de"`)
    expect(english).toMatch(/<noscript><main lang="en"><h1>.*<strong>one<\/strong>/)
    expect(english.split('</noscript>')).toHaveLength(2)
    expect(await page('/help/ports', 'de-DE')).toContain('<title>Anschlüsse · Lodge</title>')
    expect(await page('/help/ports?locale=de')).toContain('<main lang="de">')
    expect(await page('/help')).toContain('<a href="/help/ports">')
    const missing = await page('/help/nowhere')
    expect(missing).toContain('<meta name="robots" content="noindex">')
    expect(await page('/help/inside')).toBe(missing)
  })

  test('accepts the vote of a customer, who can change it', async () => {
    const customer = await lodge.customer()
    await beOn(browser, lodge.origin, customer)
    await page.goto('/help/restoring-a-backup')
    await button('Yes').click()
    await page.getByText('Thank you').waitFor()
    await button('No').click()
    await expect.poll(() => button('No').getAttribute('aria-pressed')).toBe('true')
    const params = { slug: 'restoring-a-backup' }
    const { helpful, unhelpful } = await author.must('GET /api/support/articles/{slug}', { params })
    expect([helpful, unhelpful]).toEqual([0, 1])
  })

  test('restores an earlier text of an article', async () => {
    await beOn(browser, lodge.origin, author)
    await page.goto('/admin/desk/articles/restoring-a-backup?locale=en')
    await field('Text').fill('A worse text.')
    await button('Save article').click()
    await page.getByText('Article saved').waitFor()
    await button('History').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Use this text' }).click()
    await expect.poll(() => field('Text').inputValue()).toContain('Choose one.')
    await button('Save article').click()
    await expect
      .poll(async () => {
        const given = { params: { slug: 'restoring-a-backup' } }
        return (await author.must('GET /api/support/articles/{slug}', given)).source
      })
      .toMatchObject({ revision: 3, bodyMarkdown: expect.stringContaining('Choose one.') })
  })
})
