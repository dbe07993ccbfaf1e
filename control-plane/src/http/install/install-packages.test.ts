import { type ExecFileException, execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { evidenceOf, needs } from '../../../../tools/debian.mjs'
import { PACKAGES_SCRIPT } from './install-packages.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-packages-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Puts a program first in PATH. */
async function putFirst(name: string, script: string): Promise<void> {
  const file = path.join(folder, name)
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

/** Runs the functions with these programs hidden and no mirror reachable. */
function install(hidden: readonly string[], environment: Record<string, string> = {}) {
  const hide = hidden.map((program) => `mount --bind /dev/null ${program}`)
  const script = ['set -eu', ...hide, PACKAGES_SCRIPT, 'install_packages && echo DONE'].join('\n')
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, ...environment }
  return new Promise<{ said: string; fault: ExecFileException | null }>((resolve) => {
    execFile('unshare', ['--mount', '--net', 'sh', '-c', script], { env }, (fault, out, err) =>
      resolve({ said: out + err, fault }),
    )
  })
}

test('the pasted command checks for the same packages as npm start', () => {
  const looked = [...PACKAGES_SCRIPT.matchAll(/^ {2}lacks (\S+) (\S+)$/gm)]
  expect(new Map(looked.map(([, name, evidence]) => [name, evidence]))).toEqual(
    new Map(needs.agent.map((name) => [name, evidenceOf(name)])),
  )
})

describe.runIf(process.getuid?.() === 0)('on a new node', () => {
  test('with nothing missing, it contacts no mirror and prints nothing', async () => {
    await putFirst('apt-get', 'echo asked; exit 1')
    expect((await install([])).said).toBe('DONE\n')
  })

  test('it requests only missing packages and gives up on a mirror that never answers', async () => {
    await putFirst('apt-get', 'case "$*" in *--no-download*) exit 100;; *) exec sleep 600;; esac')
    const { said } = await install(['/usr/bin/zstd'], { LODGE_PACKAGES_SECONDS: '1' })
    expect(said).toContain('Installing Debian packages: zstd')
    expect(said).toContain('each attempt ends after 1 s')
    expect(said).toContain('Missing still: zstd')
    // Without it images take more space, nothing worse.
    expect(said).toContain('DONE')
  })

  test('it fails without Docker', async () => {
    await putFirst('apt-get', 'exit 100')
    const { said, fault } = await install(['/usr/sbin/dockerd'])
    expect(said).toContain('Missing still: docker.io')
    expect(fault).not.toBeNull()
  })
})
