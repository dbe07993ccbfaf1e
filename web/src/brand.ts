import type { PublicBranding } from '@lodge/shared/branding.ts'

/** The look embedded in the page; undefined for the default look. */
function lookOfPage(): PublicBranding | undefined {
  // Tests of declarations run without a DOM.
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
/** The name of the panel. */
export const brandName = brand?.name ?? 'Lodge'

const isMarked = (name: string): boolean =>
  typeof document !== 'undefined' && document.querySelector(`meta[name="${name}"]`) !== null

/** Whether the host has a public status page, whose incidents may be announced. */
export const hasStatusPage = isMarked('lodge-status')
/** Whether some plugin adds pages to the panel. */
export const hasPluginPages = isMarked('lodge-pages')
