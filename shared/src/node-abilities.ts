// Without schemas, so that a page that only checks what is possible loads none.

/**
 * What a driver may be able to do beyond running servers, by the capability's name in the drivers'
 * contract; the words say what a node without it does not do.
 */
export const ABILITIES = {
  console: 'gives no access to consoles',
  installer: 'cannot install servers',
  images: 'does not remove unused images',
  networks: 'cannot open networks to servers',
  virtualization: 'does not report what it offers virtual machines',
  snapshots: 'takes no snapshots',
  screen: 'shows no screens',
  media: 'fetches no media',
  transfer: 'cannot move servers to or from another node',
  diskUsage: 'does not measure disks',
  backups: 'cannot back up servers',
  files: 'gives no access to files',
  relocation: 'cannot change the storage of servers on the same node',
} as const satisfies Readonly<Record<string, string>>
export type Ability = keyof typeof ABILITIES
export const ABILITY_NAMES = Object.keys(ABILITIES) as readonly Ability[]
export type Workload = 'container' | 'machine'

/** The marker of agents that report each ability as `<workload>.<ability>`. */
export const REPORTS_ABILITIES = 'abilities'

/** The capability of agents that show their own log. */
export const READS_LOG = 'agent.log'

/** The capability of agents that keep backups of other nodes. */
export const KEEPS_BACKUPS = 'agent.backup-storage'

/** The capability of agents that leave out of backups what their owner wants, and keep it when they restore. */
export const IGNORES_FILES = 'agent.backup-ignore'

/** The capability of agents that read a backup back to see that it is whole. */
export const VERIFIES_BACKUPS = 'agent.backup-verify'

/** The capability of agents that keep what restored files replace. */
export const KEEPS_REPLACED = 'agent.backup-keeps-replaced'

/** The capability of agents that keep deleted files in a bin. */
export const KEEPS_DELETED = 'agent.bin'

/** The capability of agents that say what takes the space of a server. */
export const MEASURES_SPACE = 'agent.files-space'

/** The capability of agents that take in container servers from other nodes and give them away. */
export const MOVES_SERVERS = 'agent.server-moves'

/** The capability of agents that make places for virtual machines whose node is lost. */
export const TAKES_MACHINES = 'agent.machine-places'

/** The capability of agents between which a server can change its storage while it moves. */
export const CHANGES_STORAGE = 'agent.storage-changes'

/**
 * The capability of agents that hold leases: a guard of their own kills guarded servers when the
 * lease has ended. An agent names it only while its guard is installed and answers.
 */
export const HOLDS_LEASES = 'agent.leases'

/** The capability of agents whose guard kills virtual machines, too; without it they are not told to. */
export const GUARDS_MACHINES = 'agent.machine-leases'

/** The capability of agents that replace their own program. */
export const UPDATES_ITSELF = 'agent.update'

/** Why a node's agent does not show its own log; undefined if it does. */
export const whyNoAgentLog = (node: {
  readonly name: string
  readonly capabilities: readonly string[]
}): string | undefined =>
  node.capabilities.includes(READS_LOG)
    ? undefined
    : `The agent of ${node.name} is too old to show its log`

/**
 * Why a node cannot do this for servers of one kind, in words for the button's tooltip and the API's
 * problem; undefined if it can. An agent of before abilities were reported is asked, and refuses
 * by itself.
 */
export function whyNodeCannot(
  node: { readonly name: string; readonly capabilities: readonly string[] },
  workload: Workload,
  ability: Ability,
): string | undefined {
  const { name, capabilities } = node
  if (!capabilities.includes(REPORTS_ABILITIES)) return undefined
  if (capabilities.includes(`${workload}.${ability}`)) return undefined
  return `The driver of ${name} ${ABILITIES[ability]}`
}

/** Why no driver of a node can open networks to its servers; undefined if one can. */
export const whyNoOpenings = (node: Parameters<typeof whyNodeCannot>[0]): string | undefined =>
  whyNodeCannot(node, 'machine', 'networks') && whyNodeCannot(node, 'container', 'networks')

/** Everything that a node cannot do for servers of one kind, by ability. */
export function whatNodeCannot(
  node: Parameters<typeof whyNodeCannot>[0],
  workload: Workload,
): { [A in Ability]?: string } {
  return Object.fromEntries(
    ABILITY_NAMES.flatMap((ability) => {
      const why = whyNodeCannot(node, workload, ability)
      return why === undefined ? [] : [[ability, why]]
    }),
  )
}

/** Why servers of a node cannot fail over by themselves; undefined if they can. */
export const whyNoLeases = (node: {
  readonly name: string
  readonly capabilities: readonly string[]
}): string | undefined =>
  node.capabilities.includes(HOLDS_LEASES)
    ? undefined
    : `${node.name} has no guard that stops its servers when it is cut off: update its agent and install the guard`

/** Why virtual machines of a node cannot fail over by themselves; undefined if they can. */
export const whyNoMachineLeases = (node: Parameters<typeof whyNoLeases>[0]): string | undefined => {
  const why = whyNoLeases(node)
  if (why !== undefined || node.capabilities.includes(GUARDS_MACHINES)) return why
  return `The agent of ${node.name} is too old to stop virtual machines when it is cut off: update it`
}
