import { type Capability, capabilitiesOf } from '@lodge/driver/capabilities.ts'
import type { WorkloadKind } from '@lodge/driver/driver.ts'
import {
  CHANGES_STORAGE,
  GUARDS_MACHINES,
  HOLDS_LEASES,
  IGNORES_FILES,
  KEEPS_BACKUPS,
  KEEPS_DELETED,
  KEEPS_REPLACED,
  MEASURES_SPACE,
  MOVES_SERVERS,
  READS_LOG,
  REPORTS_ABILITIES,
  TAKES_MACHINES,
  UPDATES_ITSELF,
  VERIFIES_BACKUPS,
} from '@lodge/shared/node-abilities.ts'
import { RUNS_SCHEDULES } from '@lodge/shared/node-schedules.ts'
import type { AnyDriver } from './drivers.ts'

/**
 * The capabilities this agent reports in `Hello`, beyond those of the first protocol version. The
 * control plane offers only what is listed here.
 * @param given.lacking what the drivers could do, but this node lacks programs for
 * @param given.replaceable the agent can replace its own program
 * @param given.guarded the node has a guard
 */
export function abilitiesOf(
  { container, machine }: Readonly<Record<WorkloadKind, AnyDriver>>,
  given: {
    readonly lacking?: readonly Capability[]
    readonly replaceable?: boolean
    readonly guarded?: boolean
  } = {},
): string[] {
  const { lacking = [], replaceable = false, guarded = false } = given
  const abilities: Record<string, unknown> = {
    container: container.runs.includes('container'),
    'container.console': container.console,
    'container.install': container.installer,
    'container.logs': container.console,
    machine: machine.runs.includes('machine'),
    'machine.consoles': machine.screen && machine.console,
    'machine.kept-media': machine.media,
    'machine.media': machine.media,
    'machine.migration': machine.transfer,
    'machine.snapshots': machine.snapshots,
  }
  const runs = (name: string) => abilities[name.startsWith('machine') ? 'machine' : 'container']
  const named = Object.entries(abilities).flatMap(([name, has]) =>
    has && runs(name) ? [name] : [],
  )
  const each = Object.entries({ container, machine }).flatMap(([kind, driver]) =>
    runs(kind)
      ? capabilitiesOf(driver).flatMap((ability) =>
          lacking.includes(ability) ? [] : [`${kind}.${ability}`],
        )
      : [],
  )
  const own = [
    REPORTS_ABILITIES,
    READS_LOG,
    KEEPS_BACKUPS,
    KEEPS_DELETED,
    MEASURES_SPACE,
    IGNORES_FILES,
    VERIFIES_BACKUPS,
    KEEPS_REPLACED,
    MOVES_SERVERS,
    CHANGES_STORAGE,
    RUNS_SCHEDULES,
  ]
  if (replaceable) own.push(UPDATES_ITSELF)
  if (guarded) own.push(HOLDS_LEASES)
  if (guarded && machine.runs.includes('machine')) own.push(GUARDS_MACHINES)
  if (each.includes('machine.backups')) own.push(TAKES_MACHINES)
  return [...new Set([...named, ...each, ...own])]
}
