import { whyNot } from '@lodge/shared/server-status.ts'
import type { ServerAction, ServerStatus } from '@lodge/shared/servers.ts'
import { said } from '../../panel/said.ts'

/** Why an action is not possible now, for people; undefined when it is. */
export function whyNotNow(action: ServerAction, status: ServerStatus): string | undefined {
  const why = whyNot(action, status)
  return why && said(why)
}
