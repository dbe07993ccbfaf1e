import { setTimeout as delay } from 'node:timers/promises'
import { call } from '@lodge/shared/egress/egress.ts'
import type { PreflightCheck } from '@lodge/shared/nodes.ts'
import { registryCheck, WATCHED_REGISTRIES } from '@lodge/shared/templates/registries.ts'

/** An unresponsive name server must not delay the whole report. */
const PATIENCE_MS = 3_000

/** Checks whether the registries that most templates use can be reached, one check each. */
export const checkRegistries = (): Promise<PreflightCheck[]> =>
  Promise.all(WATCHED_REGISTRIES.map(checkRegistry))

async function checkRegistry(host: string): Promise<PreflightCheck> {
  const why = await Promise.race([
    whyNot(host),
    delay(PATIENCE_MS, `no answer within ${PATIENCE_MS / 1000} s`, { ref: false }),
  ])
  const id = registryCheck(host)
  if (why === undefined)
    return { id, state: 'ok', summary: `Images come from ${host}`, remedy: null }
  return {
    id,
    state: 'warning',
    summary: `${host} cannot be reached: ${why}`,
    remedy: `Servers whose image comes from ${host} need it here already: let this node reach ${host} by HTTPS`,
  }
}

/** Any HTTP answer counts as reachable; access to an image is checked when it is pulled. */
const whyNot = (host: string): Promise<string | undefined> =>
  call(`https://${host === 'docker.io' ? 'registry-1.docker.io' : host}/v2/`, {
    method: 'GET',
    headers: {},
    timeoutMs: PATIENCE_MS,
  }).then(
    () => undefined,
    (error: Error) => error.message,
  )
