import { parseArgs } from 'node:util'
import { emailAddress } from '@lodge/shared/accounts.ts'
import { type Config, readConfig } from '../config.ts'
import { type Ctx, contextFor } from '../context.ts'
import { catalogueOf, listenersOf } from '../domain.ts'
import { makePasswordLink, removeLostFactors } from '../domains/auth/index.ts'
import { EventBus } from '../events/event-bus.ts'
import { LiveEvents } from '../live/live-events.ts'
import { modules } from '../modules.ts'
import type { Services } from '../services.ts'
import { holdSettings } from '../start/held-settings.ts'
import { openPanelDatabase, requireVault } from './panel-database.ts'
import { Usage } from './repository.ts'
import { commandLog, tell } from './tell.ts'

const NOTHING = 'Nothing was changed.'

/** `lodge reset-second-factor` */
export async function resetSecondFactor(args: string[]): Promise<void> {
  const address = addressIn(args)
  await inPanel(async (ctx) => {
    const { email, role } = await removeLostFactors(ctx, address)
    tell.line(`${email} has no second factor any more, and is signed out everywhere.`)
    tell.line(
      role === 'admin'
        ? 'The password alone signs in, to set up a new second factor at once.'
        : 'The password alone signs in.',
    )
  })
}

/** `lodge reset-password` */
export async function resetPassword(args: string[]): Promise<void> {
  const address = addressIn(args)
  await inPanel(async (ctx) => {
    const { email, url, expiresAt } = await makePasswordLink(ctx, address)
    tell.line(`With this link the owner of ${email} chooses a new password:`)
    tell.line(url)
    const until = expiresAt.toISOString().slice(0, 16).replace('T', ' ')
    tell.line(`It works once, until ${until} UTC. Second factors stay.`)
  })
}

function addressIn(args: string[]): string {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const { success, data } = emailAddress.safeParse(positionals[0])
  if (!success || positionals.length > 1) throw new Usage('Name one account by its e-mail address')
  return data
}

/** Does something as the panel itself would, whether it runs or not. */
async function inPanel(work: (ctx: Ctx) => Promise<void>): Promise<void> {
  const config = readConfig()
  const log = commandLog(config)
  const vault = await requireVault(config, NOTHING)
  await using panel = await openPanelDatabase(config, log, NOTHING)
  const services = await servicesOf(config, { db: panel.db, vault, log })
  await work(contextFor(services, { kind: 'system' }))
}

/** What rules about accounts and the listeners of their events use; a command has no nodes, jobs or ports. */
async function servicesOf(
  config: Config,
  given: Pick<Services, 'db' | 'vault' | 'log'>,
): Promise<Services> {
  const { db, log } = given
  // Without WEB_ORIGIN the panel has said so in its own log.
  const { panel, guard } = await holdSettings(config, db, log.child({}, { level: 'error' }))
  const catalogue = catalogueOf(modules)
  const services: Partial<Services> = {
    ...given,
    guard,
    catalogue,
    live: new LiveEvents(db, log),
    events: new EventBus(listenersOf(modules, catalogue)),
    panelUrl: panel.url(),
  }
  return services as Services
}
