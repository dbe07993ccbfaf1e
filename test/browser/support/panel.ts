import { buildWeb } from '../../../tools/web-build.mjs'
import { freePort } from '../../support/processes.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

/**
 * Starts a Lodge whose panel is built, at an address of its own.
 * @param environment additional or overriding settings
 */
export async function startPanel(
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<Lodge> {
  buildWeb()
  const port = String(await freePort())
  return startLodge({
    environment: { LODGE_PORT: port, WEB_ORIGIN: `http://localhost:${port}`, ...environment },
  })
}
