import { SIGNALS, type StopStep } from '../../container-spec.ts'

/** Seconds a program gets to save its world and exit. */
const STOP_SECONDS = 180
const TERMINATE_SECONDS = 30

const kill: StopStep = { kind: 'signal', signal: 'SIGKILL', timeoutSeconds: 0 }

/**
 * The stop value of an egg: a text is typed into the console, `^C` is SIGINT, `^^C` kills at once
 * and `^SIGX` or `^X` is that signal. Undefined when it names no such signal.
 */
export function stopChainOf(value: string): StopStep[] | undefined {
  const text = value.replaceAll(/\s+/g, ' ').trim()
  if (text === '') return undefined
  if (!text.startsWith('^')) {
    return [
      { kind: 'command', text: text.slice(0, 1024), timeoutSeconds: STOP_SECONDS },
      { kind: 'signal', signal: 'SIGTERM', timeoutSeconds: TERMINATE_SECONDS },
    ]
  }
  const name = text.slice(1).toUpperCase()
  if (name === '^C') return [kill]
  if (name === 'C') return [{ kind: 'signal', signal: 'SIGINT', timeoutSeconds: STOP_SECONDS }]
  const signal = SIGNALS.find((known) => known === name || known === `SIG${name}`)
  if (!signal) return undefined
  return signal === 'SIGKILL' ? [kill] : [{ kind: 'signal', signal, timeoutSeconds: STOP_SECONDS }]
}

/** The stop value for the first step of a chain. */
export function stopValueOf(chain: readonly StopStep[]): string {
  const [first] = chain
  if (!first) return '^SIGTERM'
  if (first.kind === 'command') return first.text
  if (first.signal === 'SIGKILL') return '^^C'
  return first.signal === 'SIGINT' ? '^C' : `^${first.signal}`
}
