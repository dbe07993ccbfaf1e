import { setTimeout as delay } from 'node:timers/promises'
import { call } from '@lodge/shared/egress/egress.ts'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { registryCheck, WATCHED_REGISTRIES } from '@lodge/shared/templates/registries.ts'

/** An unresponsive name server must not delay the whole report. */
const PATIENCE_MS = 3_000

/**
 * Checks whether the registries that most templates use can be reached, one check each.
 * @param mirrors URLs of those from which the engine gets images of docker.io
 */
export const checkRegistries = (mirrors: readonly string[]): Promise<PreflightCheck[]> =>
  Promise.all(
    WATCHED_REGISTRIES.map((host) => checkRegistry(host, host === 'docker.io' ? mirrors : [])),
  )

async function checkRegistry(host: string, mirrors: readonly string[]): Promise<PreflightCheck> {
  const origin = `https://${host === 'docker.io' ? 'registry-1.docker.io' : host}`
  const [why, ...others] = await Promise.all([whyNot(origin), ...mirrors.map(whyNotMirror)])
  const id = registryCheck(host)
  if (why === undefined)
    return { id, state: 'ok', summary: `Images come from ${host}`, remedy: null }
  const mirror = mirrors[others.indexOf(undefined)]
  if (mirror !== undefined) {
    const summary = `Images of ${host} come from its mirror ${new URL(mirror).host}`
    return { id, state: 'ok', summary, remedy: null }
  }
  return {
    id,
    state: 'warning',
    summary: `${host} cannot be reached: ${why}`,
    remedy: `Servers whose image comes from ${host} need it here already: let this node reach ${host} by HTTPS`,
  }
}

/** Any HTTP answer counts as reachable; access to an image is checked when it is pulled. */
function whyNot(origin: string, allowedHosts: readonly string[] = []): Promise<string | undefined> {
  const answered = call(`${origin}/v2/`, {
    method: 'GET',
    headers: {},
    timeoutMs: PATIENCE_MS,
    allowedHosts,
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  const tooLate = `no answer within ${PATIENCE_MS / 1000} s`
  return Promise.race([answered, delay(PATIENCE_MS, tooLate, { ref: false })])
}

/** The operator has told the engine of it, so it may have any address and no TLS. */
const whyNotMirror = (mirror: string): Promise<string | undefined> =>
  URL.canParse(mirror)
    ? whyNot(mirror.replace(/\/$/, ''), [new URL(mirror).host])
    : Promise.resolve(`${mirror} is no URL`)
