import { spawn } from 'node:child_process'
import { at, childEnvironment, node24, root } from './place.mjs'

/**
 * Runs a program on Node 24 in place of this one: it gets our terminal and signals, and we exit as
 * it does.
 */
export function becomeNode(args, { env = {} } = {}) {
  const follow = ['--import', at('tools/follow-parent.mjs')]
  const child = spawn(node24(), [...follow, ...args], {
    cwd: root,
    env: childEnvironment(env),
    stdio: 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // The terminal sends Ctrl-C to the whole process group, so the child has already received it.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
