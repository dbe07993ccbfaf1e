// Locations of the repository, its Node 24 and its programs. Runs on any Node >= 20.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

const nodeMajor = 24

/** Absolute path of something in the repository. */
export const at = (...parts) => path.join(root, ...parts)

/** Parses a JSON file of the repository. */
export const readJson = (...parts) => JSON.parse(readFileSync(at(...parts), 'utf8'))

/** Where this machine's control plane, database and agent keep their data. */
export const dataFolder = path.resolve(
  process.env.LODGE_DATA ?? (process.getuid?.() === 0 ? '/var/lib/lodge' : at('var')),
)

/** Prints one line on stderr: stdout belongs to the task. */
export const say = (line) => process.stderr.write(`${line}\n`)

/** Exits with a message and without a stack trace. */
export function giveUp(sentence, code = 1) {
  say(sentence)
  process.exit(code)
}

/** The Node 24 to run everything with: this one, or the one that npm installed. */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) === nodeMajor) return process.execPath
  const installed = at('node_modules', `node-${process.platform}-${process.arch}`, 'bin/node')
  if (existsSync(installed)) return installed
  return giveUp(
    `Node ${nodeMajor} is needed and npm has none for ${process.platform}-${process.arch}: install it and run again`,
  )
}

/** The environment of every child: our programs first in PATH, and a persistent compile cache. */
export function childEnvironment(extra = {}) {
  const folders = [at('node_modules/.bin'), path.dirname(node24()), process.env.PATH ?? '']
  return {
    ...process.env,
    PATH: folders.join(':'),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? at('node_modules/.cache/compile'),
    ...extra,
  }
}

/** The path of a program in PATH or the system's sbin folders. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/local/sbin', '/usr/sbin', '/sbin']
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file))
}
