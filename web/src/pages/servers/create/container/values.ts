import { CreateServer } from '@lodge/shared/servers.ts'
import type { z } from 'zod'
import type { Reply } from '../../../../api.ts'
import { readable } from '../../../../ui/fields/size.ts'
import { t } from '../words.ts'

export type Template = Reply<'GET /api/templates'>['items'][number]
export type Node = Reply<'GET /api/nodes'>['items'][number]

/** Stands for the node's own disk, whatever the node's default is. */
export const OWN_DISK = 'disk'

/** The values of the form. An empty text lets Lodge choose. */
export interface Values {
  templateId: string
  name: string
  ownerId: string
  location: string
  nodeId: string
  /** The id of a shared storage, or `OWN_DISK`; empty for the node's default. */
  storageId: string
  memoryMb: number | undefined
  cpuPercent: number | undefined
  diskMb: number | undefined
  port: number | undefined
  variables: Record<string, string>
  start: boolean
  force: boolean
}

const PRESETS = { memoryMb: 1024, cpuPercent: 100, diskMb: 4096 }

/** The template's recommended sizes, or our defaults. */
export const sizesOf = (
  recommended: { [Part in keyof typeof PRESETS]: number | null } | undefined,
): typeof PRESETS => ({
  memoryMb: recommended?.memoryMb ?? PRESETS.memoryMb,
  cpuPercent: recommended?.cpuPercent ?? PRESETS.cpuPercent,
  diskMb: recommended?.diskMb ?? PRESETS.diskMb,
})

export function initialValues(template: Template | undefined, ownerId: string): Values {
  return {
    templateId: template?.id ?? '',
    name: '',
    ownerId,
    location: '',
    nodeId: '',
    storageId: '',
    ...sizesOf(template?.recommended),
    port: undefined,
    variables: {},
    start: true,
    force: false,
  }
}

/** The body of the request; empty fields are left out. */
export function bodyOf(values: Values): z.input<typeof CreateServer> {
  const given = Object.entries(values).filter(
    ([name, value]) =>
      value !== '' && value !== undefined && !(name === 'force' && value === false),
  )
  const body = Object.fromEntries(given) as z.input<typeof CreateServer>
  return values.storageId === OWN_DISK ? { ...body, storageId: null } : body
}

export const schema = CreateServer

/** The shared storages that nodes have now, each once, sorted by name. */
export function storagesOf(nodes: readonly Node[]): { id: string; name: string }[] {
  const all = nodes.flatMap(({ storages }) =>
    storages.flatMap(({ id, name }) => (id === null ? [] : [[id, { id, name }] as const])),
  )
  return [...new Map(all).values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Whether any node has a shared storage as its default. */
export const hasDefault = (nodes: readonly Node[]): boolean =>
  nodes.some(({ defaultStorageId }) => defaultStorageId !== null)

/** The nodes that have this storage. */
export const nodesWith = (storageId: string, nodes: readonly Node[]): readonly Node[] =>
  storageId === '' || storageId === OWN_DISK
    ? nodes
    : nodes.filter((node) => node.storages.some(({ id }) => id === storageId))

/** The storage, and the chosen node if it has that storage. */
export const placedOn = (
  storageId: string,
  { nodeId }: Pick<Values, 'nodeId'>,
  nodes: readonly Node[],
): Pick<Values, 'storageId' | 'nodeId'> => ({
  storageId,
  nodeId: nodesWith(storageId, nodes).some(({ id }) => id === nodeId) ? nodeId : '',
})

/** Free memory of a node in MiB: the total less its headroom and what is allocated. */
export const freeMemoryMb = (node: Node): number =>
  node.memoryMb - node.headroomMb - node.allocated.memoryMb

export type Part = 'memoryMb' | 'cpuPercent' | 'diskMb'
/** MiB, and per cent of a core. */
export type Sizes = Readonly<Record<Part, number>>

/** Free capacity of a node for new servers. */
export const freeOf = (node: Node): Sizes => ({
  memoryMb: freeMemoryMb(node),
  cpuPercent: node.cpuPercent - node.allocated.cpuPercent,
  diskMb: node.diskMb - node.allocated.diskMb,
})

/** Whether a server of this size fits on a node that accepts new servers. */
export function fits(
  node: Node,
  values: Pick<Values, 'memoryMb' | 'diskMb' | 'cpuPercent'>,
): boolean {
  const free = freeOf(node)
  return (
    node.state === 'online' &&
    free.memoryMb >= (values.memoryMb ?? 0) &&
    free.diskMb >= (values.diskMb ?? 0) &&
    free.cpuPercent >= (values.cpuPercent ?? 0)
  )
}

/** The node with the most free memory of those where this size fits, as Lodge places servers. */
export const roomiestFor = (nodes: readonly Node[], size: Pick<Values, Part>): Node | undefined =>
  nodes.filter((node) => fits(node, size)).toSorted((a, b) => freeMemoryMb(b) - freeMemoryMb(a))[0]

type Place = Pick<Values, 'nodeId' | 'location'>

const nodesAt = ({ nodeId, location }: Place, nodes: readonly Node[]): readonly Node[] =>
  nodes.filter(
    (node) =>
      (nodeId === '' || node.id === nodeId) && (location === '' || node.location === location),
  )

/** The largest free amount of a resource on one node of this place; undefined when no node there accepts new servers. */
export function mostFree(part: Part, place: Place, nodes: readonly Node[]): number | undefined {
  const open = nodesAt(place, nodes).filter(({ state }) => state === 'online')
  return open.length === 0 ? undefined : Math.max(0, ...open.map((node) => freeOf(node)[part]))
}

/** The first template whose recommended size fits on some node; the first one when none fits. */
export const firstFitting = (
  templates: readonly Template[],
  nodes: readonly Node[],
): Template | undefined =>
  templates.find(({ recommended }) => nodes.some((node) => fits(node, sizesOf(recommended)))) ??
  templates[0]

/** Why no server of this size can be created now, in words; undefined when a node has capacity. */
export function whyNoRoom(
  size: Pick<Values, 'memoryMb' | 'diskMb' | 'cpuPercent'>,
  place: Place,
  nodes: readonly Node[],
): string | undefined {
  const amounts = [size.memoryMb, size.diskMb, size.cpuPercent]
  // An unreadable amount is reported at its field.
  if (amounts.some((amount) => amount !== undefined && readable(amount) === undefined)) return
  const candidates = nodesAt(place, nodes)
  if (candidates.some((node) => fits(node, size))) return undefined
  if (candidates.every(({ state }) => state !== 'online'))
    return candidates.length === 1 ? t.nodeClosed({ node: candidates[0]?.name ?? '' }) : t.allClosed
  return t.noRoom
}

/** Where the server will probably run: the chosen node, or the fitting one with the most free memory. */
export function placementOf(values: Values, nodes: readonly Node[]): Node | undefined {
  if (values.nodeId !== '') return nodes.find((node) => node.id === values.nodeId)
  return roomiestFor(nodesAt(values, nodes), values)
}
