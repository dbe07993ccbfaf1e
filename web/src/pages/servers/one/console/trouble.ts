import { t } from './words.ts'

/** A well-known problem that programs report in their output, and what to do about it. */
export interface Trouble {
  readonly id: 'eula' | 'port' | 'memory' | 'java'
  readonly title: string
  readonly advice: string
}

interface Known {
  readonly id: Trouble['id']
  readonly pattern: RegExp
  readonly title: () => string
  readonly advice: () => string
}

const KNOWN: readonly Known[] = [
  {
    id: 'eula',
    pattern: /you need to agree to the eula/i,
    title: () => t.eula,
    advice: () => t.eulaAdvice,
  },
  {
    id: 'port',
    pattern: /address already in use|failed to bind to port|EADDRINUSE/i,
    title: () => t.port,
    advice: () => t.portAdvice,
  },
  {
    id: 'memory',
    pattern: /java\.lang\.OutOfMemoryError|out of memory|cannot allocate memory/i,
    title: () => t.memory,
    advice: () => t.memoryAdvice,
  },
  {
    id: 'java',
    pattern: /UnsupportedClassVersionError|requires (?:running the server with )?java \d+/i,
    title: () => t.java,
    advice: () => t.javaAdvice,
  },
]

/** The known problems in a piece of output. */
export const troublesIn = (text: string): readonly Trouble[] =>
  KNOWN.filter(({ pattern }) => pattern.test(text)).map(({ id, title, advice }) => ({
    id,
    title: title(),
    advice: advice(),
  }))
