import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import { HELP, HELP_FOR_OPERATORS, type HelpName } from '@lodge/shared/help.ts'
import { panelPath, served } from '@lodge/shared/panel-paths.ts'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Marked } from 'marked'
import { saidIn, wordsFor } from '../said-in.ts'
import { ALSO_HEAD } from './also-head.ts'
import type { Dress } from './dress.ts'
import { html, Markup } from './html.ts'
import { pageLanguage, VARIES_BY_LANGUAGE } from './page-language.ts'
import { t } from './words.ts'

/** The English documents; a subfolder for each other language has all of them (`test/house/help.test.ts`). */
const folder = path.resolve(import.meta.dirname, '../../../docs/help')
/** A translation begins with the hash of the English text that it translates. */
const OF_WHICH = /^<!--.*-->\n+/

/** In the files, documents link to each other by file name; on the panel by address. */
const markdown = new Marked({
  walkTokens: (token) => {
    if (token.type === 'link')
      token.href = token.href.replace(/^([\w-]+)\.md$/, (_all: string, name: string) =>
        panelPath('help', { name }),
      )
  },
})

const STYLE = `
:root { color-scheme: light dark; --text: #1b1d22; --muted: #565b66; --line: #e3e5ea; --fill: #f2f3f5; --ground: #fff; --link: #2f55d4 }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ec; --muted: #a2a8b4; --line: #2b2f38; --fill: #1c2027; --ground: #121419; --link: #8fa8ff } }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.6 Geist, 'Geist Fallback', system-ui, sans-serif }
main { max-width: 68ch; margin: 0 auto; padding: 32px 20px 80px }
nav { font-size: 13px; color: var(--muted); margin-bottom: 24px }
a { color: var(--link) }
h1 { font-size: 24px; line-height: 1.25; letter-spacing: -0.015em; margin: 0 0 16px }
h2 { font-size: 17px; margin: 32px 0 8px }
code, pre { font: 13px/1.5 'Geist Mono', 'Geist Mono Fallback', ui-monospace, monospace; background: var(--fill); border-radius: 4px }
code { padding: 1px 4px; overflow-wrap: anywhere }
pre { padding: 12px 14px; overflow-x: auto }
pre code { padding: 0; background: none }
table { border-collapse: collapse; font-size: 14px }
th, td { text-align: left; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top }
kbd { font: 12px 'Geist Mono', 'Geist Mono Fallback', ui-monospace, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 4px }
`

/** Serves the documents for people who use the panel, and their index, in the panel's typefaces. */
export function serveHelp(app: FastifyInstance, webFolder: string, dress: Dress): void {
  let style: Promise<string> | undefined
  const send = async (reply: FastifyReply, page: Omit<Page, 'style'>): Promise<FastifyReply> => {
    style ??= styleWith(path.join(webFolder, 'typefaces.css'))
    return sendPage(reply, { ...page, style: await style }, dress)
  }
  const opened = new Map<string, Promise<Markup>>()
  const bodyOf = (name: HelpName, language: Language): Promise<Markup> => {
    const file = path.join(language === ENGLISH ? '' : language, `${name}.md`)
    const body = opened.get(file) ?? render(file)
    opened.set(file, body)
    return body
  }
  app.get(served.helpIndex, ALSO_HEAD, (request, reply) => {
    const language = pageLanguage(request)
    const title = wordsFor(t, { language }).documentation
    return send(reply, { language, title, body: html`<h1>${title}</h1>${index(language)}` })
  })
  app.get(served.help.replace('$', ':'), ALSO_HEAD, async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!isHelp(name)) return reply.callNotFound()
    const language = pageLanguage(request)
    const words = wordsFor(t, { language })
    const title = saidIn(HELP[name], { language })
    return send(reply, {
      ...{ language, title },
      body: html`<nav><a href="${served.helpIndex}">${words.documentation}</a> / ${title}</nav><article>${await bodyOf(name, language)}</article>`,
    })
  })
}

/** Without a built panel there are no typefaces; then the system's stand in. */
const styleWith = async (typefaces: string): Promise<string> =>
  (existsSync(typefaces) ? await readFile(typefaces, 'utf8') : '') + STYLE

const isHelp = (name: string): name is HelpName => Object.hasOwn(HELP, name)

const render = async (file: string): Promise<Markup> => {
  const text = await readFile(path.join(folder, file), 'utf8')
  return new Markup(await markdown.parse(text.replace(OF_WHICH, '')))
}

function index(language: Language): Markup {
  const words = wordsFor(t, { language })
  const names = Object.keys(HELP) as HelpName[]
  const list = (some: readonly HelpName[]) =>
    html`<ul>${some.map(
      (name) =>
        html`<li><a href="${panelPath('help', { name })}">${saidIn(HELP[name], { language })}</a></li>`,
    )}</ul>`
  const forAll = names.filter((name) => !HELP_FOR_OPERATORS.includes(name))
  return html`<h2>${words.forEverybody}</h2>${list(forAll)}<h2>${words.forOperators}</h2>${list(HELP_FOR_OPERATORS)}<h2>${words.forPrograms}</h2><ul><li><a href="${served.apiDocs}">${words.apiReference}</a></li></ul>`
}

interface Page {
  readonly language: Language
  readonly title: string
  readonly body: Markup
  readonly style: string
}

async function sendPage(
  reply: FastifyReply,
  { language, title, body, style }: Page,
  dress: Dress,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64')
  const page = html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · ${DEFAULT_BRANDING.name}</title><link rel="icon" href="/favicon.svg"><style nonce="${nonce}">${new Markup(style)}</style></head><body><main>${body}</main></body></html>`
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    )
    .header('cache-control', 'no-cache')
    .header('vary', VARIES_BY_LANGUAGE)
    .type('text/html; charset=utf-8')
    .send(await dress(page.text, 'document'))
}
