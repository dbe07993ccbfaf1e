import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_BRANDING, type PublicBranding } from '@lodge/shared/branding.ts'
import type { Db } from '../../db/database.ts'
import type { PageKind } from '../../http/dress.ts'
import { escapeHtml } from '../../http/escape-html.ts'
import { currentLook, publicLook } from './look.ts'
import { isStyled } from './style-sheet.ts'

/**
 * Puts the look into an HTML page, so that the browser draws it from the first frame: name and icon,
 * and for the panel also its mark, its colours and the data that its code needs.
 */
export async function dressPage(db: Db, html: string, kind: PageKind): Promise<string> {
  const { revision, branding } = await currentLook(db)
  if (revision === 0 || isDeepStrictEqual(branding, DEFAULT_BRANDING)) return html
  const look = publicLook(branding)
  const named = withName(html, look)
  if (kind === 'document') return named
  const isSafe = kind === 'safe'
  const head = [
    `<meta name="lodge-brand" content="${escapeHtml(JSON.stringify(look))}">`,
    ...(isStyled(branding, isSafe)
      ? [`<link rel="stylesheet" href="/api/branding/style/${revision}${isSafe ? '?safe=1' : ''}">`]
      : []),
  ]
  return withMark(named, look)
    .replace('<html lang="en">', `<html lang="en" data-mode="${look.mode}">`)
    .replace('</head>', () => `${head.join('')}</head>`)
}

/** Appends the name of the panel to the title, and sets the icon of the tab. */
const withName = (html: string, { name, images }: PublicBranding): string =>
  html
    .replace(
      new RegExp(`(<title>.*)${DEFAULT_BRANDING.name}</title>`),
      (_all, before: string) => `${before}${escapeHtml(name)}</title>`,
    )
    .replace(/<link rel="icon"[^>]*>/, (found) =>
      images.favicon === null
        ? found
        : `<link rel="icon" href="${escapeHtml(images.favicon)}" type="image/png">`,
    )

/** The mark that the panel shows before its code runs (web/index.html). */
const withMark = (html: string, { images }: PublicBranding): string =>
  images.mark === null
    ? html
    : html.replace(
        /<svg class="first".*?<\/svg>/s,
        `<img class="first" src="${escapeHtml(images.mark)}" alt="">`,
      )
