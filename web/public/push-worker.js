/**
 * Shows the notifications of the panel that a push service brings, and opens their pages. It keeps
 * nothing and stands between no page and the network.
 */

/** An address of this panel, whatever a message says. */
const ownAddress = (path, otherwise) => {
  const own = new URL(otherwise, self.location.origin)
  try {
    const url = new URL(String(path), self.location.origin)
    return url.origin === own.origin ? url.href : own.href
  } catch {
    return own.href
  }
}

self.addEventListener('push', (event) => {
  const { title, body, link, icon, tag } = event.data?.json() ?? {}
  if (typeof title !== 'string') return
  event.waitUntil(
    self.registration.showNotification(title, {
      body: String(body ?? ''),
      icon: ownAddress(icon, '/notification.png'),
      tag: String(tag ?? ''),
      // What replaces an earlier one is news too.
      renotify: Boolean(tag),
      data: { page: ownAddress(link, '/notifications') },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const page = ownAddress(event.notification.data?.page, '/notifications')
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((windows) => {
      const open = windows.find(({ url }) => url === page)
      return open ? open.focus() : self.clients.openWindow(page)
    }),
  )
})
