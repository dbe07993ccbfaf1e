// Brings node_modules into line with package-lock.json.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { withLock } from './lock-file.mjs'
import { at, giveUp, readJson, root, say } from './place.mjs'

const installed = at('node_modules/.package-lock.json')

/** Installs what node_modules lacks of the lock; waits if another start is doing so. */
export function ensureInstalled() {
  if (isInstalled()) return
  withLock(at('var/install.lock'), () => {
    if (isInstalled()) return
    const started = Date.now()
    if (existsSync(installed)) bringUpToDate()
    if (!isInstalled()) {
      say('Installing dependencies (npm ci) ...')
      const status = npm(['ci', '--no-progress'])
      if (status !== 0) giveUp('npm ci failed: see above', status)
    }
    say(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s`)
  })
}

/**
 * After an update of Lodge, installs the few packages that it changes: `npm ci` deletes them all
 * first, which takes a minute. Whatever this leaves undone, `npm ci` does.
 */
function bringUpToDate() {
  say('Updating dependencies ...')
  npm(['install', '--no-save', '--no-audit', '--no-fund', '--no-progress'])
}

/** npm records what it installed as its last step, so an interrupted install has no record. */
function isInstalled() {
  if (!existsSync(installed)) return false
  const have = readJson('node_modules/.package-lock.json').packages
  return Object.entries(readJson('package-lock.json').packages)
    .filter(([folder, entry]) => folder.includes('node_modules/') && !entry.extraneous)
    .every(([folder, entry]) => isPresent(folder, entry, have[folder]))
}

function isPresent(folder, wanted, found) {
  if (wanted.link) return existsSync(at(folder))
  if (!found) return Boolean(wanted.optional || wanted.devOptional || wanted.peer)
  return found.version === wanted.version && found.integrity === wanted.integrity
}

/** Returns npm's exit code. */
function npm(args) {
  const script = process.env.npm_execpath
  const [program, ...first] = script ? [process.execPath, script] : ['npm']
  // npm's own output goes to stderr.
  const run = spawnSync(program, [...first, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
  return run.status ?? 1
}
