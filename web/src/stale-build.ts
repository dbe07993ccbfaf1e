const KEY = 'lodge.reloaded'
const ONCE_PER_MS = 20_000

/**
 * Reloads the page when a chunk cannot be fetched: an update renames its files. At most once in 20
 * seconds, so that a real failure is shown.
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
