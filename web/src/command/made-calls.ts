import type { Call } from './call.ts'
import { withoutSecrets } from './secrets.ts'

export interface MadeCall extends Call {
  readonly at: string
}

const MOST = 20
let made: readonly MadeCall[] = []

/** Records a change made in this tab, without its secrets. */
export function rememberCall({ body, ...call }: Call): void {
  const shown = body === undefined ? {} : { body: withoutSecrets(body) }
  made = [{ ...call, ...shown, at: new Date().toISOString() }, ...made].slice(0, MOST)
}

/** The changes made in this tab, newest first. */
export const madeCalls = (): readonly MadeCall[] => made
