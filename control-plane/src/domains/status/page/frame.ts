import { createHash } from 'node:crypto'
import type { Branding } from '@lodge/shared/branding.ts'
import { panelPath, served } from '@lodge/shared/panel-paths.ts'
import { html, Markup } from '../../../http/html.ts'
import { publicLook } from '../../branding/index.ts'
import type { PageReader } from './reader.ts'
import { styleOf } from './style.ts'

export interface PageHtml {
  readonly text: string
  readonly contentSecurityPolicy: string
}

/** The layout of a status page, in the panel's look. It runs no scripts in the browser. */
export function frame(
  look: Branding,
  { language, words }: PageReader,
  { title, indexed = true }: { readonly title: string; readonly indexed?: boolean },
  body: Markup,
): PageHtml {
  const style = styleOf(look)
  const hash = createHash('sha256').update(style).digest('base64')
  const { images, legal, name: host } = publicLook(look)
  const mark = images.wordmark ?? images.mark
  const links = [
    [legal.termsUrl, words.terms],
    [legal.privacyUrl, words.privacy],
    [legal.imprintUrl, words.imprint],
  ] as const
  const page = html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>${
    indexed ? null : html`<meta name="robots" content="noindex">`
  }<link rel="icon" href="${images.favicon ?? '/favicon.svg'}"><link rel="alternate" type="application/atom+xml" title="${title}" href="${served.statusFeed}"><link rel="stylesheet" href="/typefaces.css"><style>${new Markup(style)}</style></head><body><header><a href="${served.statusPage}">${
    mark === null ? null : html`<img src="${mark}" alt="">`
  }${images.wordmark === null ? html`<span class="name">${host}</span>` : html`<span class="name">${words.status}</span>`}</a><a class="panel" href="${panelPath('home')}">${words.openPanel}</a></header><main>${body}</main><footer>${links.map(
    ([url, name]) => (url === null ? null : html`<a href="${url}">${name}</a>`),
  )}<a href="${served.statusHistory}">${words.history}</a><a href="${served.statusFeed}">${words.feed}</a></footer></body></html>`
  return {
    text: page.text,
    contentSecurityPolicy: `default-src 'none'; style-src 'self' 'sha256-${hash}'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
  }
}
