// Loaded into every process that must not outlive the one that started it: a kill of `npm start`
// reaches npm and perhaps its shell, and a kill -9 lets nobody tell the children.
import { readFileSync } from 'node:fs'

const parent = process.ppid
// npm puts a shell between itself and a script, and that one outlives it.
const behindShell = process.env.npm_lifecycle_event !== undefined
let grandparent = behindShell ? parentOf(parent) : undefined

const watch = setInterval(() => {
  if (!isGone()) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 300)
watch.unref()

function isGone() {
  if (process.ppid !== parent) return true
  if (!behindShell) return false
  const now = parentOf(parent)
  grandparent ??= now
  // What cannot be read, for want of descriptors for example, is no death.
  return now !== undefined && now !== grandparent
}

/** @returns undefined where it cannot be found out now */
function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
