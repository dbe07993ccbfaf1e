import type { ImageSource } from '../container-spec.ts'
import type { PreflightCheck } from '../nodes.ts'
import type { TemplateDocument } from './document.ts'

/** The registries that each node checks, as references name them. */
export const WATCHED_REGISTRIES = ['docker.io', 'ghcr.io', 'quay.io'] as const

/** Name of a registry's check in a node's report. */
export const registryCheck = (host: string) => `registry:${host}` as const

/** The registry of a reference: its first part if that looks like a host, else Docker Hub. */
export function registryOf(reference: string): string {
  const [first = '', ...rest] = reference.split('/')
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return isHost ? first : 'docker.io'
}

/**
 * The registries that a server of this template needs: for its image (the first one unless named)
 * and its install script.
 */
export function registriesOf(document: TemplateDocument, image?: string): string[] {
  const { images, install } = document.runtime
  const chosen = images.find(({ name }) => name === image) ?? images[0]
  const sources: (ImageSource | undefined)[] = [chosen?.source, install?.image]
  const hosts = sources.flatMap((source) =>
    source?.kind === 'registry' ? [registryOf(source.reference)] : [],
  )
  return [...new Set(hosts)]
}

interface Reporting {
  readonly name: string
  readonly preflight: readonly Pick<PreflightCheck, 'id' | 'state'>[]
}

/**
 * Why a server may not get its image on any of these nodes, for its creator. Undefined when one of
 * them reaches every registry or has not reported.
 * @param unnamed for customers, who do not see nodes
 */
export function whyNoImage(
  registries: readonly string[],
  nodes: readonly Reporting[],
  unnamed = false,
): string | undefined {
  const missing = nodes.map(({ preflight }) =>
    registries.filter((host) =>
      preflight.some(({ id, state }) => id === registryCheck(host) && state !== 'ok'),
    ),
  )
  if (missing.length === 0 || missing.some((hosts) => hosts.length === 0)) return undefined
  const hosts = [...new Set(missing.flat())].join(' and ')
  if (unnamed)
    return `Its image comes from ${hosts}, which cannot be reached now: choose another template, or ask your host`
  const who = nodes.length === 1 ? nodes[0]?.name : 'No node'
  return `${who} cannot reach ${hosts}, where the image comes from. Unless the image is there already, the installation will fail: open the way to ${hosts}, or choose another template`
}
