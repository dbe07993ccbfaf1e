import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HELP, type HelpName } from '@lodge/shared/help.ts'
import { loadTranslations } from '@lodge/shared/words/bind.ts'
import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { saidIn } from '../said-in.ts'
import { serveHelp } from './help-pages.ts'

const folder = path.resolve(import.meta.dirname, '../../../docs/help')
const names = Object.keys(HELP) as HelpName[]

test('every document has a title in the list, and every title its document', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  expect(files.map((file) => file.replace(/\.md$/, '')).sort()).toEqual(names.toSorted())
  for (const name of names)
    expect(readFileSync(path.join(folder, `${name}.md`), 'utf8')).toMatch(
      new RegExp(`^# ${HELP[name]}\\n`),
    )
})

test('documents are pages without scripts, and their links lead somewhere', async () => {
  await using app = Fastify()
  serveHelp(app, '/nonexistent', async (html) => html)
  for (const name of names) {
    const page = await app.inject(`/docs/help/${name}`)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.body).toContain(`<h1>${HELP[name]}</h1>`)
    for (const [, to = ''] of page.body.matchAll(/href="(\/docs\/help[^"]*)"/g))
      expect((await app.inject(to)).statusCode, `${name}: ${to}`).toBe(200)
    expect(page.body).not.toMatch(/href="[^"]*\.md"|<script/)
  }
  const index = await app.inject('/docs/help')
  for (const name of names) expect(index.body).toContain(`/docs/help/${name}`)
  expect((await app.inject('/docs/help/nothing')).statusCode).toBe(404)
})

test('documents are in the typefaces of the panel, the only thing that they load', async () => {
  const webFolder = mkdtempSync(path.join(tmpdir(), 'lodge-help-'))
  try {
    const face = '@font-face{font-family:"Geist";src:url(/assets/geist.woff2)}'
    writeFileSync(path.join(webFolder, 'typefaces.css'), face)
    await using app = Fastify()
    serveHelp(app, webFolder, async (html) => html)
    const page = await app.inject('/docs/help')
    expect(page.body).toContain(face)
    expect(page.body).toContain('Geist, ')
    expect(page.headers['content-security-policy']).toContain("font-src 'self'")
  } finally {
    rmSync(webFolder, { recursive: true })
  }
})

test('a German reader finds their way in German, and reads the documents in it', async () => {
  await Promise.all(LANGUAGES.map(loadTranslations))
  await using app = Fastify()
  serveHelp(app, '/nonexistent', async (html) => html)
  const headers = { 'accept-language': 'de-CH, en;q=0.7' }
  const index = await app.inject({ url: '/docs/help', headers })
  expect(index.body).toContain('<html lang="de">')
  expect(index.body).toContain('<title>Dokumentation · ')
  expect(index.body).toContain('<h2>Ihre Server und Ihr Konto</h2>')
  expect(index.headers.vary).toBe('accept-language, cookie')
  for (const name of names) {
    const title = saidIn(HELP[name], { language: 'de' })
    expect(index.body).toContain(`>${title}</a>`)
    const page = await app.inject({ url: `/docs/help/${name}`, headers })
    expect(page.body).toContain(`<article><h1>${title}</h1>`)
    for (const [, to = ''] of page.body.matchAll(/href="(\/docs\/help[^"]*)"/g))
      expect((await app.inject({ url: to, headers })).statusCode, `${name}: ${to}`).toBe(200)
    expect(page.body).not.toMatch(/href="[^"]*\.md"|<script|<!--/)
  }
  const german = await app.inject({ url: '/docs/help/sftp', headers })
  expect(german.body).toContain('<html lang="de">')
  expect(german.body).toContain('<h2>Wann der Zugriff endet</h2>')
  const english = await app.inject('/docs/help/sftp')
  expect(english.body).toContain('<html lang="en">')
  expect(english.body).toContain('<h2>When access ends</h2>')
})
