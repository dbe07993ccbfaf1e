import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../../../test/support/until.ts'
import { FenceFailed, powerOf } from './command.ts'
import { commandFencer, switchOff } from './fencer.ts'

let folder: string
const node = { id: randomUUID(), name: 'rack 3 $(touch pwned)' }
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-fence-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A fence command of an operator that logs its calls. */
async function fenceOf(script: string, limitMs = 10_000) {
  const command = path.join(folder, 'fence-node')
  const head = `#!/bin/sh\ncd ${folder}\nprintf '%s|%s|%s|%s\\n' "$1" "$2" "$LODGE_NODE_ID" "$#" >> calls\n`
  await writeFile(command, head + script)
  await chmod(command, 0o755)
  return { command, limitMs }
}
const calls = async () => (await readFile(path.join(folder, 'calls'), 'utf8')).trim().split('\n')

describe('the fence command', () => {
  test('receives the verb and the node, without a shell or our environment', async () => {
    process.env.LODGE_MASTER_KEY = 'secret'
    try {
      const fence = await fenceOf('env >> environment; echo " On "')
      expect(await powerOf(fence, node)).toBe('on')
    } finally {
      delete process.env.LODGE_MASTER_KEY
    }
    expect(await calls()).toEqual([`status|${node.name}|${node.id}|2`])
    expect(await readFile(path.join(folder, 'environment'), 'utf8')).not.toContain('secret')
  })

  test('reports off only by that exact word, never by its exit status or other output', async () => {
    for (const [script, why] of [
      ['echo off; exit 2', 'The fence command ended with 2 (status)'],
      ['echo no route to it >&2; exit 1', 'ended with 1 (status): no route to it'],
      ['echo "power is off"', 'says “power is off” where it should say on or off'],
      ['true', 'says nothing where it should say on or off'],
      ['kill -9 $$', 'ended with SIGKILL (status)'],
    ] as const)
      await expect(powerOf(await fenceOf(script), node)).rejects.toThrow(why)
    // A file where a folder should be: this fails before any process starts.
    for (const command of [path.join(folder, 'none'), path.join(folder, 'fence-node', 'none')])
      await expect(powerOf({ command, limitMs: 1_000 }, node)).rejects.toThrow(
        expect.objectContaining({
          constructor: FenceFailed,
          message: expect.stringContaining('cannot be started'),
        }),
      )
  })

  test('fails with a message that can be stored, whatever bytes it writes', async () => {
    const ofStatus = await fenceOf("printf 'a\\000\\033b' >&2; exit 1")
    await expect(powerOf(ofStatus, node)).rejects.toThrow(/: a b$/)
    const cut = await fenceOf(`printf '${'x'.repeat(59)}\u{1f4a1}'`)
    await expect(powerOf(cut, node)).rejects.toThrow(`“${'x'.repeat(59)}\ufffd”`)
  })

  test('fails alone when the process has no file descriptors left', () => {
    const script = `
      import { openSync } from 'node:fs'
      import { powerOf } from ${JSON.stringify(path.join(import.meta.dirname, 'command.ts'))}
      const open = () => { for (;;) openSync('/dev/null') }
      try { open() } catch {}
      const fence = { command: '/bin/true', limitMs: 1000 }
      await powerOf(fence, { id: 'a', name: 'a' }).catch(({ message }) => process.stdout.write(message))`
    const run = spawnSync(
      'sh',
      ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { encoding: 'utf8' },
    )
    expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('EMFILE') })
  })

  test('is killed with all its child processes when its time is over', async () => {
    const fence = await fenceOf('sleep 300 & echo $! > child; wait', 400)
    await expect(powerOf(fence, node)).rejects.toThrow('did not end within 1 s (status)')
    const child = Number(await readFile(path.join(folder, 'child'), 'utf8'))
    await until(async () => !(await isAlive(child)))
  })

  test('is polled until the node is off', async () => {
    const fence = await fenceOf(
      'case $1 in off) echo 3 > left;; *) left=$(cat left); echo $((left - 1)) > left; [ $left -gt 1 ] && echo on || echo off;; esac',
    )
    await switchOff(commandFencer(fence), fence.limitMs, node, false)
    expect((await calls()).map((line) => line.split('|')[0])).toEqual([
      ...['off', 'status', 'status', 'status'],
    ])
  })

  test('does not switch off a node that is still off', async () => {
    const fence = await fenceOf(
      'case $1 in off) touch off;; *) [ -e off ] && echo off || echo on;; esac',
    )
    await switchOff(commandFencer(fence), fence.limitMs, node, true)
    await switchOff(commandFencer(fence), fence.limitMs, node, true)
    expect((await calls()).map((line) => line.split('|')[0])).toEqual([
      ...['status', 'off', 'status', 'status'],
    ])
  })

  test('fails for a node that stays on', async () => {
    const fence = await fenceOf('[ $1 = off ] || echo on', 1_500)
    await expect(switchOff(commandFencer(fence), fence.limitMs, node, false)).rejects.toThrow(
      'is said to be on still',
    )
  })

  test('is given up when the control plane stops', async () => {
    const stopped = new AbortController()
    const fence = await fenceOf('touch began; sleep 300')
    const off = switchOff(commandFencer(fence), fence.limitMs, node, false, stopped.signal)
    const ended = expect(off).rejects.toThrow('The control plane was stopped meanwhile')
    await until(() =>
      readFile(path.join(folder, 'began'), 'utf8').then(
        () => true,
        () => false,
      ),
    )
    stopped.abort()
    await ended
  })
})

/** A zombie has ended. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return status !== undefined && status.split(') ')[1]?.[0] !== 'Z'
}
