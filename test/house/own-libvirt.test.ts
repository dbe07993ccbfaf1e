import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownMounts } from '../support/own-mounts.ts'
import { until } from '../support/until.ts'

const TOOL = path.resolve(import.meta.dirname, '../../tools/own-libvirt.mjs')
/** Longer than the interval between two checks of the supervision. */
const ANSWERS_AFTER_MS = 4_000

const obstacle =
  process.getuid?.() !== 0
    ? 'it needs root'
    : existsSync('/run/systemd/system')
      ? 'systemd runs libvirt here'
      : undefined

test.skipIf(obstacle)(
  'npm start starts a libvirt that is slow to answer once, and knows which process it is',
  async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-slow-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const starts = path.join(folder, 'starts')
    for (const [program, socket] of [
      ['virtlogd', 'virtlogd-sock'],
      ['libvirtd', 'libvirt-sock'],
    ] as const) {
      const file = path.join(folder, program)
      await writeFile(
        file,
        `#!${process.execPath}
        process.title = '${program}'
        require('node:fs').appendFileSync('${starts}', '${program} ' + process.pid + '\\n')
        setTimeout(() => require('node:net').createServer().listen('/run/libvirt/${socket}'), ${ANSWERS_AFTER_MS})`,
      )
      await chmod(file, 0o755)
    }
    // With a separate /run and process namespace, beside a libvirt of this machine.
    const inside = `
      import { keepLibvirt } from '${TOOL}'
      keepLibvirt('${folder}')
      setInterval(() => {}, 1000)`
    await writeFile(path.join(folder, 'keep.mjs'), inside)
    const keeper = spawn(
      'unshare',
      [
        ...['--pid', '--fork', '--kill-child'],
        ...ownMounts(
          ...['sh', '-c', `mount -t tmpfs none /run && exec "$0" "$1"`],
          process.execPath,
          path.join(folder, 'keep.mjs'),
        ),
      ],
      { env: { ...process.env, PATH: `${folder}:${process.env.PATH}` }, stdio: 'inherit' },
    )
    onTestFinished(() => void keeper.kill('SIGKILL'))
    const answer = () => {
      try {
        const [pid] = execFileSync('pgrep', ['-P', String(keeper.pid)])
          .toString()
          .trim()
          .split('\n')
        return existsSync(`/proc/${pid}/root/run/libvirt/libvirt-sock`)
      } catch {
        return false
      }
    }
    await until(answer)
    const started = (await readFile(starts, 'utf8')).trim().split('\n')
    expect(started.map((line) => line.split(' ')[0]).toSorted()).toEqual(['libvirtd', 'virtlogd'])
    const pid = await readFile(path.join(folder, 'libvirtd.pid'), 'utf8')
    expect(started).toContain(`libvirtd ${pid}`)
  },
)

test(obstacle ? `skipped: ${obstacle}` : 'libvirt can be started here', () => {
  if (process.env.CI) expect(obstacle).toBeUndefined()
})
