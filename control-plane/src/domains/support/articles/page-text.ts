import { networkOf } from '@lodge/shared/addresses.ts'
import { panelPath, paths } from '@lodge/shared/panel-paths.ts'
import { ArticleLocale } from '@lodge/shared/support/articles.ts'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { FastifyRequest } from 'fastify'
import { type Ctx, contextFor } from '../../../context.ts'
import { acceptedLanguage } from '../../../http/accepted-language.ts'
import { html, Markup } from '../../../http/html.ts'
import { PageText, type ServedPage, type ServedPages } from '../../../http/served-page.ts'
import { secondsUntilTaken } from '../../../http/throttle.ts'
import { Problem } from '../../../problem.ts'
import { wordsFor } from '../../../said-in.ts'
import type { Services } from '../../../services.ts'
import { supportBudgets } from '../budgets.ts'
import { listArticles, showArticle } from './articles.ts'
import { ANYBODY } from './reader.ts'
import { t } from './words.ts'

/** How many articles the list contains. */
const LISTED = 100

/** Content of the help center's pages before the panel's code runs, for search engines. */
export const helpCenterPages = (services: Services): ServedPages => ({
  [paths.helpCenter]: said(services, listText),
  [paths.helpArticle]: said(services, articleText),
})

type Write = (ctx: Ctx, request: FastifyRequest) => Promise<PageText>

/** Over the budget, the page is sent without content; the panel's code has a budget of its own. */
const said =
  (services: Services, write: Write): ServedPage =>
  async (request) => {
    const actor = { kind: 'anyone', address: request.address } as const
    const ctx = contextFor(services, actor, {
      language: acceptedLanguage(request.headers['accept-language']),
    })
    try {
      const network = networkOf(request.address)
      if ((await secondsUntilTaken(ctx.db, supportBudgets.helpPage, network)) > 0) return undefined
      return await write(ctx, request)
    } catch (error) {
      // Also for articles that only customers may read, so that nobody learns of them.
      if (error instanceof Problem && error.code === 'not_found') return NOT_INDEXED
      services.log.warn({ err: error }, 'a page of the help center is sent without its text')
      return undefined
    }
  }

const NOT_INDEXED = new PageText({ head: html`<meta name="robots" content="noindex">` })

async function listText(ctx: Ctx): Promise<PageText> {
  const { language = ENGLISH } = ctx
  const words = wordsFor(t, { language })
  const { items } = await listArticles(ctx, ANYBODY, { q: '', locale: language, limit: LISTED })
  const address = `${ctx.panelUrl}${paths.helpCenter}`
  return new PageText({
    title: words.help,
    head: headOf({ type: 'website', title: words.help, about: words.about, address }),
    body: html`<main><h1>${words.help}</h1><ul>${items.map(
      ({ slug, title }) =>
        html`<li><a href="${panelPath('helpArticle', { slug })}">${title}</a></li>`,
    )}</ul></main>`,
  })
}

async function articleText(ctx: Ctx, { params, query }: FastifyRequest): Promise<PageText> {
  const { slug } = params as { slug: string }
  const asked = ArticleLocale.safeParse((query as { locale?: unknown }).locale).data
  const article = await showArticle(ctx, ANYBODY, slug, asked ?? ctx.language)
  const { title, excerpt: about, locale, locales } = article
  const plain = `${ctx.panelUrl}${panelPath('helpArticle', { slug })}`
  const addressIn = (one: string) => (locales.length > 1 ? `${plain}?locale=${one}` : plain)
  const others = locales.map(
    (one) => html`<link rel="alternate" hreflang="${one}" href="${addressIn(one)}">`,
  )
  return new PageText({
    title,
    head: html`${headOf({ type: 'article', title, about, address: addressIn(locale) })}${
      locales.length > 1 ? others : null
    }`,
    body: html`<main lang="${locale}"><h1>${title}</h1>${new Markup(article.html)}</main>`,
  })
}

interface About {
  readonly type: 'website' | 'article'
  readonly title: string
  readonly about: string
  readonly address: string
}

/** Metadata for search engines and link previews. */
const headOf = ({ type, title, about, address }: About): Markup =>
  html`<meta name="description" content="${about}"><link rel="canonical" href="${address}"><meta property="og:type" content="${type}"><meta property="og:title" content="${title}"><meta property="og:description" content="${about}"><meta property="og:url" content="${address}">`
