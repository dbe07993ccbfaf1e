import type { Plugin } from '../sdk/index.ts'

/** Split, so that scanners do not take this file for the test virus. */
const EICAR = ['EICAR-STANDARD-ANTIVIRUS', 'TEST-FILE'].join('-')
/** Marks of active content in a PDF, with words for each. */
const ACTIVE: readonly (readonly [mark: string, why: string])[] = [
  ['/JavaScript', 'The PDF contains a script'],
  ['/Launch', 'The PDF starts a program'],
  ['/EmbeddedFile', 'The PDF contains other files'],
]
const LONGEST = Math.max(EICAR.length, ...ACTIVE.map(([mark]) => mark.length))

/** The digests of a setting: the first word of each line. */
const digestsIn = (text: string): string[] =>
  text.split('\n').map((line) => line.trim().split(/\s/)[0]?.toLowerCase() ?? '')

/** Searches for texts in a file whose chunks may split one. */
async function firstOf(
  pieces: AsyncIterable<Uint8Array>,
  marks: readonly (readonly [mark: string, why: string])[],
): Promise<string | undefined> {
  let before = ''
  for await (const piece of pieces) {
    const text = before + Buffer.from(piece).toString('latin1')
    const found = marks.find(([mark]) => text.includes(mark))
    if (found) return found[1]
    before = text.slice(-LONGEST)
  }
  return undefined
}

/** Checks that need no service and no updates. */
const plugin: Plugin = ({ settings, readFile }) => {
  const refused = new Set(digestsIn(String(settings.refusedDigests ?? '')))
  return {
    health: () => ({ ok: true, message: 'Ready' }),
    scanner: {
      async scan({ file, type, sha256 }) {
        if (refused.has(sha256))
          return { verdict: 'infected', why: 'It is on the list of refused files' }
        const looksInPdf = type === 'application/pdf' && settings.refuseActivePdf !== false
        const why = await firstOf(readFile(file), [
          [EICAR, 'It is the EICAR test file'],
          ...(looksInPdf ? ACTIVE : []),
        ])
        return why === undefined ? { verdict: 'clean' } : { verdict: 'infected', why }
      },
    },
  }
}
export default plugin
