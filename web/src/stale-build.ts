const KEY = 'lodge.reloaded'
const ONCE_PER_MS = 20_000

/**
 * Loads the page again when a part of the panel cannot be fetched: after an update its files have
 * other names. At most once in 20 seconds, so that a real failure is shown instead.
 */
export function reloadWhenStale(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (Date.now() - last < ONCE_PER_MS) return
    event.preventDefault()
    sessionStorage.setItem(KEY, String(Date.now()))
    location.reload()
  })
}
