/** A well-known problem that programs report in their output, and what to do about it. */
export interface Trouble {
  readonly id: 'eula' | 'port' | 'memory' | 'java'
  readonly title: string
  readonly advice: string
}

const KNOWN: readonly (Trouble & { readonly pattern: RegExp })[] = [
  {
    id: 'eula',
    pattern: /you need to agree to the eula/i,
    title: 'The EULA is not accepted',
    advice:
      'Set the variable for the EULA on the tab Startup, or write eula=true into eula.txt, then start again.',
  },
  {
    id: 'port',
    pattern: /address already in use|failed to bind to port|EADDRINUSE/i,
    title: 'The port is in use',
    advice:
      'Something in this server listens on its port already. Check the port in its configuration against the tab Network.',
  },
  {
    id: 'memory',
    pattern: /java\.lang\.OutOfMemoryError|out of memory|cannot allocate memory/i,
    title: 'The server ran out of memory',
    advice: 'Give it more memory on the tab Settings, or make it need less.',
  },
  {
    id: 'java',
    pattern: /UnsupportedClassVersionError|requires (?:running the server with )?java \d+/i,
    title: 'The Java version does not fit',
    advice:
      'This program needs another version of Java. Choose another image or version on the tab Startup.',
  },
]

/** The known problems in a piece of output. */
export const troublesIn = (text: string): readonly Trouble[] =>
  KNOWN.filter(({ pattern }) => pattern.test(text)).map(({ id, title, advice }) => ({
    id,
    title,
    advice,
  }))
