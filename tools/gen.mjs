// npm run gen: writes the committed files that are generated from others. With --check it writes
// nothing, and fails if one of them is out of date.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { at, childEnvironment, giveUp, node24, say } from './place.mjs'

const buf = at('node_modules/@bufbuild/buf/bin/buf')

/** A generator runs in `folder` and writes to the folder it is given, by default the same one. */
const generators = {
  'fleet protocol': { folder: at('proto'), run: (into) => [buf, 'generate', '--output', into] },
  'API description': {
    folder: at('control-plane'),
    run: (into) => [at('tools/describe-api.mjs'), into],
  },
}

const onlyCheck = process.argv.includes('--check')
const stale = []
for (const [name, { folder, run }] of Object.entries(generators)) {
  if (!onlyCheck) generate(name, folder, run(folder))
  else stale.push(...staleFiles(name, folder, run))
}
for (const file of stale) say(`${path.relative(at(), file)} is out of date`)
if (stale.length > 0) giveUp('Run `npm run gen` and commit what changed')

function generate(name, cwd, args) {
  const run = spawnSync(node24(), args, { cwd, env: childEnvironment(), stdio: 'inherit' })
  if (run.status !== 0) giveUp(`The ${name} could not be generated`)
}

function staleFiles(name, folder, run) {
  const fresh = mkdtempSync(path.join(os.tmpdir(), 'lodge-gen-'))
  try {
    generate(name, folder, run(fresh))
    return filesBelow(fresh)
      .filter((file) => !isSame(path.join(fresh, file), path.join(folder, file)))
      .map((file) => path.join(folder, file))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

function isSame(one, two) {
  return existsSync(two) && readFileSync(one).equals(readFileSync(two))
}
