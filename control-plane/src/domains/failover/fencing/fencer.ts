import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../../services.ts'
import { callPlugin, FENCE_SECONDS, PluginCallFailed, providersOf } from '../../plugins/index.ts'
import { askOff, type FencedNode, FenceFailed, powerOf } from './command.ts'

/** Switches nodes off: an operator's program, or a plugin. */
export interface Fencer {
  /** Switches a node off, which may be off already. @throws {FenceFailed} */
  off(node: FencedNode, stopped?: AbortSignal): Promise<void>
  /** Whether it is on. @throws {FenceFailed} if that is unknown */
  power(node: FencedNode, stopped?: AbortSignal): Promise<'on' | 'off'>
}

type Reach = Pick<Services, 'db' | 'vault' | 'places' | 'plugins' | 'fence'>

const NONE =
  'Nothing switches nodes off here: set LODGE_FENCE_COMMAND on the control plane, or turn on a plugin for that'
const SEVERAL = 'Several plugins switch nodes off: leave one of them on'
const EVERY_MS = 1_000

/** Why no node can be switched off from here; null if it can. */
export async function whyNoFence(services: Pick<Reach, 'db' | 'fence'>): Promise<string | null> {
  if (services.fence.command !== undefined) return null
  const plugins = await providersOf(services, 'fence')
  if (plugins.length === 1) return null
  return plugins.length === 0 ? NONE : SEVERAL
}

/** The fencer of this installation; a command takes precedence over plugins. @throws {FenceFailed} */
export async function fencerOf(services: Reach): Promise<Fencer> {
  const { command, limitMs } = services.fence
  if (command !== undefined) return commandFencer({ command, limitMs })
  const why = await whyNoFence(services)
  const [plugin] = await providersOf(services, 'fence')
  if (why !== null || !plugin) throw new FenceFailed(why ?? NONE)
  return pluginFencer(services, plugin.id)
}

export const commandFencer = (command: Parameters<typeof askOff>[0]): Fencer => ({
  off: (node, stopped) => askOff(command, node, stopped),
  power: (node, stopped) => powerOf(command, node, stopped),
})

const pluginFencer = (services: Reach, id: string): Fencer => ({
  async off({ id: nodeId, name }) {
    await asked(callPlugin(services, id, 'fence.off', { nodeId, name }))
  },
  async power({ id: nodeId, name }) {
    const { power } = await asked(callPlugin(services, id, 'fence.status', { nodeId, name }))
    if (power === 'unknown') throw new FenceFailed('The plugin cannot tell whether the node is on')
    return power
  },
})

const asked = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw error instanceof PluginCallFailed ? new FenceFailed(error.message) : error
  })

/**
 * Switches a node off and waits until it is. Idempotent.
 * @param wasOff it was seen to be off before, so perhaps nothing is left to do
 * @param isStillDue called right before: the node may have been heard meanwhile
 * @returns false if the node was left on because it is no longer due
 * @throws {FenceFailed}
 */
export async function switchOff(
  fencer: Fencer,
  limitMs: number,
  node: FencedNode,
  wasOff: boolean,
  stopped?: AbortSignal,
  isStillDue: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  if (wasOff && (await fencer.power(node, stopped)) === 'off') return true
  if (!(await isStillDue())) return false
  await fencer.off(node, stopped)
  const untilMs = performance.now() + limitMs
  while ((await fencer.power(node, stopped)) !== 'off') {
    if (stopped?.aborted) throw new FenceFailed('The control plane was stopped meanwhile')
    if (performance.now() >= untilMs)
      throw new FenceFailed('It was switched off, and is said to be on still')
    await pause(EVERY_MS, undefined, { signal: stopped }).catch(() => undefined)
  }
  return true
}

/** The longest that `switchOff` takes: a look before it, the call, the wait and a last look. */
export const longestMs = ({ limitMs }: Services['fence']): number =>
  limitMs + 3 * Math.max(limitMs, FENCE_SECONDS * 1000) + EVERY_MS
