import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import type { Db } from '../../db/database.ts'
import { currentLook, publicLook } from './look.ts'
import { isStyled } from './style-sheet.ts'

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * Gives the panel's page its look before the browser draws anything: name, icon, colours, and what
 * the panel's code needs of it.
 * @param isSafe without custom CSS, so that one that went wrong can be mended
 */
export async function dressPage(db: Db, html: string, isSafe: boolean): Promise<string> {
  const { revision, branding } = await currentLook(db)
  if (revision === 0 || isDeepStrictEqual(branding, DEFAULT_BRANDING)) return html
  const look = publicLook(branding)
  const head = [
    `<meta name="lodge-brand" content="${escaped(JSON.stringify(look))}">`,
    ...(isStyled(branding, isSafe)
      ? [`<link rel="stylesheet" href="/api/branding/style/${revision}${isSafe ? '?safe=1' : ''}">`]
      : []),
  ]
  const icon = look.images.favicon
  return html
    .replace('<title>Lodge</title>', () => `<title>${escaped(look.name)}</title>`)
    .replace('<html lang="en">', `<html lang="en" data-mode="${look.mode}">`)
    .replace(/<link rel="icon"[^>]*>/, (found) =>
      icon === null ? found : `<link rel="icon" href="${escaped(icon)}" type="image/png">`,
    )
    .replace('</head>', () => `${head.join('')}</head>`)
}
