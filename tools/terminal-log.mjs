// What `npm start` shows of the logs of its programs: sentences. Everything is in a file beside the data.
import { appendFileSync, chmodSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { say } from './place.mjs'

const MOST_BYTES = 8 * 1024 ** 2
/** What a program repeats is said again only after so long. */
const AGAIN_MS = 10 * 60_000
const MOST_REMEMBERED = 200

/**
 * Takes the lines of a program's log.
 * @param tell shows a sentence
 */
export function terminalLog(name, folder, tell = say) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, `${name.replaceAll(' ', '-')}.log`)
  const told = new Map()
  return (line) => {
    if (line === '') return
    keep(file, line)
    const sentence = sentenceOf(line)
    if (Date.now() - (told.get(sentence) ?? -AGAIN_MS) < AGAIN_MS) return
    // The newest comes last.
    told.delete(sentence)
    told.set(sentence, Date.now())
    if (told.size > MOST_REMEMBERED) told.delete(told.keys().next().value)
    tell(`The ${name} says: ${sentence} (more in ${file})`)
  }
}

/** One earlier file is kept. */
function keep(file, line) {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES)
      renameSync(file, `${file}.1`)
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
    chmodSync(file, 0o600)
  } catch {
    // A full disk is told of by the panel.
  }
}

/** The message of an entry and, of an error, the first line of its own; a text that is none, as it is. */
function sentenceOf(line) {
  try {
    const { msg, err, why } = JSON.parse(line)
    if (typeof msg !== 'string') return line
    const cause = err?.message ?? why
    return typeof cause === 'string' ? `${msg}: ${cause.split('\n', 1)[0]}` : msg
  } catch {
    return line
  }
}
