import { join } from 'node:path'
import { type Numbers, numbersIn } from './data/numbers.ts'
import { type ServerData, serverData } from './data/server-data.ts'
import { type Engine, openEngine } from './engine/client.ts'
import { type EventSource, engineEvents } from './engine/events.ts'
import { type DockerDriverOptions, type Settings, settingsOf } from './engine/options.ts'
import { engineImages, type Images } from './images/images.ts'
import { type Firewall, hostFirewall } from './network/firewall.ts'
import { engineFacts, type Networks, networksInPool, serverNetworks } from './network/network.ts'
import { type StalePorts, stalePorts } from './network/stale-ports.ts'
import { type Consoles, serverConsoles } from './output/console.ts'

/** The components shared within one driver object. */
export interface Parts {
  readonly settings: Settings
  readonly scope: string
  readonly engine: Engine
  readonly data: ServerData
  readonly numbers: Numbers
  readonly networks: Networks
  readonly firewall: Firewall
  readonly images: Images
  readonly consoles: Consoles
  readonly source: EventSource
  readonly stalePorts: StalePorts
}

/** Builds the components without contacting the engine. Throws when an option is invalid. */
export function buildParts(options: DockerDriverOptions): Parts {
  const settings = settingsOf(options)
  const scope = settings.labelScope
  const engine = openEngine(settings.socketPath, settings.callDeadlineMs)
  const firewall = hostFirewall(settings, () => engineFacts(engine, settings))
  return {
    settings,
    scope,
    engine,
    data: serverData(settings),
    numbers: numbersIn(join(settings.dataRoot, 'numbers'), networksInPool(settings.subnetPool)),
    networks: serverNetworks(engine, settings, firewall),
    firewall,
    images: engineImages(engine, settings),
    consoles: serverConsoles(engine, scope),
    source: engineEvents(engine, scope),
    stalePorts: stalePorts(engine, settings),
  }
}
