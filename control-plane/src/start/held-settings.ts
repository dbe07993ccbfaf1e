import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../db/database.ts'
import { findUser } from '../domains/customers/index.ts'
import { panelSettings, readSettings, securitySettings } from '../domains/settings/index.ts'
import { AddressGuard } from '../http/address-guard.ts'
import { PanelAddress } from '../http/panel-address.ts'
import type { LiveSources } from '../live/live-events.ts'
import { endStreamsOf } from '../live/stream.ts'
import { ownAddress } from '../own-address.ts'
import type { Services } from '../services.ts'

/** Settings that every request needs, cached in memory. */
export interface HeldSettings {
  readonly guard: AddressGuard
  readonly panel: PanelAddress
  /** Reloads them after a change. */
  live(services: Pick<Services, 'db' | 'fleet'>): LiveSources
  /** Reloads them when a change may have been missed. */
  reload(): void
}

export async function holdSettings(config: Config, db: Db, log: Logger): Promise<HeldSettings> {
  const guard = new AddressGuard(async () =>
    config.ignoreAddressList
      ? []
      : (await readSettings(db, securitySettings)).administratorAddresses,
  )
  await guard.load()
  const panel = new PanelAddress({
    configured: config.http.origin,
    fallback: () => plainOrTlsAddress(config),
    read: async () => (await readSettings(db, panelSettings)).origin,
  })
  await panel.load()
  if (config.http.origin === undefined)
    log.warn(
      { panel: panel.pinned ?? undefined },
      'WEB_ORIGIN is not set: the panel answers at the address its first administrator used, and at the IP addresses and names of this machine',
    )
  const failed = (error: unknown) => log.error({ err: error }, 'could not read settings')
  return {
    guard,
    panel,
    live: (services) => ({
      settings: {
        load: async () => {
          await panel.load()
          if (await guard.load()) await endAdministrators(services)
          return []
        },
      },
    }),
    reload() {
      void panel.load().catch(failed)
      void guard.load().catch(failed)
    },
  }
}

/** Closes administrators' streams and relays; when they reconnect, the new allow-list applies. */
async function endAdministrators({ db, fleet }: Pick<Services, 'db' | 'fleet'>): Promise<void> {
  endStreamsOf('admin')
  for (const userKey of new Set(fleet.openRelays().map((relay) => relay.userKey)))
    if ((await findUser(db, userKey))?.role === 'admin') fleet.closeRelays({ userKey })
}

/** The default panel address, until a better one is known. */
function plainOrTlsAddress({ http, tls }: Config): string {
  if (!tls) return `http://${ownAddress()}:${http.port}`
  return new URL(`https://${ownAddress()}:${http.tlsPort}`).origin
}
