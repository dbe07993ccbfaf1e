// Loaded into every process that must not outlive its parent: killing `npm start` reaches npm and
// perhaps its shell, but no children, and kill -9 cannot be handled at all.
import { readFileSync } from 'node:fs'

const parent = process.ppid
// npm runs scripts in a shell, which survives npm; so watch the grandparent as well.
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
  // Failing to read it, for example for lack of file descriptors, does not mean that it died.
  return now !== undefined && now !== grandparent
}

/** Returns undefined when it cannot be determined now. */
function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
