import type { Domain } from '../domain.ts'
import { readAnnouncement } from '../live/announcement.ts'
import type { Services } from '../services.ts'
import type { RunningDatabase } from './database.ts'
import type { HeldSettings } from './held-settings.ts'

/** Receives announcements of all instances, for open panels and cached settings. */
export function subscribeAnnouncements(
  modules: readonly Domain[],
  given: {
    readonly services: Services
    readonly database: RunningDatabase
    readonly settings: HeldSettings
  },
): { stop(): void } {
  const { services, database, settings } = given
  const { live } = services
  for (const domain of modules) if (domain.live) live.register(domain.live(services))
  live.register(settings.live(services))
  const heard = database.channels.hear('lodge_live', {
    payload: (text) => {
      const announcement = readAnnouncement(text)
      if (announcement) live.heard(announcement)
    },
    gap: () => {
      live.resetAll()
      settings.reload()
    },
  })
  return {
    stop() {
      heard.stop()
      live.stop()
    },
  }
}
