// Loaded into every process that must not outlive the one that started it: a kill of `npm start`
// reaches npm and perhaps its shell, and a kill -9 lets nobody tell the children.
import { readFileSync } from 'node:fs'

const first = lineage()

const watch = setInterval(() => {
  if (lineage() === first) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 300)
watch.unref()

/** Who started us. npm puts a shell between itself and a script, and that one outlives it. */
function lineage() {
  const parent = process.ppid
  return process.env.npm_lifecycle_event ? `${parent} ${parentOf(parent)}` : String(parent)
}

function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
