import { api } from '../api.ts'

const registered = () => navigator.serviceWorker.getRegistration()
const subscription = async () => (await registered())?.pushManager.getSubscription() ?? null

/** The id of this browser's push subscription (`browser` of a channel); null if it has none. */
export async function subscribedAs(): Promise<string | null> {
  const present = await subscription()
  if (!present) return null
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(present.endpoint))
  return base64url(digest)
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Ends the push subscription of this browser, and its service worker. */
export async function unsubscribe(): Promise<void> {
  await (await subscription())?.unsubscribe()
  await (await registered())?.unregister()
}

/**
 * Deletes this person's channel for this browser, if there is one, and ends the subscription in any
 * case.
 */
export async function forgetThisBrowser(): Promise<void> {
  try {
    const browser = await subscribedAs()
    if (browser === null) return
    const { items } = await api('GET /api/notification-channels')
    const own = items.find((channel) => channel.browser === browser)
    if (own) await api('DELETE /api/notification-channels/{id}', { params: { id: own.id } })
  } finally {
    await unsubscribe()
  }
}
