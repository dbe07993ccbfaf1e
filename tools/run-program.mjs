import { spawn } from 'node:child_process'
import { at, childEnvironment, node24, root } from './place.mjs'

/**
 * Runs a program on Node 24 in our place: it gets our terminal and our signals, and we end as it
 * ends.
 */
export function becomeNode(args, { env = {} } = {}) {
  const follow = ['--import', at('tools/follow-parent.mjs')]
  const child = spawn(node24(), [...follow, ...args], {
    cwd: root,
    env: childEnvironment(env),
    stdio: 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // The terminal sends Ctrl-C to the whole group, so the child has it already.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
