import { createHash } from 'node:crypto'
import type { WorkloadKind } from '@lodge/driver/driver.ts'
import { DesiredServer, Ending, Power } from '@lodge/proto/server.ts'
import { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { MachineSpec, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import { PlayerQuery } from '@lodge/shared/players.ts'
import { CrashPolicy, DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import type { Memory } from './memory.ts'

/** The validated desired state of one server. */
export interface DesiredState {
  readonly serverId: string
  readonly generation: number
  readonly power: 'on' | 'off'
  readonly run: number
  readonly install: number
  readonly ending: 'graceful' | 'kill'
  readonly removed: boolean
  readonly crashPolicy: CrashPolicy
  readonly kind: WorkloadKind
  /** Counts the placements of this server; grows with each move. */
  readonly placementGeneration: number
  /** Null when the document is not valid; `specFault` says why. */
  readonly spec: WorkloadSpec | null
  /** How to query the players; undefined when not configured. */
  readonly query: PlayerQuery | undefined
  readonly specFault: string
  /** The document as received. */
  readonly specText: string
  /** Hash of the document, to compare documents. */
  readonly specHash: string
  /** Counts the starts and restarts that schedules of this node alone have asked for. */
  readonly ownRuns: number
}

/**
 * Validates a desired state from the wire. An invalid document does not prevent the server from
 * being stopped or removed.
 * @param known the previous desired state, whose parsed document is reused when the text is
 * unchanged
 */
export function readDesired(desired: DesiredServer, known: DesiredState | null): DesiredState {
  const policy = CrashPolicy.safeParse(desired.crashPolicy)
  const kind = desired.machineSpec ? 'machine' : 'container'
  const specText = desired.machineSpec || desired.containerSpec
  const document =
    known?.specText === specText && known.kind === kind
      ? { spec: known.spec, specFault: known.specFault, specHash: known.specHash }
      : readSpec(kind, specText)
  return {
    serverId: desired.serverId,
    generation: desired.generation,
    power: desired.power === Power.ON ? 'on' : 'off',
    run: desired.run,
    install: desired.install,
    ending: desired.ending === Ending.KILL ? 'kill' : 'graceful',
    removed: desired.removed,
    crashPolicy: policy.success ? policy.data : DEFAULT_CRASH_POLICY,
    kind,
    placementGeneration: desired.placementGeneration,
    ...document,
    query: readQuery(desired.playerQuery),
    specText,
    ownRuns: 0,
  }
}

/** The desired state with what schedules made of the power while the node was alone. */
export function withOwnPower(
  desired: DesiredState,
  { ownPower, ownRuns }: Pick<Memory, 'ownPower' | 'ownRuns'>,
): DesiredState {
  if (ownPower?.generation !== desired.generation) return { ...desired, ownRuns }
  const { power, ending } = ownPower
  return { ...desired, power, ending, ownRuns }
}

/** A kind of query that this agent does not know counts as none. */
function readQuery(text: string | undefined): PlayerQuery | undefined {
  try {
    return text === undefined ? undefined : PlayerQuery.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function readSpec(
  kind: WorkloadKind,
  text: string,
): Pick<DesiredState, 'spec' | 'specFault' | 'specHash'> {
  const specHash = createHash('sha256').update(text).digest('base64url')
  const schema = kind === 'machine' ? MachineSpec : ContainerSpec
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    if (parsed.success) return { spec: parsed.data, specFault: '', specHash }
    const issue = parsed.error.issues[0]
    return { spec: null, specFault: `${issue?.path.join('.')}: ${issue?.message}`, specHash }
  } catch {
    return { spec: null, specFault: 'it is not JSON', specHash }
  }
}

/** The desired state as the journal stores it: the same message as on the wire. */
export function desiredDocument(desired: DesiredState): string {
  const message = DesiredServer.encode({
    serverId: desired.serverId,
    generation: desired.generation,
    power: desired.power === 'on' ? Power.ON : Power.OFF,
    run: desired.run,
    install: desired.install,
    ending: desired.ending === 'kill' ? Ending.KILL : Ending.GRACEFUL,
    removed: desired.removed,
    crashPolicy: {
      ...desired.crashPolicy,
      backoffSeconds: [...desired.crashPolicy.backoffSeconds],
    },
    containerSpec: desired.kind === 'container' ? desired.specText : '',
    machineSpec: desired.kind === 'machine' ? desired.specText : undefined,
    placementGeneration: desired.placementGeneration,
    playerQuery: desired.query && JSON.stringify(desired.query),
  }).finish()
  return Buffer.from(message).toString('base64')
}

/**
 * Decodes a stored desired state.
 * @throws when the text is damaged
 */
export function desiredFromDocument(text: string): DesiredState {
  return readDesired(DesiredServer.decode(Buffer.from(text, 'base64')), null)
}
