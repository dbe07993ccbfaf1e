import { loadTranslations } from '@lodge/shared/words/bind.ts'

const KEY = 'lodge.reloaded'
const ONCE_PER_MS = 20_000

let parts = 0
let hasFailed = false

/** Loads a part of a page with its words. A failure is the caller's: the page is not reloaded. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  parts += 1
  if (hasFailed) refetchStyles()
  try {
    const part = await load()
    await loadTranslations(document.documentElement.lang)
    return part
  } catch (error) {
    hasFailed = true
    throw error
  } finally {
    parts -= 1
  }
}

/** Modules that failed are fetched again when they are next asked for, their styles are not. */
function refetchStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!link.sheet) link.replaceWith(link.cloneNode())
}

/**
 * Reloads the page when a chunk cannot be fetched: an update renames its files. At most once in 20
 * seconds, so that a real failure is shown, and not for a part of the page, without which people
 * keep what they have typed.
 */
export function reloadWhenStale(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (parts > 0 || Date.now() - last < ONCE_PER_MS) return
    event.preventDefault()
    sessionStorage.setItem(KEY, String(Date.now()))
    location.reload()
  })
}
