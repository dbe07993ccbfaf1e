// Builds the web panel when its sources have changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { withLock } from './lock-file.mjs'
import { at, childEnvironment, giveUp, node24, root, say } from './place.mjs'

const mark = at('web/dist/.sources')
/** Compressing smaller files saves nothing. */
const LEAST_BYTES = 512

/** Makes sure that web/dist was built from exactly these sources and dependencies. */
export function buildWeb() {
  withLock(at('var/web-build.lock'), () => {
    const sources = hashSources()
    if (existsSync(mark) && readFileSync(mark, 'utf8') === sources) return
    say('Building the web panel ...')
    const vite = at('node_modules/vite/bin/vite.js')
    const run = spawnSync(node24(), [vite, 'build', '--logLevel', 'warn'], {
      cwd: at('web'),
      env: childEnvironment({ NODE_ENV: 'production' }),
      encoding: 'utf8',
    })
    if (run.status !== 0) giveUp(`The web panel could not be built:\n${run.stdout}${run.stderr}`)
    compressFiles(at('web/dist/assets'))
    writeFileSync(mark, sources)
  })
}

/**
 * Writes `.br` and `.gz` files next to each asset: compressed once at the highest level instead of
 * for every request.
 */
function compressFiles(folder) {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue
    const file = path.join(folder, name)
    const content = readFileSync(file)
    if (content.byteLength < LEAST_BYTES) continue
    writeFileSync(`${file}.br`, brotliCompressSync(content))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}

function hashSources() {
  const hash = createHash('sha256').update(readFileSync(at('package-lock.json')))
  hash.update(readFileSync(at('tools/web-build.mjs')))
  for (const folder of ['web', 'shared']) addFolder(hash, at(folder))
  return hash.digest('hex')
}

function addFolder(hash, folder) {
  const entries = readdirSync(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => a.name.localeCompare(b.name, 'en'))) {
    if (entry.name === 'dist' || entry.name === 'node_modules') continue
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) addFolder(hash, file)
    else hash.update(path.relative(root, file)).update(readFileSync(file))
  }
}
