// npm run uninstall [-- --data] [-- --yes]: removes what Lodge created on this machine. Data is
// kept unless --data is given; installed system packages are kept, because other programs may use
// them by now.
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { FolderInUse, lockFolder } from '../shared/src/local/folder-lock.ts'
import { dataFolder, giveUp, say } from './place.mjs'
import { agentsHere, enginesHere, filesHere, programsHere, unitsHere } from './remains.mjs'

const endsWithinMs = 60_000

const { values: wanted } = parseArgs({
  options: { data: { type: 'boolean' }, yes: { type: 'boolean' } },
})

const programs = programsHere(dataFolder)
const units = unitsHere(dataFolder)
const engines = await enginesHere(dataFolder)
const agents = agentsHere(dataFolder, engines)
const files = filesHere(dataFolder, wanted.data)

const list = [
  ...[...programs, ...units].map(({ what }) => what),
  ...agents.flatMap((agent) => agent.list()),
  ...[...engines, ...files.gone].map(({ what }) => what),
].filter(Boolean)
if (list.length === 0) giveUp(`There is nothing of Lodge to remove for ${dataFolder}.`, 0)
say(`To be removed, in this order:\n${list.map((what) => `  ${what}`).join('\n')}`)
for (const kept of files.kept) say(`Kept: ${kept} (-- --data removes it as well)`)
if (!wanted.yes && !(await agreed())) giveUp('Nothing was removed.')

// Stop running programs first, so that nothing is recreated; then remove servers, their engine, and
// files.
const faults = []
for (const part of [...programs, ...units]) await attempt(part)
if (existsSync(dataFolder)) await waitForEnd()
for (const agent of agents) await attempt(agent)
for (const part of [...engines, ...files.gone]) await attempt(part)
if (faults.length > 0) giveUp(`Left behind:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
say('Lodge is gone from this machine. Remove this folder to remove its sources.')

/** Removes one part; a failure must not block the rest. */
async function attempt({ what, remove }) {
  try {
    await remove()
    if (what) say(`Removed: ${what}`)
  } catch (error) {
    faults.push(what ? `${what}: ${error.message}` : error.message)
  }
}

/** Also prevents another start meanwhile. */
async function waitForEnd() {
  const lock = { variable: 'LODGE_DATA', patienceMs: endsWithinMs }
  await lockFolder(dataFolder, 'start', lock).catch((error) => {
    if (!(error instanceof FolderInUse)) throw error
    giveUp(`${error.message} Nothing else was removed.`)
  })
}

async function agreed() {
  if (!process.stdin.isTTY) {
    say('Nobody can be asked here: run it in a terminal, or with `-- --yes`.')
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('Remove all of this? Type yes: ')
  terminal.close()
  return answer.trim() === 'yes'
}
