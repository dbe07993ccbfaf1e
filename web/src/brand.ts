import type { PublicBranding } from '@lodge/shared/branding.ts'

/** The look that the page came with; undefined for Lodge's own. */
function lookOfPage(): PublicBranding | undefined {
  // The tests of declarations have no page.
  if (typeof document === 'undefined') return undefined
  const text = document.querySelector<HTMLMetaElement>('meta[name="lodge-brand"]')?.content
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as PublicBranding
  } catch {
    return undefined
  }
}

export const brand = lookOfPage()
/** What the panel is called. */
export const brandName = brand?.name ?? 'Lodge'

const isMarked = (name: string): boolean =>
  typeof document !== 'undefined' && document.querySelector(`meta[name="${name}"]`) !== null

/** Whether the host has a public status page, whose incidents may be announced. */
export const hasStatusPage = isMarked('lodge-status')
/** Whether some plugin adds pages to the panel. */
export const hasPluginPages = isMarked('lodge-pages')
