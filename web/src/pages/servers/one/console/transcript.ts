/** Kept output in characters; the terminal itself keeps more lines than this holds. */
const KEPT = 1_048_576
const DIM = '\u001b[90m'
const PLAIN = '\u001b[39m'
const BLANK = ' '.repeat('00:00:00'.length)

interface Part {
  readonly text: string
  /** Arrival time in milliseconds since 1970; null for output from before the session. */
  readonly at: number | null
}

const timeOf = (at: number | null): string => {
  if (at === null) return BLANK
  const time = new Date(at)
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

/** A part of the text with timestamps before its lines; `fresh` when it starts a new line. */
function stamp({ text, at }: Part, fresh: boolean): string {
  const mark = `${DIM}${timeOf(at)}${PLAIN} `
  const lines = text.replace(/\n(?=[\s\S])/g, `\n${mark}`)
  return fresh && text !== '' ? mark + lines : lines
}

/** The output of a console, to be redrawn with or without timestamps. */
export interface Transcript {
  /** Stores output and returns it with timestamps. */
  add(text: string, at: number | null): string
  /** All stored output. */
  all(withTimes: boolean): string
}

export function transcript(): Transcript {
  let parts: Part[] = []
  let length = 0
  let fresh = true
  return {
    add(text, at) {
      const part = { text, at }
      parts.push(part)
      length += text.length
      if (length > KEPT) {
        const half = parts.findIndex((_, index) => index * 2 >= parts.length)
        parts = parts.slice(Math.max(1, half))
        length = parts.reduce((sum, one) => sum + one.text.length, 0)
      }
      const shown = stamp(part, fresh)
      if (text !== '') fresh = text.endsWith('\n')
      return shown
    },
    all(withTimes) {
      if (!withTimes) return parts.map(({ text }) => text).join('')
      let start = true
      return parts
        .map((part) => {
          const shown = stamp(part, start)
          if (part.text !== '') start = part.text.endsWith('\n')
          return shown
        })
        .join('')
    },
  }
}
